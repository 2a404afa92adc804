/* SPDX-License-Identifier: MIT */
/* lines.c - the lines of the history that a report shows. */
#include "slot.h"
#include "texts.h"

#include <stdio.h>
#include <string.h>

/* How many lines before a disturbance are kept, and how many behind it. */
#define AROUND 3

static uft_entry *last_line(uft_slot *slot, uint32_t before)
{
    return &slot->history[(slot->line_count - 1 - before) % TEST_HISTORY];
}

/* What happens to many flows at once. Returns: 0: the line is about something else. */
static unsigned kind_of(const char *text)
{
    static const char *const ends[] = {"", " -> cancelled", " starts", " is paused", " is resumed"};
    size_t const length = strlen(text);
    unsigned kind = sizeof ends / sizeof ends[0];

    while (--kind > 0) {
        size_t const end = strlen(ends[kind]);
        if (length > end && strcmp(text + length - end, ends[kind]) == 0) break;
    }
    return kind;
}

static bool is_like(const uft_entry *line, uf_time time, const char *text)
{
    if (strncmp(line->text, text, sizeof line->text - 1) == 0) return true;
    return line->time == time && kind_of(text) && kind_of(line->text) == kind_of(text);
}

/* The oldest line makes room. */
static void push_out(uft_slot *slot, const uft_entry *oldest)
{
    if (oldest->is_kept && slot->kept_count < TEST_KEPT) slot->kept[slot->kept_count++] = *oldest;
    else slot->history[(slot->line_count + 1) % TEST_HISTORY].left_out += oldest->left_out + 1;
}

/* Of a row of equal lines, or of flows that are cancelled, paused, resumed or started at one time, the first one and
 * the last one remain. */
void uft_add_line(uft_slot *slot, uf_time time, const char *text)
{
    bool const in_row =
        slot->line_count > 1 && is_like(last_line(slot, 0), time, text) && is_like(last_line(slot, 1), time, text);

    if (slot->failed) return; /* what ends after a failure is not part of it */
    if (!in_row) {
        uft_entry *const line = &slot->history[slot->line_count % TEST_HISTORY];
        if (slot->line_count >= TEST_HISTORY) push_out(slot, line);
        slot->line_count++;
        line->left_out = 0;
        line->is_kept = slot->keeps_next > 0;
        slot->keeps_next -= line->is_kept;
    } else last_line(slot, 0)->left_out++;
    last_line(slot, 0)->time = time;
    (void)snprintf(last_line(slot, 0)->text, sizeof last_line(slot, 0)->text, "%s", text);
}

const uft_entry *uft_history_line(const uft_slot *slot, uint32_t at)
{
    uint32_t const count = slot->line_count < TEST_HISTORY ? slot->line_count : TEST_HISTORY;

    if (at < slot->kept_count) return &slot->kept[at];
    at -= slot->kept_count;
    return at < count ? &slot->history[(slot->line_count - count + at) % TEST_HISTORY] : NULL;
}

void uft_keep_note(uft_slot *slot, uf_time time, const char *text)
{
    slot->keeps_next = AROUND + 1;
    for (uint32_t i = 0; i < AROUND && i < slot->line_count; i++) last_line(slot, i)->is_kept = true;
    uft_add_line(slot, time, text);
}

void uft_clear_history(uft_slot *slot)
{
    slot->kept_count = slot->line_count = slot->keeps_next = 0;
}

size_t uft_line_text(const uft_entry *line, char *text, size_t size)
{
    char time[TEST_TIME_SIZE];

    (void)snprintf(text, size, "%s %s", uft_time_text(line->time, time), line->text);
    return strlen(text);
}

size_t uft_left_out_text(unsigned count, char *text, size_t size)
{
    (void)snprintf(text, size, "... %u more line%s ...", count, count == 1 ? "" : "s");
    return strlen(text);
}
