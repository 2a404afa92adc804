/* The city on its own thread, from above, drawn on a terminal thirty times a second: live [speed [seconds [seed]]],
 * until the seconds are over, or until Enter or the end of the input. The positions depend on the machine's load, but
 * the traffic rules always hold. */
#define _POSIX_C_SOURCE 200809L /* read() */

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    printf("\x1b[?25l\x1b[1;1H\x1b[2K  a city with traffic lights   (Enter: quit)\n\n");
    picture_print(&city.streets);
    (void)fflush(stdout);
}

/* Has the user pressed Enter, or ended the input? */
static bool is_enter_typed(void)
{
    char typed[64];

    if (poll(&(struct pollfd){.fd = STDIN_FILENO, .events = POLLIN}, 1, 0) <= 0) return false;
    ssize_t const count = read(STDIN_FILENO, typed, sizeof typed);
    return count <= 0 || memchr(typed, '\n', (size_t)count);
}

/* Draws until the city ends, or until the user ends it. Returns: false if it has failed. */
static bool watch_city(uf_runtime *runtime)
{
    bool typed = false;
    uf_call_info end;

    printf("\x1b[2J");
    do {
        (void)uf_post_wait(runtime, draw, NULL);
        if (!typed && is_enter_typed()) {
            typed = true;
            uf_flow_cancel(&city.uf);
        }
    } while (uf_flow_wait(&city.uf, UF_MS(33), &end) == UF_TIMED_OUT);
    printf("\x1b[?25h\n");
    return typed || end.outcome == UF_DONE;
}

int main(int argc, char **argv)
{
    double const speed = argc > 1 ? atof(argv[1]) : 3;
    int const seconds = argc > 2 ? atoi(argv[2]) : 300;
    uint32_t const seed = argc > 3 ? (uint32_t)atoi(argv[3]) : 1;
    uf_runtime_config const config = {.name = "city", .stay_interval = UF_MS(1), .observers = &judge.observer};
    uf_runtime *runtime;

    if (!(speed > 0)) return fprintf(stderr, "usage: %s [speed [seconds [seed]]]\n", argv[0]), 2;
    referee_begin(&judge, &city.streets);
    if (uf_runtime_new(&runtime, &config) != UF_OK) return 1;
    uf_pump *const pump = uf_runtime_pump(runtime);
    if (uf_pump_set_scale(pump, speed) != UF_OK || City_init(&city, pump, "city", seed) != UF_OK ||
        Watch_init(&watch, pump, "watch", &judge) != UF_OK)
        return 1;
    (void)City_start_Live(&city, seconds);
    (void)Watch_start_Guard(&watch);
    bool const is_well = watch_city(runtime);
    if (uf_runtime_free(runtime) != UF_OK) return 1;
    return referee_verdict(&judge) == 0 && is_well ? 0 : 1;
}
