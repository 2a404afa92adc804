/* Two writers take turns at one log, without a lock; the program checks their order. */
#include <stdio.h>
#include <string.h>

#include "writer.h"

enum { TIMES = 10 };

static int occurrences(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + strlen(word), word)) count++;
    return count;
}

int main(void)
{
    uf_pump pump;
    shared_log log = {.turn = 0};
    Writer hello, world;

    puts("=== shared_ostream: two writers, one log, no locks ===\n");

    if (uf_pump_init(&pump, NULL) != UF_OK) return 1;
    if (Writer_init(&hello, &pump, "hello", &log, "Hello ", 0) != UF_OK) return 1;
    if (Writer_init(&world, &pump, "world", &log, "World. ", 1) != UF_OK) return 1;
    (void)Writer_start_Write(&hello, TIMES);
    (void)Writer_start_Write(&world, TIMES);
    if (uf_simulate_until_idle(&pump, UF_FOREVER) != UF_OK) return 1;

    int const got = occurrences(log.text, "Hello World.");
    printf("--- output ---\n%s\n--- end ---\n\n", log.text);
    printf("expected \"Hello World.\" occurrences = %d, got = %d\n", TIMES, got);
    puts(got == TIMES ? "PASS: shared log is race-free, order preserved" : "FAIL: order was not preserved");
    return got == TIMES ? 0 : 1;
}
