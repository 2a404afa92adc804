/* SPDX-License-Identifier: MIT */
/* test_memory.c - the arena, interned names, and allocations that never return NULL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../cases.h"

#include "arena.h"
#include "memory.h"

CASE(memory_of_the_arena_is_zeroed_and_aligned)
{
    arena *a = arena_new();
    for (size_t size = 1; size < 3000; size += 7) {
        unsigned char *p = arena_alloc(a, size, 3);
        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size * 3; i++) assert_int_equal(p[i], 0);
        memset(p, 0xFF, size * 3);
    }
    arena_free(a);
    arena_free(NULL);
}

CASE(large_pieces_leave_the_small_ones_alone)
{
    arena *a = arena_new();
    char *first = arena_copy(a, "first", 5);
    char *large = arena_alloc(a, 1 << 20, 1);
    char *second = arena_copy(a, "second", 6);
    memset(large, 'x', 1 << 20);
    assert_string_equal(first, "first");
    assert_string_equal(second, "second");
    assert_string_equal(arena_printf(a, "%s-%d", first, 42), "first-42");
    assert_string_equal(arena_printf(a, "%s", ""), "");
    assert_string_equal(ARENA_JOIN(a, "a", "", "c"), "a__c");
    assert_string_equal(ARENA_CONCAT(a, "a", "", "c"), "ac");
    assert_string_equal(ARENA_CONCAT(a, ""), "");
    arena_free(a);
}

CASE(equal_names_are_one)
{
    arena *a = arena_new();
    const char *x = arena_intern(a, "name", 4);
    assert_ptr_equal(arena_intern(a, "names", 4), x);
    assert_ptr_not_equal(arena_intern(a, "names", 5), x);
    assert_string_equal(arena_intern(a, "", 0), "");
    const char *seen[5000];
    for (int i = 0; i < 5000; i++)
        seen[i] = arena_intern(a, arena_printf(a, "n%d", i), strlen(arena_printf(a, "n%d", i)));
    for (int i = 0; i < 5000; i++) {
        const char *text = arena_printf(a, "n%d", i);
        assert_ptr_equal(arena_intern(a, text, strlen(text)), seen[i]);
        assert_string_equal(seen[i], text);
    }
    arena_free(a);
}

CASE(arrays_grow)
{
    size_t capacity = 0;
    int *array = NULL;
    for (int i = 0; i < 1000; i++) {
        array = memory_reserve(array, &capacity, (size_t)i + 1, sizeof *array);
        array[i] = i;
    }
    for (int i = 0; i < 1000; i++) assert_int_equal(array[i], i);
    assert_true(capacity >= 1000 && capacity <= 2000);
    memory_free(array);
}

static void clean(void)
{
    (void)!write(STDOUT_FILENO, "cleaned", 7);
}

/* Runs a child process. Returns its status and its output. */
static int status_of(void (*what)(void), char *text, size_t size)
{
    int out[2];
    assert_int_equal(pipe(out), 0);
    pid_t const child = fork();
    if (child == 0) {
        dup2(out[1], STDOUT_FILENO);
        dup2(out[1], STDERR_FILENO);
        what();
        _exit(0);
    }
    close(out[1]);
    size_t length = 0;
    ssize_t n;
    while (length + 1 < size && (n = read(out[0], text + length, size - 1 - length)) > 0) length += (size_t)n;
    text[length] = '\0';
    close(out[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void ask_for_too_much(void)
{
    memory_on_failure(clean);
    memory_alloc(SIZE_MAX / 2, 3);
}

static void ask_the_arena_for_too_much(void)
{
    arena_alloc(arena_new(), SIZE_MAX / 4, 8);
}

CASE(want_of_memory_ends_the_program)
{
    char text[200];
    assert_int_equal(status_of(ask_for_too_much, text, sizeof text), 3);
    assert_string_equal(text, "cleanedufc: out of memory\n");
    assert_int_equal(status_of(ask_the_arena_for_too_much, text, sizeof text), 3);
    assert_string_equal(text, "ufc: out of memory\n");
}
