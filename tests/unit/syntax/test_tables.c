/* SPDX-License-Identifier: MIT */
/* test_tables.c - the tables of words, arms and targets agree. */
#include <string.h>

#include "../../cases.h"

#include "arms.h"
#include "intents.h"
#include "token.h"

static bool begins_arm(const char *word)
{
    return kind_is(token_kind_of(word, strlen(word)), IS_EVENT);
}

CASE(each_arm_with_a_form_begins_with_an_event_word)
{
    for (arm_kind kind = 0; kind <= ARM_NAME; kind++)
        if (*arm_infos[kind].form) assert_true(begins_arm(arm_infos[kind].word));
}

CASE(each_event_word_begins_an_arm)
{
    const char *words[WORDS_LIMIT];
    size_t const count = token_spellings(IS_EVENT, words);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], "first") == 0) continue; /* a run of the elements of an array */
        assert_int_not_equal(arm_of_word(words[i], strlen(words[i])), ARM_NAME);
    }
}

CASE(names_begin_no_arm)
{
    assert_int_equal(arm_of_word("signal", 6), ARM_NAME);
    assert_int_equal(arm_of_word("stop", 4), ARM_NAME);
    assert_int_equal(arm_of_word("stopping", 8), ARM_STOPPING);
}

CASE(each_outcome_has_an_intent_word_that_ends_a_path)
{
    for (outcome_kind kind = 0; kind < OUTCOME_KINDS; kind++) {
        const char *const word = outcome_infos[kind].word;
        assert_true(kind_is(token_kind_of(word, strlen(word)), IS_INTENT));
        assert_true(kind_is(token_kind_of(word, strlen(word)), ENDS_PATH));
    }
}

/* A source may hold any byte, so a text may hold a NUL. */
CASE(a_list_holds_whole_words_only)
{
    assert_true(text_is_one_of("in", 2, "expect in"));
    assert_true(text_is_one_of("expect;", 6, "expect in"));
    assert_false(text_is_one_of("", 0, "expect in"));
    assert_false(text_is_one_of("exp", 3, "expect in"));
    assert_false(text_is_one_of("\0", 1, "expect in"));
    assert_false(text_is_one_of("in\0 and more", 12, "expect in"));
}
