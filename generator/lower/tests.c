/* SPDX-License-Identifier: MIT */
/* Lowers tests: what they claim, the parts that a runner calls, and each `in(Flow.Task.Step, &flow)`. */
#include <ctype.h>
#include <string.h>

#include "body.h"
#include "words.h"

/* -- claims: `expect(C)`, `always (C)` ----------------------------------------------------------------------------- */

/* The text as a report shows it: tokens on one line, without comments. */
static const char *on_one_line(arena *a, token_range range)
{
    span const all = range_span(range);
    char *const text = ARENA_ARRAY(a, char, (size_t)(all.end - all.begin) + 1);
    size_t length = 0;
    for (uint32_t i = range.first; i < range.end; i++) {
        const token *const t = &range.list->items[i];
        if (i > range.first && t[-1].end < t->begin) text[length++] = ' ';
        memcpy(text + length, all.in->text + t->begin, t->end - t->begin);
        length += t->end - t->begin;
    }
    return text;
}

/* A `&` between two operands. */
static bool is_and_of_bits(token_range in, uint32_t at)
{
    if (!token_is(in.list, at, "&") || at == in.first) return false;
    size_t length;
    char const first = *token_text(in.list, at - 1, &length);
    return token_has(in.list, at - 1, IS_NAME | CLOSES_BRACKET) || isdigit((unsigned char)first) || first == '\'';
}

/* The operator that is applied last, if it compares; `in.end`: it does not. */
static uint32_t find_comparison(token_range in)
{
    uint32_t equality = in.end, order = in.end;
    for (uint32_t i = in.first; i < in.end; i++) {
        if (token_has(in.list, i, OPENS_BRACKET)) i = closing_bracket(in, i);
        if (i >= in.end || token_is_one_of(in.list, i, ", ? || && | ^ = += -= *= /= %= &= |= ^= <<= >>=") ||
            is_and_of_bits(in, i))
            return in.end;
        if (token_is_one_of(in.list, i, "== !=")) equality = i;
        if (token_is_one_of(in.list, i, "< > <= >=")) order = i;
    }
    return equality < in.end ? equality : order;
}

/* Literals, and names in capitals, which are macros and enumerators: the C compiler may treat a copy otherwise. */
static bool is_constant(token_range side)
{
    for (uint32_t i = side.first; i < side.end; i++) {
        if (token_has(side.list, i, IS_ACCESS)) return false;
        bool const is_of_c = side.list->items[i].flags & TOKEN_WORDS_OF_C;
        if (token_is_name(side.list, i) && !is_of_c && !token_in_capitals(side.list, i)) return false;
    }
    return true;
}

/* The parts between commas outside of brackets. */
static ir_range split_at_commas(lowering *l, token_range text)
{
    uint32_t const first = l->unit->text_count;
    for (token_range rest = text; !range_empty(rest);) {
        uint32_t const end = find_outside(rest, ",");
        TABLE_ADD(l, texts, text_count, lower_text((token_range){rest.list, rest.first, end}));
        rest.first = end + 1;
    }
    return (ir_range){first, l->unit->text_count - first};
}

/* Does it name a duration, `30s` or `UF_S(30)`? */
static bool names_duration(token_range side)
{
    for (uint32_t i = side.first; i < side.end; i++) {
        if (token_is_time(side.list, i) || token_is_one_of(side.list, i, "UF_US UF_MS UF_S")) return true;
    }
    return false;
}

static void lower_claim(lowering *l, token_range text)
{
    ir_claim claim = {.at = range_span(text), .text = on_one_line(l->arena, text)};
    uint32_t const at = find_comparison(text);
    token_range const left = {text.list, text.first, at}, right = {text.list, at + 1, text.end};
    bool const compares =
        at < text.end && !range_empty(left) && !range_empty(right) && !(is_constant(left) && is_constant(right));
    if (compares) {
        claim.is_time = names_duration(text);
        claim.left = range_span(left);
        claim.right = range_span(right);
        claim.operation = token_intern(l->arena, text.list, at);
        claim.left_text = is_constant(left) ? NULL : on_one_line(l->arena, left);
        claim.right_text = is_constant(right) ? NULL : on_one_line(l->arena, right);
    }
    if (!compares) claim.values = split_at_commas(l, text);
    TABLE_ADD(l, claims, claim_count, claim);
}

/* `a && b` is one claim for each of them, unless a weaker operator is around the `&&`. */
static ir_range lower_claims(lowering *l, token_range text)
{
    static const char *const weaker[] = {",", "?", "||", "=", "+=", "-=", "|=", "&="};
    uint32_t const first = l->unit->claim_count;
    bool splits = true;
    for (size_t i = 0; i < sizeof weaker / sizeof *weaker; i++)
        splits = splits && find_outside(text, weaker[i]) == text.end;
    while (splits) {
        uint32_t const end = find_outside(text, "&&");
        if (end == text.end || end == text.first) break;
        lower_claim(l, (token_range){text.list, text.first, end});
        text.first = end + 1;
    }
    lower_claim(l, text);
    return (ir_range){first, l->unit->claim_count - first};
}

/* A report has the whole text, and which part is wrong. */
ir_range lower_expect(lowering *l, token_range text)
{
    const char *const whole = on_one_line(l->arena, text);
    ir_range const claims = lower_claims(l, text);
    for (uint32_t i = 0; claims.count > 1 && i < claims.count; i++) {
        ir_claim *const claim = &l->unit->claims[claims.first + i];
        claim->at = range_span(text);
        claim->text = claim->operation ? whole : ARENA_CONCAT(l->arena, whole, ": ", claim->text, " is false");
    }
    return claims;
}

/* -- tests --------------------------------------------------------------------------------------------------------- */

static ir_hook lower_hook(lowering *l, const ast_hook *from)
{
    const hook_info *const info = &hook_infos[from->kind];
    ir_hook hook = {.kind = from->kind, .at = from->at, .text = ""};
    hook.duration = lower_duration(&from->duration);
    if (info->form == HOOK_IS_BLOCK) hook.body = lower_handler(l, &from->body);
    if (info->form != HOOK_IS_CLAIM) return hook;
    token_range const condition = from->body.first->text;
    hook.text = on_one_line(l->arena, condition);
    if (from->kind == HOOK_ALWAYS) hook.claims = lower_claims(l, condition);
    else hook.condition = range_span(condition);
    return hook;
}

/* How many schedules, as C. */
static const char *schedules_of(lowering *l, const ast_test *test)
{
    token_range const text = test->schedules;
    if (range_empty(test->explore)) return "UF_TEST_PLAIN";
    if (range_empty(text)) return "UF_TEST_SOME";
    const char *const number = token_intern(l->arena, text.list, text.first);
    return token_is(text.list, text.first, "all") ? "UF_TEST_EXPLORES" : number;
}

void lower_test(lowering *l, const ast_flow *from, uint32_t flow)
{
    const ast_test *const test = from->test;
    uint32_t const first = l->unit->hook_count;
    for (const ast_hook *hook = test->hooks; hook; hook = hook->next) {
        ir_hook const lowered = lower_hook(l, hook);
        TABLE_ADD(l, hooks, hook_count, lowered);
    }
    TABLE_ADD(l, tests, test_count,
              (ir_test){.name = test->name.name,
                        .at = from->at,
                        .flow = flow,
                        .within = lower_duration(&test->within),
                        .history = lower_text(test->history),
                        .schedules = schedules_of(l, test),
                        .hooks = {first, l->unit->hook_count - first}});
}

/* -- places -------------------------------------------------------------------------------------------------------- */

static const char *place_text(lowering *l, const ast_place *place)
{
    const ast_task *task = place->flow->tasks;
    const ast_group *group = place->flow->groups;
    uint32_t steps = 0, groups = place->row;
    for (; task && task->index < place->row; task = task->next, groups--) {
        for (const ast_step *step = task->steps; step; step = step->next) steps++;
    }
    while (!task && group->index < groups) group = group->next;
    const char *const step = place->step ? arena_printf(l->arena, "%u /* %s */", (unsigned)(steps + place->step->index),
                                                        place->step->name.name)
                                         : "UF_NO_STEP";
    return arena_printf(l->arena, "UF_TEST_IN(%s, %u /* %s */, %s,", place->flow->name.name, (unsigned)place->row,
                        task ? task->name.name : group->name.name, step);
}

void lower_changes(lowering *l, const ast_file *file)
{
    const ast_flow *test = file->tests;
    const ast_place *place = test ? test->test->places : NULL;
    for (uint32_t i = 0; i < file->tokens.count; i++) {
        while (!place && test && (test = test->next) != NULL) place = test->test->places;
        if (token_is_time(&file->tokens, i)) {
            TABLE_ADD(l, changes, change_count, (ir_change){.at = token_span(&file->tokens, i)});
        } else if (place && place->head.first == i) {
            ir_change const change = {range_span(place->head), place_text(l, place)};
            TABLE_ADD(l, changes, change_count, change);
            place = place->next;
        }
    }
}
