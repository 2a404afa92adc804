/* SPDX-License-Identifier: MIT */
/* test_sections.c - which mutex of the POSIX port is whose: runtimes that share nothing must seldom share one. */
#include "posix.c" /* first: it chooses the version of POSIX */

#include <string.h>

#include "../../cases.h"

static int subjects_at(uintptr_t stride, int count)
{
    static bool used[SECTIONS];
    int sections_used = 0;

    memset(used, 0, sizeof used);
    for (int i = 0; i < count; i++) {
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): an address that is not read */
        pthread_mutex_t const *const mutex = section_of((const void *)(UINT32_C(0x1000) + stride * (uintptr_t)i));
        size_t const at = (size_t)((const char *)mutex - (const char *)sections) / sizeof *sections;
        sections_used += !used[at];
        used[at] = true;
    }
    return sections_used;
}

/* Random ones would use 63 % of the sections with as many subjects, and 94 % of the count with an eighth. */
CASE(test_subjects_are_spread)
{
    static uintptr_t const strides[] = {16,   48,   64,   112,     256,     400,     1024,
                                        4096, 6656, 8192, 1 << 16, 1 << 17, 1 << 21, 1 << 26};
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        assert_in_range(subjects_at(strides[i], SECTIONS), SECTIONS / 2, SECTIONS);
        assert_in_range(subjects_at(strides[i], SECTIONS / 8), SECTIONS / 8 * 3 / 4, SECTIONS / 8);
    }
}

/* Otherwise two CPUs that lock two mutexes write one line. */
CASE(test_each_mutex_has_its_cache_line)
{
    assert_int_equal((uintptr_t)sections % 64, 0);
    assert_int_equal(sizeof *sections % 64, 0);
}
