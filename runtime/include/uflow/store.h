/* SPDX-License-Identifier: MIT */
/* store.h - durable flows: what they are and where they are is kept in a store, and outlives the process.
 *
 *   uf_store *store;
 *   uf_restore_report report;
 *   uf_store_memory_open(&store, NULL);                 or another store, such as one of yours
 *   uf_store_attach(store, &pump);                      before the inits of durable flows; or uf_runtime_config.store
 *   Batch_init(&batch, &pump, "batch-7", 7);            `durable flow Batch`; its path is the key
 *   if (uf_store_restore(store, &report) != UF_OK) puts(report.text);
 *   uf_store_release(store, NULL);                      what was restored goes on
 *
 * On a pump without a store, a durable flow is as one that is not: nothing is kept. */
#ifndef UFLOW_STORE_H
#define UFLOW_STORE_H

#include "uflow/flow.h"
#include "uflow/generated/awaits.h" /* uf_arm */
#include "uflow/text.h"

UF_C_BEGIN

typedef struct uf_store uf_store;

/* The configuration of a store, or the beginning of that of a certain kind of store. A zeroed member selects its
 * default, apart from `tick`. */
typedef struct uf_store_config {
    uf_time limit;          /* real time that a run waits for the store before it fails: "store: no answer"; 0: 10 s */
    uint32_t restore_limit; /* a run fails when it is restored for the N-th time in one step; 0: 5 */
    uf_time max_downtime;   /* with `wall`: uf_store_restore() refuses to go on after more; 0: 30 days */
    /* The time of day in nanoseconds. Then the time while no process ran counts as logical time. Returns: false if it
     * is not known yet, and then uf_store_restore() is UF_BUSY. NULL: logical time stands still meanwhile. */
    bool (*wall)(void *context, int64_t *nanoseconds);
    void *context; /* of `wall` */
    /* Without `wall`: real time after which the time alone is kept; 0: never. Without a configuration: 1 min. */
    uf_time tick;
    uint32_t restore_rate; /* at most so many flows a second go on after uf_store_release(); 0: all at once */
} uf_store_config;

/* -- the life of a store ------------------------------------------------------------------------------------------- */

/* Opens a store in the memory of this process, for tests: see uf_store_memory_copy(). NULL: the default configuration.
 * Thread: any, with every pump.
 * Returns: UF_OK; UF_NO_MEMORY; UF_INVALID.
 * Lifetime: until uf_store_close(). */
uf_status uf_store_memory_open(uf_store **store, const uf_store_config *config);

/* Opens another store in memory with what a crash at this moment would leave of `of`, which is one in memory, too.
 * Thread: the pump's.
 * Returns: UF_OK; UF_NO_MEMORY; UF_INVALID.
 * Lifetime: until uf_store_close(). Both stores are independent. */
uf_status uf_store_memory_copy(uf_store **store, const uf_store *of, const uf_store_config *config);

/* How often a store in memory has committed.
 * Thread: the pump's.
 * Returns: the number; 0 for another store. */
uint64_t uf_store_memory_commits(const uf_store *store);

/* After so many more commits, a store in memory answers no more, or fails with this text, such as "disk full".
 * Thread: the pump's.
 * Returns: UF_OK; UF_INVALID: it is another store. */
uf_status uf_store_memory_stop(uf_store *store, uint64_t commits, const char *failure);

/* Lets a pump keep its durable flows in this store. A runtime does it with its `store`.
 * Thread: any, before the first init of a flow.
 * Returns: UF_OK; UF_BUSY: the pump has a store, the store a pump, or a flow was attached before; UF_INVALID.
 * Lifetime: until the pump is destroyed. */
uf_status uf_store_attach(uf_store *store, uf_pump *pump);

/* Closes a store. What was put and is not committed may be lost.
 * Thread: any, after the pump was destroyed or the runtime was freed.
 * Returns: UF_OK; UF_BUSY, and nothing happens: flows of its pump are attached; UF_INVALID. */
uf_status uf_store_close(uf_store *store);

/* -- restoring ----------------------------------------------------------------------------------------------------- */

/* The size of a path and of a text in a report. Longer ones are truncated. */
#define UF_STORE_PATH_SIZE 128
#define UF_STORE_TEXT_SIZE 256

/* What uf_store_restore() has done. */
typedef struct uf_restore_report {
    uint32_t restored;             /* flows that go on when they are released */
    uint32_t idle;                 /* flows whose last run had ended */
    uint32_t lost;                 /* runs whose owner does not go on: they were cancelled, with `on exit` */
    uf_time downtime;              /* that logical time was moved on for */
    char path[UF_STORE_PATH_SIZE]; /* of the flow that the text is about; "": of none */
    char text[UF_STORE_TEXT_SIZE]; /* what happened, where, and what to do; one line that begins with the path */
} uf_restore_report;

/* Gives each durable flow of the pump what is kept of it. Before, a durable flow cannot be started: UF_BUSY. After it,
 * the flows run that ran, and are held: they may be cancelled, and go on after uf_store_release(). `report` may be
 * NULL.
 * Thread: any; the pump's does the work, and the call waits for it.
 * Returns: UF_OK; UF_CHANGED: the program does not have what is kept: a flow, task, step, or the type of a field;
 * UF_BUSY: the time of day is not known yet, or it was restored before, or is being restored now, as in `on init` of a
 * member; UF_STORE: the store has failed, or the downtime is too long; UF_NO_THREAD: no condition variable;
 * UF_UNSUPPORTED: called in an interrupt handler on bare metal; UF_INVALID: it has no pump. Unless it is UF_OK, nothing
 * was restored. */
uf_status uf_store_restore(uf_store *store, uf_restore_report *report);

/* Lets the flow of this path go on, or all of them with NULL.
 * Thread: any; the pump's does the work, and the call waits for it.
 * Returns: UF_OK; UF_STALE: no such flow is held; UF_BUSY: nothing was restored yet; UF_NO_THREAD: no condition
 * variable; UF_UNSUPPORTED: called in an interrupt handler on bare metal; UF_INVALID. */
uf_status uf_store_release(uf_store *store, const char *path);

/* Forgets what is kept of a path, for example of a flow that the program no longer has. An owner that waits for a run
 * of this flow begins it anew. The call waits for the commit; on the pump's thread, it holds up the pump.
 * Thread: any; the pump's does the work, and the call waits for it.
 * Returns: UF_OK: it is gone for good; UF_BUSY, and nothing happens: a flow of this path is running, or an observer
 * makes the call; UF_STORE: the store has failed; UF_TIMED_OUT: the store has not answered for `limit`, or cannot be
 * waited for: it may be gone later; UF_NO_THREAD: no condition variable; UF_UNSUPPORTED: called in an interrupt handler
 * on bare metal; UF_INVALID. */
uf_status uf_store_forget(uf_store *store, const char *path);

/* Reads why the store has failed.
 * Thread: the pump's.
 * Returns: the text, such as "disk full"; "" while it works.
 * Lifetime: that of the store. */
const char *uf_store_failure(const uf_store *store);

/* -- for flows ----------------------------------------------------------------------------------------------------- */

/* Keeps the fields of a durable flow as they are now, with the next commit. For changes from outside of its steps.
 * They include what the body of its present step has changed: after a crash, that body runs again. Between two steps,
 * they are kept when the next one begins, unless a stop suspends the run before.
 * Thread: the pump's.
 * Returns: UF_OK, also without a store; UF_BUSY: nothing was restored yet, a stop has suspended its run, an observer
 * hears of the end of its run, or the init of a flow around it is running; UF_STORE: the store has failed; UF_INVALID:
 * it is not durable, or not attached. */
uf_status uf_flow_keep(uf_flow *flow);

/* Waits until it is kept that a run of a durable flow has begun, for `timeout` of real time at most. So a caller that
 * has started it knows that it goes on after a crash.
 * Thread: any.
 * Returns: UF_OK, also if nothing of the flow is kept; UF_TIMED_OUT; UF_STORE: the store has failed; UF_STALE: it ended
 * before, for example by a cancel; UF_DEADLOCK: this thread drives the flow's pump; UF_UNSUPPORTED: the pump is
 * caller-driven; UF_NO_THREAD: no condition variable; UF_INVALID: the handle names no attached flow. */
uf_status uf_run_wait_kept(uf_run run, uf_time timeout);

/* Reads what the store has of a flow, and for how long that has been so. `*lasts` is the real time since its last
 * record was put, since it was restored, or since its run was suspended; -1: not known. It may be NULL.
 * Thread: the pump's.
 * Returns: what is kept; UF_KEEPING_NOTHING of a flow that is not durable. */
uf_keeping uf_flow_keeping(const uf_flow *flow, uf_time *lasts);

/* The size of a token, with its NUL. */
#define UF_TOKEN_SIZE 64

/* Writes a text that is the same each time that the body of this step is repeated, and that no other step has: a key
 * with which a database or a device recognises a repeated order. Names the store, the flow, the run and the step.
 * Thread: the pump's.
 * Returns: UF_OK; UF_INVALID: the flow is not durable, or does not run. Without a store it names no store. */
uf_status uf_flow_token(const uf_flow *flow, char token[UF_TOKEN_SIZE]);

/* -- for a store of yours ------------------------------------------------------------------------------------------ */

/* What a store does. The functions are called on the pump's thread and return at once, apart from `load` and `close`.
 * A status other than UF_OK fails the store for ever; uf_store_fail() says why. */
typedef struct uf_store_kind {
    /* Memory for a record of `size` bytes, until the next call; NULL: there is none. */
    void *(*room)(uf_store *store, size_t size);
    /* A record, in the memory of `room`. It replaces an earlier one of this path; a size of 0 removes that. The path ""
     * is that of the time. */
    uf_status (*put)(uf_store *store, const char *path, const void *bytes, size_t size);
    /* Called in the round after some puts: begins a commit of all of them, all or none. Also called after
     * uf_store_wake(). Sets `count` to the number of puts, from the first one on, that are committed. */
    uf_status (*committed)(uf_store *store, uint64_t *count);
    /* Passes each record that is committed to `row`. */
    uf_status (*load)(uf_store *store, void (*row)(void *context, const char *path, const void *bytes, size_t size),
                      void *context);
    /* Waits until no commit is under way, for `limit` at most. On any thread. Returns: UF_OK; UF_TIMED_OUT. NULL:
     * a commit never goes on after `committed`. */
    uf_status (*wait)(uf_store *store);
    /* The pump ends: no other thread calls uf_store_wake() when it has returned. NULL: none does. */
    void (*detach)(uf_store *store);
    void (*close)(uf_store *store); /* frees the store */
} uf_store_kind;

/* Where the durable flows of one pump are kept: the first member of the struct of each kind of store. The members are
 * private. */
struct uf_store {
    void *hooks; /* atomic: of durable flows; NULL: none has used it yet */
    const uf_store_kind *kind;
    uf_store_config config;
    uf_pump *pump; /* NULL: not attached */
    const char *identity;
    uint64_t puts, kept;      /* so many records were put, and are committed */
    uf_link waiting;          /* flows that wait for a commit, by the numbers of their puts */
    uf_link released;         /* flows that go on when it is their turn */
    uf_arm tick, rate;        /* the next record of the time; the next second of `restore_rate` */
    uf_arm limit;             /* while flows wait: when the first one of them has waited for too long */
    uf_time time;             /* that is kept, or will be with the next commit */
    uint32_t begun;           /* so many flows went on in this second */
    struct uf_durable *index; /* the flows by their paths */
    bool has_new;             /* some have other keys there */
    uf_message message;       /* looks after commits */
    uint32_t is_queued;       /* atomic: it is in the inbox */
    uint32_t is_open;         /* atomic: members of pools may be spawned */
    bool is_restoring;        /* they are initialised for their records */
    bool is_restored, is_failed;
    char failure[UF_REASON_SIZE]; /* "store: " and why */
};

/* Initialises the common part. NULL for the configuration: the defaults. `identity`: a text of up to 16 bytes that no
 * other store has, for tokens.
 * Thread: any.
 * Returns: UF_OK; UF_INVALID: an argument is NULL, or a time is negative. */
uf_status uf_store_init(uf_store *store, const uf_store_kind *kind, const uf_store_config *config,
                        const char *identity);

/* Says why a function of the store returns an error, such as "disk full".
 * Thread: the pump's. */
void uf_store_fail(uf_store *store, const char *why);

/* Makes the pump call `committed` in its next round: a commit has ended.
 * Thread: any. */
void uf_store_wake(uf_store *store);

UF_C_END
#endif
