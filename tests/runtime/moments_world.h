/* SPDX-License-Identifier: MIT */
/* moments_world.h - the scenes of moments.c, and the world that they are played in. */
#ifndef MOMENTS_WORLD_H
#define MOMENTS_WORLD_H

#define OWN_MAIN
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "crashes.h"
#include "moments.h"
#include "uflow/runtime.h"

/* -- a scene ------------------------------------------------------------------------------------------------------- */

#define TARGETS_OF_PLAIN(X)    X(PLAIN), X(PLAIN_PART), X(PLAIN_COMPANION), X(PLAIN_MEMBER)
#define TARGETS_OF_KEPT(X)     X(KEPT), X(KEPT_OWN), X(KEPT_COMPANION), X(KEPT_OTHER), X(KEPT_MEMBER), X(SHARED)
#define TARGETS_OF_OTHERS(X)   X(HALL), X(CELL), X(CELL_INSIDE), X(GUEST), X(CLOSING), X(SPARE), X(SPARE_ITEM)
#define TARGETS(X)             X(SELF), X(CURRENT), TARGETS_OF_PLAIN(X), TARGETS_OF_KEPT(X), TARGETS_OF_OTHERS(X)

#define ENUMERATE_TARGET(name) OF_##name
typedef enum target { TARGETS(ENUMERATE_TARGET), TARGET_COUNT } target;

/* A function of the table. */
typedef struct row {
    const char *name;
    uf_status (*call)(uf_flow *flow);
    uint32_t allowed;        /* what it may return */
    bool has_target;         /* it is called with each flow */
    bool is_neutral;         /* it changes nothing that flows do */
    bool (*fits)(moment at); /* NULL: each moment */
} row;

#define EACH UINT_MAX /* `which`: at each occurrence, also during the call */

typedef struct event {
    const row *call; /* NULL: none */
    target target;
    moment at;
    unsigned which; /* of the occurrences of this moment */
} event;

enum { NO_CRASH = -1 };

typedef struct scene {
    event first, second;
    unsigned variant;
    int crash; /* half of it: after so many commits; odd: at once, even: a while later */
} scene;

enum {
    BUMPED = 1,     /* the handlers of `bump` run */
    LATER = 2,      /* jobs run later than in their submit */
    UNOBSERVED = 4, /* in turns without observers: moments of these do not come */
    RATED = 8,      /* what was restored is held for a while, and then goes on one by one */
    VARIANTS = 16
};

/* The scene that is played, and what has come of it. */
typedef struct playing {
    scene scene;
    event made;          /* the call that is made, or was made last */
    const uf_flow *self; /* the flow of its moment */
    unsigned seen[MOMENT_COUNT];
    unsigned depth; /* of calls inside calls */
    bool is_calling, was_called, has_forgotten;
    bool has_extra;       /* so the next process must have it, too */
    bool has_kept_fields; /* of a flow whose body may have changed them, and runs again */
} playing;

extern playing now;
extern unsigned faults, scenes, calls; /* of all scenes */
extern bool is_verbose;
extern char story[1 << 16]; /* what flows have done, a line each */

/* Returns: whether something was called. */
bool play_scene(const scene *of);

/* -- a process ----------------------------------------------------------------------------------------------------- */

/* What is known of a flow. */
typedef struct life {
    const uf_flow *flow;
    uint32_t heard; /* the latest run whose begin an observer has seen */
    bool runs, stands, was_restored;
    int entered;                    /* tasks and groups */
    uint32_t cancelled, begun;      /* a run that is to end, or to begin, */
    uf_time cancelled_at, begun_at; /* from here on */
} life;

enum { LIVES = 64 };

typedef struct world {
    uf_pump pump;
    uf_store *store;
    uf_seeded_pool seeded;
    uf_work works[8];
    Item shared;
    Kept kept;
    Plain plain;
    Hall hall;
    Guest guest;
    Closing closing;
    Part spare;
    Item spare_item;
    Kept extra;
    Plain extra_plain;
    uf_observer observer, other;
    uf_signal signal;
    uf_signal_callback callback;
    bool is_subscribed;
    uf_pause holds[2], hold;
    uf_stop stop;
    life lives[LIVES];
    unsigned rounds;
    bool is_first, is_closing;
    bool is_over; /* nothing that happens is of interest any more */
} world;

extern world *here;

life *life_of(const uf_flow *flow);
const char *path_of(const uf_flow *flow);

void fault(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define EXPECT(condition, ...)                                                                                         \
    do {                                                                                                               \
        if (!(condition)) fault(__VA_ARGS__);                                                                          \
    } while (0)

/* -- functions ----------------------------------------------------------------------------------------------------- */

#define BIT(status)   (UINT32_C(1) << UF_##status)
#define BITS_OF_START (BIT(OK) | BIT(BUSY) | BIT(STOPPING) | BIT(FULL))

extern const row rows[];
extern const unsigned row_count;

uf_status call_forget_nothing(uf_flow *flow);
uf_status call_restore(uf_flow *flow);

/* NULL: it is not there. `self`: the flow of the moment. */
uf_flow *target_of(target of, const uf_flow *self);
bool is_kept_flow(const uf_flow *flow);

/* The callback of a signal, unless it is subscribed. */
void subscribe(void);

#endif
