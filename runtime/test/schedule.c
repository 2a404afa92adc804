/* SPDX-License-Identifier: MIT */
/* schedule.c - schedules and their text. */
#include "schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t uft_find_site(uft_sites *sites, const char *name)
{
    uint32_t at = 0;

    while (at < sites->count && strcmp(sites->list[at].name, name) != 0) at++;
    if (at < sites->count || at == TEST_SITES) return at;
    sites->list[at] = (uft_site){.most = UF_TEST_CHOICES};
    (void)snprintf(sites->list[at].name, TEST_SITE_NAME, "%s", name);
    return sites->count++;
}

uint32_t uft_answer(const uft_schedule *schedule, uint32_t site, uint32_t count)
{
    for (uint32_t i = 0; i < schedule->count; i++)
        if (schedule->choices[i].site == site && schedule->choices[i].count == count)
            return schedule->choices[i].number;
    return 0;
}

/* Reads a number from 1 to `most`. Returns: the text behind it; NULL: there is none. */
static const char *read_number(const char *text, uint32_t most, uint32_t *number)
{
    char *end;

    if (*text < '1' || *text > '9') return NULL;
    unsigned long long const value = strtoull(text, &end, 10);
    *number = (uint32_t)value;
    return value <= most ? end : NULL;
}

/* Reads `SITE@COUNT`, with `+` or `=NUMBER` behind it. Returns: the text behind it; NULL: it is something else. */
static const char *read_choice(uft_schedule *schedule, uft_sites *sites, const char *text)
{
    char name[TEST_SITE_NAME];
    uint32_t count, number = 1;
    size_t const length = strcspn(text, "@, ");

    if (length == 0 || length >= sizeof name || text[length] != '@' || schedule->count == UF_TEST_CHOICES) return NULL;
    memcpy(name, text, length);
    name[length] = '\0';
    const char *at = read_number(text + length + 1, INT32_MAX, &count);
    if (at && *at == '+') {
        number = 2;
        at++;
    } else if (at && *at == '=') {
        at = read_number(at + 1, UINT16_MAX, &number);
    }
    uint32_t const site = at ? uft_find_site(sites, name) : TEST_SITES;
    if (site == TEST_SITES || uft_answer(schedule, site, count) != 0) return NULL;
    schedule->choices[schedule->count++] = (uft_choice){(uint16_t)site, (uint16_t)number, count};
    return at;
}

const char *uft_read_schedule(uft_schedule *schedule, uft_sites *sites, const char *text)
{
    schedule->count = 0;
    while (*text) {
        const char *const end = read_choice(schedule, sites, text);
        if (!end || (*end && *end != ',') || (*end && !end[1])) return text;
        text = end + (*end == ',');
    }
    return NULL;
}

static int compare(const void *a, const void *b)
{
    uft_choice const *const x = a, *const y = b;

    if (x->site != y->site) return x->site < y->site ? -1 : 1;
    return x->count < y->count ? -1 : x->count > y->count;
}

size_t uft_write_schedule(const uft_schedule *schedule, const uft_sites *sites, char *text, size_t size)
{
    uft_schedule sorted = *schedule;
    size_t length = 0;

    qsort(sorted.choices, sorted.count, sizeof *sorted.choices, compare);
    if (size) *text = '\0';
    for (uint32_t i = 0; i < sorted.count; i++) {
        uft_choice const *const choice = &sorted.choices[i];
        uft_site const *const site = &sites->list[choice->site];
        char number[16] = "";
        if (site->has_moments && choice->number == 2) (void)strcpy(number, "+");
        else if (choice->number > 1) (void)snprintf(number, sizeof number, "=%u", (unsigned)choice->number);
        length += (size_t)snprintf(length < size ? text + length : NULL, length < size ? size - length : 0, "%s%s@%u%s",
                                   i ? "," : "", site->name, (unsigned)choice->count, number);
    }
    return length;
}
