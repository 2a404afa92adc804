/* SPDX-License-Identifier: MIT */
/* groups.c - the order in which a flow leaves and enters the groups around its tasks: each nesting, each pair of tasks,
 * each ending, and each body that fails the flow, as the model in groups.py says. */
#include "harness.h"

#include <string.h>

#define GROUPS_CASES
#include "groups.h"

char const *begun(char const *place)
{
    log_note("~%s", place);
    return place;
}

#define DEFINE(number, count)                                                                                          \
    void Flow##number##_body(struct Flow##number *flow, char const *body, char const *outcome)                         \
    {                                                                                                                  \
        log_note("%s%s%s", body, *outcome ? ":" : "", outcome);                                                        \
        if (strcmp(flow->failing, body) == 0) (void)uf_flow_fail(&flow->uf, "by %s", body);                            \
    }                                                                                                                  \
    static void try_##number(unsigned i)                                                                               \
    {                                                                                                                  \
        static Flow##number flow;                                                                                      \
        uf_status (*const starts[count])(Flow##number *) = {STARTS_##number};                                          \
        assert_int_equal(Flow##number##_init(&flow, &pump, "flow"), UF_OK);                                            \
        flow.failing = cases[i].failing;                                                                               \
        assert_int_equal(starts[cases[i].from](&flow), UF_OK);                                                         \
        rounds(3);                                                                                                     \
        flow.next = cases[i].to;                                                                                       \
        flow.cancels = cases[i].cancels;                                                                               \
        (void)uf_signal_fire(&flow.go);                                                                                \
        rounds(5);                                                                                                     \
        flow.next = cases[i].end;                                                                                      \
        if (cases[i].end < 0) (void)uf_flow_cancel(&flow.uf);                                                          \
        else (void)uf_signal_fire(&flow.go);                                                                           \
        rounds(5);                                                                                                     \
        assert_false(uf_flow_running(&flow.uf));                                                                       \
        assert_int_equal(Flow##number##_destroy(&flow), UF_OK);                                                        \
    }
NESTINGS(DEFINE)

CASE_WITH(bodies_run_in_the_order_of_the_model, begin, NULL)
{
#define NAME_OF(number, count) try_##number,
    void (*const tries[])(unsigned) = {NESTINGS(NAME_OF)};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        log_clear();
        tries[cases[i].nesting](i);
        if (strcmp(log_text(), cases[i].bodies) != 0) {
            fail_msg("nesting %d, T%d to T%d, then %d, cancelled between: %d, failing: %s\n  is  %s\n  not %s",
                     cases[i].nesting, cases[i].from, cases[i].to, cases[i].end, cases[i].cancels, cases[i].failing,
                     log_text(), cases[i].bodies);
        }
    }
}
