/* The city in virtual time: main [seconds [seed]]. Prints the steps of car a, the city from above at intervals, and the
 * referee's counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "city.h"
#include "picture.h"

/* One line per step change of the car with this name. */
static void print_step(void *context, const uf_flow *flow, const uf_step_change *change)
{
    if (strcmp(flow->type->name, "Car") != 0 || !change->to[0]) return;
    vehicle const *const me = ((const Car *)flow)->me;
    if (strcmp(me->name, context) != 0) return;
    uf_time const ms = uf_flow_now(flow) / UF_MS(1);
    lane const it = street_lane(me->lane);
    printf("%4d.%03d s  car %s  %-2s to %-2s  %-6s -> %s\n", (int)(ms / 1000), (int)(ms % 1000), me->name,
           nodes[it.from].name, nodes[it.to].name, change->from, change->to);
}

int main(int argc, char **argv)
{
    int const seconds = argc > 1 ? atoi(argv[1]) : 120;
    uint32_t const seed = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
    static City city;
    static Watch watch;
    static referee judge;
    uf_observer printer = {.context = "a", .step_changed = print_step};
    uf_pump pump;

    if (uf_pump_init(&pump, NULL) != UF_OK || City_init(&city, &pump, "city", seed) != UF_OK) return 1;
    if (Watch_init(&watch, &pump, "watch", &judge) != UF_OK) return 1;
    referee_begin(&judge, &city.streets);
    if (uf_pump_add_observer(&pump, &judge.observer) != UF_OK) return 1;
    if (uf_pump_add_observer(&pump, &printer) != UF_OK) return 1;
    (void)City_start_Live(&city, seconds);
    (void)Watch_start_Guard(&watch);
    for (int at = 30; at < seconds; at += 30) {
        if (uf_simulate_until(&pump, UF_S(at)) != UF_OK) return 1;
        printf("\nafter %d s\n", at);
        picture_print(&city.streets);
        puts("");
    }
    if (uf_simulate_until(&pump, UF_S(seconds) + 1) != UF_OK || uf_flow_outcome(&city.uf) != UF_DONE) return 1;
    puts("");
    bool const lively = referee_statistics(&judge, UF_S(seconds), 3);
    return referee_verdict(&judge) == 0 && lively ? 0 : 1;
}
