/* SPDX-License-Identifier: MIT */
/* files.c - the generated files that have announced their tests. */
#include "mutants.h"
#include "run.h"

#include "uflow/checkpoint.h"

#include <string.h>

static uf_test_file *first, **end = &first;

void uf_test_register(uf_test_file *file)
{
    for (const uf_test_file *other = first; other; other = other->next)
        if (other == file) return;
    file->next = NULL;
    *end = file;
    end = &file->next;
}

const uf_test_file *uft_next_file(const uf_test_file *after)
{
    return after ? after->next : first;
}

/* The last `parts` parts of a path. */
static const char *tail(const char *path, unsigned parts)
{
    const char *at = path + strlen(path);

    while (at > path) {
        if ((at[-1] == '/' || at[-1] == '\\') && --parts == 0) break;
        at--;
    }
    return at;
}

/* Are these two files, with the same end of the path? */
static bool are_alike(const char *file, const char *other, unsigned parts)
{
    return strcmp(other, file) != 0 && strcmp(tail(other, parts), tail(file, parts)) == 0;
}

static bool is_another(const char *file, unsigned parts)
{
    for (const uf_test_file *other = first; other; other = other->next)
        if (are_alike(file, other->file, parts)) return true;
    for (const uf_mutant_file *other = NULL; (other = uft_next_mutants(other)) != NULL;)
        if (are_alike(file, other->file, parts)) return true;
    return false;
}

const char *uft_shown(const char *file)
{
    unsigned parts = 1;

    while (is_another(file, parts) && tail(file, parts) != file) parts++;
    return tail(file, parts);
}

/* -- signals and checkpoints --------------------------------------------------------------------------------------- */

void uft_reset_points(void)
{
    for (const uf_test_file *file = first; file; file = file->next) {
        for (uint32_t i = 0; i < file->point_count; i++) {
            uf_test_point const *const point = &file->points[i];
            for (uint32_t j = 0; j < point->count; j++) {
                if (point->is_checkpoint) uf_checkpoint_init((uf_checkpoint *)point->first + j, point->name);
                else uf_signal_init((uf_signal *)point->first + j, point->name);
            }
        }
    }
}

static bool is_armed(const uf_checkpoint *checkpoint)
{
    return uf_checkpoint_state(checkpoint) != UF_CHECKPOINT_UNARMED;
}

static const char *armed_point(void)
{
    for (const uf_test_file *file = first; file; file = file->next) {
        for (uint32_t i = 0; i < file->point_count; i++) {
            uf_test_point const *const point = &file->points[i];
            if (!point->is_checkpoint) continue;
            for (uint32_t j = 0; j < point->count; j++)
                if (is_armed((const uf_checkpoint *)point->first + j)) return point->name;
        }
    }
    return NULL;
}

/* The table of a flow's parts says where they are, but not which of them are checkpoints. A checkpoint knows its
 * distance from its flow. */
static bool is_checkpoint(const uf_flow *flow, size_t at)
{
    uf_checkpoint const *const checkpoint = (const uf_checkpoint *)((uintptr_t)flow + at);
    return at % sizeof(void *) == 0 && checkpoint->flow_offset != 0 && checkpoint->flow_offset == at / sizeof(void *) &&
           checkpoint->held.name != NULL;
}

const char *uft_armed_checkpoint(const uf_flow *flow)
{
    if (!flow) return armed_point();
    for (unsigned i = 0; i < flow->type->kept_count; i++) {
        uf_kept const *const part = &flow->type->kept[i];
        if (part->close || (part->to - part->from) % sizeof(uf_checkpoint) != 0) continue;
        for (size_t at = part->from; at < part->to; at += sizeof(uf_checkpoint)) {
            uf_checkpoint const *const checkpoint = (const uf_checkpoint *)((uintptr_t)flow + at);
            if (is_checkpoint(flow, at) && is_armed(checkpoint)) return checkpoint->held.name;
        }
    }
    return NULL;
}
