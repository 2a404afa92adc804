/* The city on its own thread, faster than real time: live [seconds [seed]]. A terminal shows it from above. The
 * positions depend on the machine's load, but the traffic rules always hold. */
#define _POSIX_C_SOURCE 200809L /* isatty() */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "city.h"
#include "picture.h"
#include "uflow/runtime.h"

static City city;
static Watch watch;
static referee judge;

/* Posted: runs on the thread of the cars, which do not move meanwhile. */
static void draw(void *context)
{
    (void)context;
    printf("\x1b[H");
    picture_print(&city.traffic);
    (void)fflush(stdout);
}

int main(int argc, char **argv)
{
    int const seconds = argc > 1 ? atoi(argv[1]) : 30;
    uint32_t const seed = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
    bool const terminal = isatty(STDOUT_FILENO) != 0;
    uf_runtime_config const config = {.name = "city", .stay_interval = UF_MS(1), .observers = &judge.observer};
    uf_runtime *runtime;
    uf_call_info end;
    uf_status status;

    referee_begin(&judge, &city.traffic);
    if (uf_runtime_new(&runtime, &config) != UF_OK) return 1;
    if (uf_pump_set_scale(uf_runtime_pump(runtime), terminal ? 3 : 20) != UF_OK) return 1;
    uf_pump *const pump = uf_runtime_pump(runtime);
    if (City_init(&city, pump, "city", seed) != UF_OK || Watch_init(&watch, pump, "watch", &judge) != UF_OK) return 1;
    (void)City_start_Live(&city, seconds);
    (void)Watch_start_Guard(&watch);
    if (terminal) printf("\x1b[2J");
    while ((status = uf_flow_wait(&city.uf, UF_MS(50), &end)) == UF_TIMED_OUT) {
        if (terminal) (void)uf_post_wait(runtime, draw, NULL);
    }
    if (uf_runtime_free(runtime) != UF_OK || status != UF_OK || end.outcome != UF_DONE) return 1;
    return referee_verdict(&judge) == 0 ? 0 : 1;
}
