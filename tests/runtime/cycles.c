/* SPDX-License-Identifier: MIT */
/* cycles.c - a dump names the flows that wait for each other: rings of every length and kind of wait. */
#include "harness.h"

#include "uflow/dump.h"

#include "cycles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 5

/* How a node waits for the next one. From SLEEP on, it closes no cycle. */
typedef enum wait { IDLE, ROOM, ARRIVED, VACANT, EMPTY, SLEEP, HALF_VACANT, WAITS } wait;
static uf_status (*const starts[WAITS])(Node *) = {Node_start_Idle,      Node_start_Room,  Node_start_Arrived,
                                                   Node_start_Vacant,    Node_start_Empty, Node_start_Asleep,
                                                   Node_start_HalfVacant};

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

static void start(Node *node, wait kind)
{
    int const item = 1;
    if (kind == ROOM) (void)uf_mailbox_send(&node->next->mail, &item); /* it is full */
    assert_int_equal(starts[kind](node), UF_OK);
}

/* A member of a pool is between a node and the next one. */
static int flows_of(wait kind)
{
    return kind == VACANT || kind == EMPTY ? 2 : 1;
}

/* A flow cannot wait for its own end. A member that waits for the end of its pool's flow can. */
static bool may_wait_for_itself(wait kind)
{
    return kind != IDLE;
}

static void check_ring(int length, const wait *kinds)
{
    char expected[64];
    bool is_ring = true;
    int flows = 0;

    make_nodes();
    for (int i = 0; i < length; i++) nodes[i].next = &nodes[(i + 1) % length];
    for (int i = 0; i < length; i++) {
        start(&nodes[i], kinds[i]);
        is_ring &= kinds[i] < SLEEP;
        flows += flows_of(kinds[i]);
    }
    rounds(3);
    if (flows == 1) strcpy(expected, "this flow waits for itself:\n");
    else snprintf(expected, sizeof expected, "these %d flows wait for each other:\n", flows);
    char const *const cycle = strstr(dump(), expected);
    if ((cycle != NULL) != is_ring) fail_msg("ring of length %d from %d:\n%s", length, (int)kinds[0], shown);
    char const *const any = strstr(shown, "waits for itself"), *const other = strstr(shown, "wait for each");
    assert_true((any || other) == is_ring);
    if (cycle) assert_null(strstr(cycle + 1, "these")); /* once */
    for (int i = 0; cycle && i < length; i++) {
        snprintf(expected, sizeof expected, "\n    %s  ", uf_flow_name(&nodes[i].uf));
        assert_non_null(strstr(cycle, expected));
        snprintf(expected, sizeof expected, "\n    %s.links[0]  ", uf_flow_name(&nodes[i].uf));
        assert_true((strstr(cycle, expected) != NULL) == (flows_of(kinds[i]) == 2));
    }
    end_nodes();
}

/* All rings and chains of up to 4 flows that each wait in one of these ways, and those of MOST with few ways. */
TEST(test_rings)
{
    for (int length = 1; length <= MOST; length++) {
        int const ways = length == MOST ? 3 : WAITS;
        int cases = 1;
        for (int i = 0; i < length; i++) cases *= ways;
        for (int number = 0; number < cases; number++) {
            wait kinds[MOST];
            for (int i = 0, digits = number; i < length; i++, digits /= ways) kinds[i] = (wait)(digits % ways);
            if (length == 1 && !may_wait_for_itself(kinds[0])) continue;
            check_ring(length, kinds);
        }
    }
}

TEST(test_the_text)
{
    int const item = 1;
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
    assert_non_null(strstr(cycle, "a  Run.Wait:21  run b\n"));
    assert_non_null(strstr(cycle, "b  Last.Wait:22  idle c\n"));
    assert_non_null(strstr(cycle, "c  Room.Wait:20  room in mail of a\n"));
    assert_null(strstr(cycle, "    d  "));
    end_nodes();
}

/* The cycle leads through the second arm of one of its flows. */
TEST(test_a_second_arm)
{
    for (int which = 0; which < 3; which++) {
        make_nodes();
        start(&nodes[4], SLEEP);
        for (int i = 0; i < 3; i++) {
            nodes[i].other = &nodes[4];
            nodes[i].next = &nodes[(i + 1) % 3];
            if (i == which) assert_int_equal(Node_start_Either(&nodes[i]), UF_OK);
            else start(&nodes[i], IDLE);
        }
        rounds(3);
        char const *const cycle = strstr(dump(), "these 3 flows wait for each other:\n");
        assert_non_null(cycle);
        assert_null(strstr(cycle + 1, "these"));
        end_nodes();
    }
}
