/* SPDX-License-Identifier: MIT */
/* watch.h - what is seen of a run: a number of its history; and with an observer, which makes each transition slower,
 * its transitions as texts. */
#ifndef UFLOW_TEST_WATCH_H
#define UFLOW_TEST_WATCH_H

#include "slot.h"

#include "uflow/observer.h"

typedef struct uft_watch {
    bool observes; /* with an observer; set it before the run */
    uf_observer observer;
    const uf_flow *root;  /* the flow of the test */
    uint64_t states;      /* of the states of the flows after each round: the same for runs with the same history */
    bool is_partial;      /* there were more flows than `states` counts */
    uint64_t transitions; /* with an observer: of all transitions of all flows */
    uint32_t left_line;   /* the line at which the root's run has ended */
    /* Called with each transition as text, if it is not NULL. */
    void (*line)(void *context, uf_time time, const char *text);
    /* Called with each start, pause and resume as text, if it is not NULL. */
    void (*note)(void *context, uf_time time, const char *text);
    void *context;
    /* With `note`, of the run that has failed first, if others have failed after it without an `else`. */
    char cause[TEST_LINE_SIZE], reason[UF_REASON_SIZE]; /* `reason`: of the last one that it has made fail */
    bool is_caused;                                     /* the root has failed by it */
    const uf_flow *failed_exit; /* its `on exit` has failed although its run was cancelled; NULL: none */
    char failure[UF_REASON_SIZE];
} uft_watch;

/* Looks at the states of the flows, after a round. */
void uft_watch_states(uft_watch *watch, const uf_pump *pump);

/* Begins to watch the pump. */
void uft_watch_begin(uft_watch *watch, uf_pump *pump, const uf_flow *root);

/* The name of a flow in reports: its path without the test, or "test". Returns: the name. */
const char *uft_flow_name(const uf_flow *root, const uf_flow *flow, char *name, size_t size);

#endif
