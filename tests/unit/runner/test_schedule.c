/* SPDX-License-Identifier: MIT */
/* test_schedule.c - the text of schedules. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uft_sites sites;
static uft_schedule schedule;

static void begin(void)
{
    memset(&sites, 0, sizeof sites);
    (void)uft_find_site(&sites, "25");
    (void)uft_find_site(&sites, "late");
    sites.list[0].has_moments = true;
}

CASE(a_text_is_read_and_written)
{
    static const struct {
        const char *read, *written;
    } texts[] = {{"", ""},
                 {"25@12", "25@12"},
                 {"25@12=2", "25@12+"},
                 {"late@30=2,25@12+", "25@12+,late@30=2"},
                 {"late@9,late@10=65535,25@2147483647=3", "25@2147483647=3,late@9,late@10=65535"},
                 {"25.2@1=1", "25.2@1"},
                 {"read_sensor@3=2", "read_sensor@3=2"}};
    char text[TEST_SCHEDULE_SIZE];

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        begin();
        assert_null(uft_read_schedule(&schedule, &sites, texts[i].read));
        assert_int_equal(uft_write_schedule(&schedule, &sites, text, sizeof text), strlen(texts[i].written));
        assert_string_equal(text, texts[i].written);
    }
}

CASE(a_wrong_text_is_refused_at_its_place)
{
    static const struct {
        const char *text;
        size_t at;
    } texts[] = {{"25", 0},
                 {"@1", 0},
                 {"25@", 0},
                 {"25@0", 0},
                 {"25@-1", 0},
                 {"25@1,", 0},
                 {",25@1", 0},
                 {"25@1x", 0},
                 {"25@1=", 0},
                 {"25@1=0", 0},
                 {"25@1=65536", 0},
                 {"25@1++", 0},
                 {"25@1, late@1", 5},
                 {"25@2147483648", 0},
                 {"25@99999999999999999999999", 0},
                 {"25@1,25@1+", 5},
                 {"a_name_of_more_than_forty_seven_characters_is_none@1", 0}};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        begin();
        const char *const wrong = uft_read_schedule(&schedule, &sites, texts[i].text);
        if (!wrong) fail_msg("%s is accepted", texts[i].text);
        assert_int_equal(wrong - texts[i].text, texts[i].at);
    }
}

CASE(the_longest_schedule_fits)
{
    char text[TEST_SCHEDULE_SIZE], again[TEST_SCHEDULE_SIZE], name[TEST_SITE_NAME];
    uft_schedule read;

    memset(&sites, 0, sizeof sites);
    schedule.count = 0;
    for (unsigned i = 0; i < UF_TEST_CHOICES; i++) {
        memset(name, 'a', sizeof name);
        (void)snprintf(name + sizeof name - 3, 3, "%02u", i % TEST_SITES);
        schedule.choices[schedule.count++] = (uft_choice){(uint16_t)uft_find_site(&sites, name), UINT16_MAX, INT32_MAX};
    }
    assert_in_range(uft_write_schedule(&schedule, &sites, text, sizeof text), 1, sizeof text - 1);
    assert_null(uft_read_schedule(&read, &sites, text));
    (void)uft_write_schedule(&read, &sites, again, sizeof again);
    assert_string_equal(text, again);
    /* A text that is cut is one, too. */
    assert_int_equal(uft_write_schedule(&schedule, &sites, again, 10), strlen(text));
    assert_int_equal(strlen(again), 9);
    assert_memory_equal(again, text, 9);
    /* One disturbance more is too many. */
    (void)snprintf(text + strlen(text), 8, ",25@1");
    assert_non_null(uft_read_schedule(&read, &sites, text));
}

CASE(a_full_table_has_no_new_site)
{
    char name[TEST_SITE_NAME];

    memset(&sites, 0, sizeof sites);
    for (unsigned i = 0; i < TEST_SITES; i++) {
        (void)snprintf(name, sizeof name, "%u", i + 1);
        assert_int_equal(uft_find_site(&sites, name), i);
    }
    assert_int_equal(uft_find_site(&sites, "3"), 2);
    assert_int_equal(uft_find_site(&sites, "late"), TEST_SITES);
    assert_non_null(uft_read_schedule(&schedule, &sites, "late@1"));
}
