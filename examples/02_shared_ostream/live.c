/* The same on a thread of its own: the writers share the log with each other and, once they are idle, with main. */
#include <stdio.h>
#include <string.h>

#include "uflow/runtime.h"
#include "writer.h"

enum { TIMES = 10 };

int main(void)
{
    uf_runtime_config const config = {.name = "writers",
                                      .stay_interval = UF_MS(1)}; /* a writer out of turn polls often */
    uf_runtime *runtime;
    shared_log log = {.turn = 0};
    Writer hello, world;

    if (uf_runtime_new(&runtime, &config) != UF_OK) return 1;
    if (Writer_init(&hello, uf_runtime_pump(runtime), "hello", &log, "Hello ", 0) != UF_OK) return 1;
    if (Writer_init(&world, uf_runtime_pump(runtime), "world", &log, "World. ", 1) != UF_OK) return 1;
    (void)Writer_start_Write(&hello, TIMES);
    (void)Writer_start_Write(&world, TIMES);
    if (uf_runtime_wait(runtime, UF_S(60)) != UF_OK) return 1;
    puts(log.text);
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}
