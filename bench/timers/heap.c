/* W7, for comparison: the same deadlines through a binary heap of records. */
#define BENCH_USAGE "[timers [rounds]]"

#include "bench.h"

typedef struct record {
    int64_t deadline;
    size_t index;
} record;

static void sift_up(record *heap, size_t at)
{
    for (record const moving = heap[at]; at > 0; at = (at - 1) / 2) {
        size_t const parent = (at - 1) / 2;
        if (heap[parent].deadline <= moving.deadline) {
            heap[at] = moving;
            return;
        }
        heap[at] = heap[parent];
        heap[parent] = moving;
    }
}

static void sift_down(record *heap, size_t count)
{
    size_t at = 0;
    record const moving = heap[0];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && heap[child + 1].deadline < heap[child].deadline) child++;
        if (heap[child].deadline >= moving.deadline) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moving;
}

/* Sets all timers, and takes them from the heap in their order. */
static void run(record *heap, uint8_t *fired, size_t timers, uint32_t *random)
{
    for (size_t i = 0; i < timers; i++) {
        heap[i] = (record){(int64_t)(bench_random(random) % 1000000 + 1) * 1000, i};
        sift_up(heap, i);
    }
    for (size_t left = timers; left > 0; left--) {
        fired[heap[0].index] = 1;
        heap[0] = heap[left - 1];
        if (left > 1) sift_down(heap, left - 1);
    }
}

int main(int argc, char **argv)
{
    size_t const timers = bench_number(argc, argv, 1, 100000);
    uint64_t const rounds = bench_number(argc, argv, 2, 1);
    record *const heap = bench_memory(timers, sizeof *heap);
    uint8_t *const fired = bench_memory(timers, 1);
    uint32_t random = 1;
    int64_t spent = 0;

    for (uint64_t n = 0; n < rounds; n++) {
        int64_t const began = bench_begin();
        run(heap, fired, timers, &random);
        spent += bench_end() - began;
        for (size_t i = 0; i < timers; i++) {
            BENCH_CHECK(fired[i]);
            fired[i] = 0;
        }
    }
    bench_report(0, spent, timers * rounds);
    return 0;
}
