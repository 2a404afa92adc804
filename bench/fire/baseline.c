/* SPDX-License-Identifier: MIT */
/* W4, firing, the baseline: pushes a node onto a stack that is shared between threads. */
#define BENCH_USAGE "[nodes [times]]"

#include "bench.h"
#include "listener.h"

typedef struct node {
    struct node *next;
    char rest[sizeof(Listener) - sizeof(void *)];
} node;

static node *inbox;
static uint32_t asleep;

__attribute__((noinline)) static void push(node *n)
{
    n->next = __atomic_load_n(&inbox, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&inbox, &n->next, n, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {}
    if (__atomic_load_n(&asleep, __ATOMIC_SEQ_CST)) abort();
}

int main(int argc, char **argv)
{
    size_t const nodes = bench_number(argc, argv, 1, 1000);
    uint64_t const times = bench_number(argc, argv, 2, 1000);
    node *const all = bench_memory(nodes, sizeof *all);
    int64_t spent = 0;

    for (uint64_t n = 0; n < times; n++) {
        int64_t const began = bench_begin();
        for (size_t i = 0; i < nodes; i++) push(&all[i]);
        spent += bench_end() - began;
        size_t count = 0;
        for (node const *at = __atomic_exchange_n(&inbox, NULL, __ATOMIC_ACQUIRE); at; at = at->next) count++;
        BENCH_CHECK(count == nodes);
    }
    bench_report(0, spent, times * nodes);
    return 0;
}
