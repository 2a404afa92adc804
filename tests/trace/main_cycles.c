/* SPDX-License-Identifier: MIT */
/* main_cycles.c - rings of up to three flows that wait for each other, in each way that a trace shows, and chains that
 * are no rings. Writes DIRECTORY/NUMBER.trace and DIRECTORY/NUMBER.dump of each.
 *
 *   cycles DIRECTORY */
#include "uflow/dump.h"
#include "uflow/recorder_file.h"
#include "uflow/uflow.h"

#include "runtime/cycles.h"

#include <stdlib.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1);                     \
    } while (0)

enum { MOST = 3, ROOM = 1 };

/* How a node waits for the next one. Asleep and HalfVacant close no cycle; Either waits for a flow that sleeps, too. */
static uf_status (*const starts[])(Node *) = {Node_start_Idle,   Node_start_Room,       Node_start_Run,
                                              Node_start_Vacant, Node_start_Empty,      Node_start_Either,
                                              Node_start_Asleep, Node_start_HalfVacant, Node_start_Arrived};
enum { WAYS = sizeof starts / sizeof *starts };

static void path_of(const char *directory, int number, const char *kind, char *path, size_t size)
{
    CHECK(snprintf(path, size, "%s/%d.%s", directory, number, kind) < (int)size);
}

static void write_ring(const char *directory, int number, int length, int ways)
{
    static const char *const names[] = {"a", "b", "c", "sleeper"};
    static Node nodes[MOST + 1];
    static uf_recorder recorder;
    static unsigned char memory[60000];
    uf_pump pump;
    int const item = 1;
    char path[4096];

    CHECK(uf_pump_init(&pump, &(uf_pump_config){.pool = NULL}) == UF_OK);
    CHECK(uf_recorder_attach(&recorder, &pump, memory, sizeof memory, 64) == UF_OK);
    for (int i = 0; i <= MOST; i++) CHECK(Node_init(&nodes[i], &pump, names[i]) == UF_OK);
    CHECK(Node_start_Asleep(&nodes[MOST]) == UF_OK);
    for (int i = 0, left = ways; i < length; i++, left /= WAYS) {
        nodes[i].next = &nodes[(i + 1) % length];
        nodes[i].other = &nodes[MOST];
        if (left % WAYS == ROOM) CHECK(uf_mailbox_send(&nodes[i].next->mail, &item) == UF_OK);
        (void)starts[left % WAYS](&nodes[i]); /* a node that another one runs is busy */
    }
    (void)uf_simulate_until(&pump, UF_MS(1));
    path_of(directory, number, "trace", path, sizeof path);
    CHECK(uf_recorder_save(&recorder, path));
    path_of(directory, number, "dump", path, sizeof path);
    FILE *const out = fopen(path, "w");
    CHECK(out && uf_pump_dump(&pump, out) == UF_OK && fclose(out) == 0);
    uf_pump_cancel_all(&pump);
    (void)uf_simulate_until(&pump, UF_MS(2));
    for (int i = 0; i <= MOST; i++) Node_destroy(&nodes[i]);
}

int main(int argc, char **argv)
{
    int number = 0, cases = 1;

    CHECK(argc == 2);
    for (int length = 1; length <= MOST; length++) {
        cases *= WAYS;
        for (int ways = 0; ways < cases; ways++) {
            if (length > 1 || ways > 0)
                write_ring(argv[1], number++, length, ways); /* a flow cannot wait for its end */
        }
    }
    return 0;
}
