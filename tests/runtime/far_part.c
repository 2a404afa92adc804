/* SPDX-License-Identifier: MIT */
/* far_part.c - the init of a flow refuses a sub-flow that lies farther from it than `parent_offset` can record. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "uflow/generated.h"
#include "uflow/simulate.h"

enum { SKIPPED = 77 };

static const size_t limit = UF_PARENT_IS_POOL * sizeof(void *); /* the first distance that does not fit */

static int wrong;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                     \
            wrong++;                                                                                                   \
        }                                                                                                              \
    } while (0)

static uf_intent never(uf_flow *flow, uint32_t state)
{
    (void)flow, (void)state;
    return uf_stay();
}

static const uf_flow_type leaf_type = {.abi = UF_ABI, .name = "Leaf", .size = sizeof(uf_flow), .turn = never};
static uf_flow_type whole_type = {.abi = UF_ABI, .name = "Whole", .turn = never, .cleared = sizeof(uf_flow)};

/* Does the same as generated code. */
static uf_status init_whole(uf_flow *whole, uf_flow *part, uf_pump *pump)
{
    memset(whole, 0, sizeof *whole);
    memset(part, 0, sizeof *part);
    CHECK(uf_flow_init(whole, &whole_type, pump, "whole") == UF_OK);
    uf_status const ready = uf_part(whole, part, uf_flow_init(part, &leaf_type, pump, "leaf"));
    if (ready != UF_OK) CHECK(uf_flow_detach(whole) == UF_OK);
    return ready;
}

int main(void)
{
    static uf_pump pump;
    char path[32];

    whole_type.size = limit + sizeof(uf_flow);
    char *const room =
        mmap(NULL, whole_type.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return SKIPPED;
    uf_flow *const whole = (uf_flow *)(void *)room;
    uf_flow *const far = (uf_flow *)(void *)(room + limit);
    uf_flow *const near = (uf_flow *)(void *)(room + limit - sizeof(void *));

    CHECK(uf_pump_init(&pump, NULL) == UF_OK);
    CHECK(init_whole(whole, far, &pump) == UF_INVALID);
    CHECK(uf_flow_pump(far) == NULL && uf_flow_pump(whole) == NULL);
    CHECK(uf_pump_next_flow(&pump, NULL) == NULL);

    CHECK(init_whole(whole, near, &pump) == UF_OK);
    CHECK(uf_flow_path(near, path, sizeof path) == strlen("whole.leaf") && strcmp(path, "whole.leaf") == 0);
    CHECK(uf_flow_detach(whole) == UF_OK && uf_flow_pump(near) == NULL);

    CHECK(uf_flow_init(far, &leaf_type, &pump, "leaf") == UF_OK);
    uf_flow_set_parent(far, whole); /* is not recorded */
    CHECK(uf_flow_path(far, path, sizeof path) == strlen("leaf"));
    CHECK(uf_flow_detach(far) == UF_OK);
    CHECK(uf_pump_destroy(&pump) == UF_OK);
    return wrong != 0;
}
