/* W1 to W3, the limit: the least C that has a state and a dispatch, at uflow's stride.
 * chain_limit [machines [transitions of all [idle machines]]]. */
#include <stdbool.h>

#include "bench.h"
#include "chain.h"

typedef struct machine {
    uint64_t left;
    uint32_t state;
    char rest[sizeof(Chain) - 16]; /* the same stride, so that the caches are as busy */
} machine;

/* Of its own, so that the compiler cannot fold the ring into a loop. */
__attribute__((noinline)) static bool turn(machine *m)
{
    switch (m->state) {
    case 0: if (m->left-- == 0) return false; m->state = 1; return true;
    case 1: if (m->left-- == 0) return false; m->state = 2; return true;
    case 2: if (m->left-- == 0) return false; m->state = 3; return true;
    default: if (m->left-- == 0) return false; m->state = 0; return true;
    }
}

int main(int argc, char **argv)
{
    size_t const machines = bench_number(argc, argv, 1, 1);
    uint64_t const each = bench_number(argc, argv, 2, 20000000) / machines;
    size_t const idle = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    machine *const all = bench_memory(machines + idle, sizeof *all);

    for (size_t i = 0; i < machines; i++) all[i].left = each;
    int64_t const began = bench_now();
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < machines; i++) more |= turn(&all[i]);
    }
    bench_report(began, each * machines);
    return 0;
}
