/* watch.h - an observer of each run: it makes a number of its history, and the texts if they are wanted. */
#ifndef UFLOW_TEST_WATCH_H
#define UFLOW_TEST_WATCH_H

#include "slot.h"

#include "uflow/observer.h"

typedef struct test_watch {
    uf_observer observer;
    const uf_flow *root; /* the flow of the test */
    uint64_t digest;     /* of all transitions: two runs with the same history have the same one */
    uint32_t left_line;  /* the line at which the root's run has ended */
    /* Called with each transition as text, if it is not NULL. */
    void (*line)(void *context, uf_time time, const char *text);
    void *context;
    const uf_flow *failed_exit; /* its `on exit` has failed although its run was cancelled; NULL: none */
    char failure[UF_REASON_SIZE];
} test_watch;

/* Begins to watch the pump. */
void test_watch_begin(test_watch *watch, uf_pump *pump, const uf_flow *root);

/* The name of a flow in reports: its path without the test, or "test". Returns: the name. */
const char *test_flow_name(const uf_flow *root, const uf_flow *flow, char *name, size_t size);

#endif
