/* SPDX-License-Identifier: MIT */
/* choose.c - uf_choose(): numbers that C code of a test asks for. Its site is the line of the call. */
#include "run.h"

#include <stdio.h>
#include <string.h>

/* The name of the site: a line of the test's file, `LINE.2` if a row stands there, or `FILE:LINE`. */
static uint32_t new_site(uft_disturber *disturber, const char *file, uint32_t line)
{
    const char *const shown = uft_shown(file);
    char name[TEST_SITE_NAME];

    if (strcmp(shown, uft_line(line).file) != 0) {
        (void)snprintf(name, sizeof name, "%.*s:%u", (int)sizeof name - 12, shown, (unsigned)line);
        return uft_find_site(disturber->sites, name);
    }
    unsigned const before = uft_rows_before(disturber, line, 0);
    (void)snprintf(name, sizeof name, before ? "%u.%u" : "%u", (unsigned)line, before + 1);
    return uft_find_site(disturber->sites, name);
}

static uint32_t find_site(uft_disturber *disturber, const char *file, uint32_t line)
{
    uft_call *const calls = disturber->calls;

    for (uint32_t i = 0; i < disturber->call_count; i++)
        if (calls[i].line == line && calls[i].file == file) return calls[i].site;
    uint32_t const site = new_site(disturber, file, line);
    if (disturber->call_count < TEST_SITES) calls[disturber->call_count++] = (uft_call){file, line, site};
    return site;
}

/* Returns: a number below `options`; 0: undisturbed. */
static uint32_t ask(int64_t options, const char *file, uint32_t line)
{
    uft_disturber *const disturber = uft_disturber_now();

    if (!disturber || options < 2) return 0;
    uint32_t const site = find_site(disturber, file, line);
    bool const is_quiet = uf_pump_now(disturber->pump) > disturber->loud_until;
    if (site == TEST_SITES) {
        disturber->choices.is_full = true;
        return 0;
    }
    return uft_ask(&disturber->choices, site,
                   is_quiet               ? 1
                   : options < UINT16_MAX ? (uint32_t)options
                                          : UINT16_MAX,
                   true);
}

static void tell(const char *call, int value, const char *file, uint32_t line)
{
    uft_disturber *const disturber = uft_disturber_now();
    uint32_t const site = find_site(disturber, file, line);

    uft_tell(disturber, "%s, line %s: the number of call %u is %d", call, disturber->sites->list[site].name,
             (unsigned)disturber->choices.asked[site], value);
}

int uf_test_choose(int n, const char *file, uint32_t line)
{
    int const number = (int)ask(n, file, line);

    if (number) tell("uf_choose", number, file, line);
    return number;
}

/* The numbers of a range, by their distance from the one that is normal: 3, 4, 2, 5, 1, 6, 7. */
static int number_at(int64_t place, int64_t normal, int64_t below, int64_t above)
{
    int64_t const both = below < above ? below : above, beyond = place - both;

    if (beyond > both) return (int)(above > below ? normal + beyond : normal - beyond);
    return (int)(place % 2 ? normal + (place + 1) / 2 : normal - place / 2);
}

int uf_test_choose_between(int a, int b, const char *file, uint32_t line)
{
    int const normal = a > 0 ? a : b < 0 ? b : 0;

    if (!uft_line(line).file) return 0;
    uint32_t const place = ask((int64_t)b - a + 1, file, line);
    if (place == 0) return normal;
    int const number = number_at(place, normal, (int64_t)normal - a, (int64_t)b - normal);
    tell("uf_choose_between", number, file, line);
    return number;
}
