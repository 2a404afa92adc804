/* SPDX-License-Identifier: MIT */
/* keep.h - records: what is kept of a durable flow, by name. Of a record that is read, nothing is believed. */
#ifndef UFLOW_KEEP_H
#define UFLOW_KEEP_H

#include "durable/cbor.h"
#include "flows/flows.h"
#include "uflow/generated/durable.h"

static inline uf_durable *ufi_durable(const uf_flow *flow)
{
    return (uf_durable *)(void *)((uintptr_t)flow + UF_FLOW_SIZE);
}

/* Does the type of the flow have a uf_durable? */
static inline bool ufi_is_durable(const uf_flow *flow)
{
    return flow->type->preempting == &uf_durable_preempting;
}

/* What of a record does not fit, by the name that it has there. Neither `what` nor `kept`: the record is damaged. */
typedef struct ufi_misfit {
    const char *what; /* "the task", which the program does not have */
    const char *name; /* not ended by a NUL */
    size_t length;
    const char *kept, *declared; /* of a value: "whole number", "float" */
} ufi_misfit;

/* -- values.c ------------------------------------------------------------------------------------------------------ */

/* A map of all rows; of those of one task or step. */
void ufi_values_write(ufi_cbor_out *out, const uf_kept_row *rows, unsigned count, const uint8_t *base);
void ufi_values_write_of(ufi_cbor_out *out, const uf_kept_row *rows, unsigned count, unsigned place,
                         const uint8_t *base);

/* Reads a map; `place` < 0: of all rows. With NULL for `to` it only checks. */
bool ufi_values_read(ufi_cbor_in *in, const uf_kept_row *rows, unsigned count, int place, uint8_t *to,
                     ufi_misfit *misfit);
bool ufi_values_is_text(const ufi_cbor_item *item);
bool ufi_values_read_text(const ufi_cbor_item *item, uint8_t *to, size_t size);

/* -- keep.c -------------------------------------------------------------------------------------------------------- */

/* The run of the member that the flow is a part of; 0: it is none. */
static inline uint32_t ufi_keep_within(const uf_flow *flow)
{
    const uf_flow *const member = UF_USES_POOLS && flow->rare_flags & UFI_IN_MEMBER ? ufi_member_around(flow) : NULL;
    return member ? member->run : 0;
}

/* The row of the innermost group that the flow is in, counted from 1; 0: none. */
uint16_t ufi_keep_group(const uf_flow *flow);

/* Writes the record of a flow at this moment. A run that `runs` is at its current step, whose task was `entered`; else
 * it has ended, or none has begun. Another thread may claim an idle flow meanwhile: `state` is from before. */
void ufi_keep_write(ufi_cbor_out *out, const uf_flow *flow, uint32_t state, bool runs, bool entered);

/* Writes the record of the time alone. */
void ufi_keep_write_time(ufi_cbor_out *out, uf_time time);

/* A record that was read. The texts are those of the type, NULL: the program has none of that name. */
typedef struct ufi_kept {
    ufi_cbor_in map;
    uint64_t pairs;
    uint64_t run, ordinal, restored, outcome;
    uint64_t untaken, taken; /* 0: there is no end to take; it is not taken */
    uint64_t within;         /* of a part of a member: the run of that; 0: it is none */
    int64_t time, wall, since;
    bool has_wall, runs, entered, owned;
    uint16_t step, group; /* of the type; group: counted from 1; 0: none */
    char owner[UF_STORE_PATH_SIZE];
    uint64_t owner_run, owner_ordinal;
    int64_t owner_arm;
} ufi_kept;

/* Reads and checks a record against the type of a flow. Nothing changes. Returns: false, and what does not fit. */
bool ufi_keep_check(ufi_kept *kept, const uf_flow *flow, const void *bytes, size_t size, ufi_misfit *misfit);

/* Reads what does not depend on a type: the run and its outcome, and the times. Returns: false if it is damaged. */
bool ufi_keep_read_head(ufi_kept *kept, const void *bytes, size_t size);

/* Reads a record of the time. Returns: false if it is damaged. */
bool ufi_keep_read_time(const void *bytes, size_t size, uf_time *time);

/* Stores what was checked: the fields; of a run that goes on also the task, the arguments and the timeouts. */
void ufi_keep_read_fields(const ufi_kept *kept, uf_flow *flow);
void ufi_keep_read_task(const ufi_kept *kept, uf_flow *flow);
void ufi_keep_read_timeouts(const ufi_kept *kept, uf_flow *flow);

#endif
