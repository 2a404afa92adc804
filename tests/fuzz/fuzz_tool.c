/* fuzz_tool.c - see fuzz_tool.h. */
#include "fuzz_tool.h"

#include <sanitizer/allocator_interface.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "text.h"

#define MOST 100000 /* blocks of memory */

_Noreturn void fuzz_exit(int status);

const char tool_name[] = "fuzz";
const int tool_trouble = 1;
static jmp_buf end;
static void const *blocks[MOST];
static size_t block_count;
static bool records;

static void allocated(const volatile void *block, size_t size)
{
    (void)size;
    if (records && block_count < MOST) blocks[block_count++] = (const void *)block;
}

static void freed(const volatile void *block)
{
    for (size_t i = block_count; records && i-- > 0;) {
        if (blocks[i] != block) continue;
        blocks[i] = blocks[--block_count];
        return;
    }
}

_Noreturn void fuzz_exit(int status)
{
    (void)status;
    longjmp(end, 1);
}

void fuzz_run(void (*tool)(void *context), void *context)
{
    static bool begun;

    if (!begun) begun = __sanitizer_install_malloc_and_free_hooks(allocated, freed) != 0;
    block_count = 0;
    records = true;
    bool const is_over = setjmp(end) != 0;
    if (!is_over) tool(context);
    records = false;
    for (size_t i = 0; is_over && i < block_count; i++) free((void *)(uintptr_t)blocks[i]);
}

const char *fuzz_file(const void *head, size_t head_size, const uint8_t *data, size_t size)
{
    static char path[32];
    static int file = -1;

    if (file >= 0) close(file);
    file = memfd_create("input", 0);
    if (file < 0 || write(file, head, head_size) != (ssize_t)head_size || write(file, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return path;
}

void fuzz_check(char *text, size_t length)
{
    for (char *line = text, *const last = text + length; line < last; line += strlen(line) + 1) {
        line[strcspn(line, "\n")] = '\0';
        char *const copy = strdup(line);
        if (!copy || strcmp(tool_make_printable(copy), line) != 0) abort();
        free(copy);
    }
    free(text);
}
