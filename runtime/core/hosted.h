/* hosted.h - where core and a host meet: what core asks of the runtime that a pump belongs to, and what that may use of
 * core. A pump that is driven by hand has no host, and none of this happens.
 *
 * Other threads touch no list of a pump. They claim a flow, by one compare-and-swap of its state, and send messages:
 * a stack with many producers, emptied by one exchange at the top of a round and turned round. */
#ifndef UFLOW_HOSTED_H
#define UFLOW_HOSTED_H

#include "uflow/generated.h"

#include "port.h"

struct ufi_host {
    /* A message was sent: see to it that there is a round. Any thread. */
    void (*wake)(uf_pump *pump);
    /* Would that have to rouse anyone? False only if there will be one that sees what was sent before this was asked. Any thread,
     * while the pump cannot be freed. */
    bool (*asleep)(const uf_pump *pump);
    /* The run of a flow is over while threads are watching; stores `state`, its last act, or hands the flow on. */
    void (*ended)(uf_flow *flow, uint32_t state);
    /* Something that watchers may be waiting for has changed without a flow's end. Any thread. */
    void (*review)(uf_pump *pump);
    /* The public functions of these names, when they are called from another thread than the pump's. */
    uf_status (*cancel)(uf_run run);
    uf_status (*detach)(uf_flow *flow);
    uf_status (*call)(const uf_call *call);
    /* A flow is being detached: nothing that is on its way may reach it any more. On the pump's thread. */
    void (*forget)(uf_flow *flow);
    /* The last thread has left a pump that is being freed. */
    void (*left)(uf_pump *pump);
    /* Logical time, and real time, at this moment. Any thread; on the pump's own, `now` advances the pump's clock. */
    uf_time (*now)(const uf_pump *pump);
    uf_time (*real)(void);
    /* The clock that rounds copy, advanced to this moment: nobody else reads or changes it until it is given back. If it was
     * changed, the pump plans anew. Any thread. */
    uf_clock *(*take_clock)(uf_pump *pump);
    void (*give_clock)(uf_pump *pump, bool changed);
    /* Makes a pool of the pump's own, and opens it; why that cannot be, a constant that begins so, or NULL. */
#define UFI_REJECTED_AS "rejected: "
    const char *(*make_pool)(uf_pump *pump);
    /* An arm for a descriptor: it is ready, or has failed, or is on a list (on_list) until it is taken off. */
    void (*watch)(uf_pump *pump, uf_arm *arm);
    void (*unwatch)(uf_pump *pump, uf_arm *arm);
    /* The system's text for an errno. */
    void (*error_text)(int error, char *text, size_t size);
    /* Is this the thread of the loop that the pump, or the one that drives it, is embedded in? Between ufp_critical_enter() and
     * ufp_critical_leave(). */
    bool (*own)(const uf_pump *pump);
};

/* A flow that another thread starts is claimed until the start arrives at its pump, which is what begins the run. So while
 * it is claimed, `run` and `outcome` are those of the last run, and the one that is coming has the next number. First it
 * is claimed and no more: which step it will enter is not known yet. A cancel that is delivered meanwhile leaves a bit. */
#define UFI_STATE_CANCEL UINT32_C(0x20000000)
#define UFI_CLAIMED_ONLY (UF_STATE_CLAIMED | (UFI_STATE_CANCEL - 1u))

static inline bool ufi_claimed_only(uint32_t state)
{
    return (state & ~UFI_STATE_CANCEL) == UFI_CLAIMED_ONLY;
}

/* Is this the thread that drives the pump? */
static inline bool ufi_here(const uf_pump *pump)
{
    return !pump->host || ufp_load_pointer(&pump->thread) == ufp_thread_self();
}

/* While another thread is inside, the pump is not freed, even if what that thread has sent was done long ago. To leave is
 * one operation, after which nothing of the pump is touched; only the last one to leave a pump that is being freed
 * does more, and is waited for. */
#define UFI_BEING_FREED UINT32_C(0x80000000)
void ufi_go_inside(uf_pump *pump);
void ufi_leave(uf_pump *pump);

/* Sends a message, whose link.prev is set. It is the pump's until it was delivered. */
void ufi_send(uf_pump *pump, uf_link *message);

/* The same, but the pump has to be woken after that, by one who is inside. */
void ufi_push(uf_pump *pump, uf_link *message);

/* Puts what was sent behind pump->messages, first to last; returns the last of it, or NULL. */
uf_link *ufi_take_messages(uf_pump *pump);

/* Delivers what had been sent when it was called, in order. */
void ufi_deliver_messages(uf_pump *pump);

/* From now on it is found by who looks for pumps, and not any more; see broadcast.h. */
void ufi_enlist_pump(uf_pump *pump);
void ufi_delist_pump(uf_pump *pump);

/* Something was begun, from another thread, that the pump will not forget until it is done. UF_STOPPING: it was not. */
uf_status ufi_go_abroad(uf_pump *pump);
void ufi_come_home(uf_pump *pump);

/* A cancel on the pump's thread: nothing happens unless that very run runs, or is on its way. */
void ufi_cancel_run(uf_run run);

/* Puts an outcome and its reason where another thread can have them; `reason` has UF_REASON_SIZE bytes. On the pump's
 * thread, or when the flow is idle. */
void ufi_copy_reason(const uf_flow *flow, uf_outcome outcome, char *reason);

void ufi_tell_posted(uf_pump *pump, const uf_post_event *post);
/* A post has taken so long, in a round that is measured. */
void ufi_post_took(uf_pump *pump, const uf_post_event *post, uf_time took);

void ufi_tell_linked(uf_pump *pump, const char *driver);

/* Has a run that is over brought what a call or an await of this class waits for? */
bool ufi_brought(const uf_flow *flow, uint32_t last_state, uint16_t result_class);

#endif
