/* cycles.c - a dump names the flows that wait for each other: rings of every length and kind of wait. */
#include "harness.h"

#include "uflow/dump.h"

#include "cycles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 5

static Node nodes[MOST + 1];
static char shown[8192];

static const char *dump(void)
{
    FILE *const out = tmpfile();
    assert_non_null(out);
    assert_int_equal(uf_pump_dump(&pump, out), UF_OK);
    rewind(out);
    shown[fread(shown, 1, sizeof shown - 1, out)] = '\0';
    fclose(out);
    return shown;
}

static void make_nodes(void)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    for (int i = 0; i <= MOST; i++) assert_int_equal(Node_init(&nodes[i], &pump, names[i]), UF_OK);
}

static void end_nodes(void)
{
    uf_pump_cancel_all(&pump);
    rounds(2);
    for (int i = 0; i <= MOST; i++) {
        Node_destroy(&nodes[i]);
    }
}

static void start(Node *node, int kind)
{
    int const item = 1;
    if (kind == 1) (void)uf_mailbox_send(&node->next->mail, &item); /* it is full */
    assert_int_equal(kind == 0   ? Node_start_Idle(node)
                     : kind == 1 ? Node_start_Room(node)
                                 : Node_start_Asleep(node),
                     UF_OK);
}

/* All rings of up to MOST flows in which each waits in one of two ways, or, for a chain, one sleeps. */
static void test_rings(void **state)
{
    (void)state;
    for (int length = 1; length <= MOST; length++) {
        int cases = 1;
        for (int i = 0; i < length; i++) cases *= 3;
        for (int number = 0; number < cases; number++) {
            bool is_ring = true;
            char expected[64];
            make_nodes();
            for (int i = 0; i < length; i++) nodes[i].next = &nodes[(i + 1) % length];
            for (int i = 0, digits = number; i < length; i++, digits /= 3) {
                if (length == 1 && digits % 3 == 0) digits = 1; /* a flow cannot wait for its own end */
                start(&nodes[i], digits % 3);
                is_ring &= digits % 3 != 2;
            }
            rounds(3);
            if (length == 1) strcpy(expected, "this flow waits for itself:\n");
            else snprintf(expected, sizeof expected, "these %d flows wait for each other:\n", length);
            char const *const cycle = strstr(dump(), expected);
            if ((cycle != NULL) != is_ring) fail_msg("ring %d of length %d:\n%s", number, length, shown);
            char const *const any = strstr(shown, "waits for itself"), *const other = strstr(shown, "wait for each");
            assert_true((any || other) == is_ring);
            if (cycle) assert_null(strstr(cycle + 1, "these")); /* once */
            for (int i = 0; cycle && i < length; i++) {
                snprintf(expected, sizeof expected, "\n    %s  ", uf_flow_name(&nodes[i].uf));
                assert_non_null(strstr(cycle, expected));
            }
            end_nodes();
        }
    }
}

static void test_the_text(void **state)
{
    int const item = 1;
    (void)state;
    make_nodes();
    nodes[0].next = &nodes[1];
    nodes[1].next = &nodes[2];
    nodes[2].next = &nodes[0];
    nodes[3].next = &nodes[0]; /* waits for a cycle, and is not in it */
    assert_int_equal(uf_mailbox_send(&nodes[0].mail, &item), UF_OK);
    assert_int_equal(Node_start_Room(&nodes[2]), UF_OK);
    assert_int_equal(Node_start_Run(&nodes[0]), UF_OK); /* b runs Last: it waits for the end of c */
    assert_int_equal(Node_start_Idle(&nodes[3]), UF_OK);
    rounds(3);
    (void)dump();
    char const *const cycle = strstr(shown, "these");
    assert_non_null(cycle);
    assert_null(strstr(cycle + 1, "these"));
    assert_non_null(strstr(cycle, "a  Run.Wait:9  run of b\n"));
    assert_non_null(strstr(cycle, "b  Last.Wait:10  idle c\n"));
    assert_non_null(strstr(cycle, "c  Room.Wait:8  room in mail\n"));
    assert_null(strstr(cycle, "    d  "));
    end_nodes();
}

/* The cycle leads through the second arm of one of its flows. */
static void test_a_second_arm(void **state)
{
    (void)state;
    for (int which = 0; which < 3; which++) {
        make_nodes();
        start(&nodes[4], 2);
        for (int i = 0; i < 3; i++) {
            nodes[i].other = &nodes[4];
            nodes[i].next = &nodes[(i + 1) % 3];
            if (i == which) assert_int_equal(Node_start_Either(&nodes[i]), UF_OK);
            else start(&nodes[i], 0);
        }
        rounds(3);
        char const *const cycle = strstr(dump(), "these 3 flows wait for each other:\n");
        assert_non_null(cycle);
        assert_null(strstr(cycle + 1, "these"));
        end_nodes();
    }
}

int main(void)
{
    struct CMUnitTest const tests[] = {TEST(test_rings), TEST(test_the_text), TEST(test_a_second_arm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
