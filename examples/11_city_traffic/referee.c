/* referee.c - see referee.h. */
#include "referee.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "city.h"

static const char *const rule_texts[RULES] = {
    [GREEN_ONLY] = "crossed without green",
    [WAY_CLEAR] = "crossed into somebody's way",
    [LIGHTS_TURN] = "light out of turn",
    [IN_THE_STREETS] = "beside the streets",
    [SPEED_LIMIT] = "too fast",
    [DISTANCE] = "too near",
    [NOBODY_FAILS] = "given up",
};

static void light_changed(referee *judge, const lamp *now, const char *step)
{
    lamp *const shown = &judge->shown[now - judge->city->lamps];
    bool const to_yellow = strcmp(step, "Yellow") == 0, to_green = strcmp(step, "Green") == 0;

    if (to_yellow) {
        if (shown->yellow) judge->broken[LIGHTS_TURN]++;
        shown->yellow = true;
    }
    if (to_green) {
        if (!shown->yellow || now->green == shown->green) judge->broken[LIGHTS_TURN]++;
        *shown = (lamp){now->green, false};
        judge->changed[now - judge->city->lamps]++;
    }
}

static bool somebody_in_the_way(const traffic *city, const vehicle *me)
{
    for (const vehicle *it = city->cars; it < city->cars + CARS; it++) {
        if (it == me) continue;
        if (it->lane == me->exit && it->place < EXIT_ROOM) return true;
        if (!vehicle_is_crossing(it) || street_lane(it->lane).to != street_lane(me->lane).to) continue;
        if (it->exit == me->exit || street_axis(it->lane) != street_axis(me->lane)) return true;
    }
    return false;
}

/* The longest time so far in which the car did not cross. */
static uf_time without(const referee *judge, int car, uf_time now)
{
    uf_time const since = now - judge->crossed_at[car];
    return since > judge->longest[car] ? since : judge->longest[car];
}

static void car_crosses(referee *judge, const vehicle *me, uf_time now)
{
    ptrdiff_t const number = me - judge->city->cars;
    lamp const *const light = &judge->shown[street_lane(me->lane).to];

    if (light->yellow || light->green != street_axis(me->lane)) judge->broken[GREEN_ONLY]++;
    if (somebody_in_the_way(judge->city, me)) judge->broken[WAY_CLEAR]++;
    judge->crossed[number]++;
    judge->longest[number] = without(judge, (int)number, now);
    judge->crossed_at[number] = now;
}

static void step_changed(void *context, const uf_flow *flow, const uf_step_change *change)
{
    if (strcmp(flow->type->name, "Light") == 0) light_changed(context, ((const Light *)flow)->light, change->to);
    else if (strcmp(change->to, "Cross") == 0) car_crosses(context, ((const Car *)flow)->me, uf_flow_now(flow));
}

static void flow_ended(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    referee *const judge = context;
    (void)flow;
    if (end->outcome == UF_FAILED) judge->broken[NOBODY_FAILS]++;
}

void referee_begin(referee *judge, const traffic *city)
{
    *judge = (struct referee){.city = city};
    judge->observer = (uf_observer){.context = judge, .step_changed = step_changed, .flow_ended = flow_ended};
    for (int i = 0; i < LIGHTS; i++) judge->shown[i].green = lamp_begins_with(i);
}

void referee_look(referee *judge)
{
    const vehicle *const cars = judge->city->cars;

    for (int i = 0; i < CARS; i++) {
        if (cars[i].place < 0 || cars[i].place > STREET) judge->broken[IN_THE_STREETS]++;
        if (cars[i].speed < 0 || cars[i].speed > CRUISE_SPEED) judge->broken[SPEED_LIMIT]++;
        for (int k = 0; k < i; k++) {
            if (cars[i].lane == cars[k].lane && abs(cars[i].place - cars[k].place) < GAP) judge->broken[DISTANCE]++;
        }
    }
}

int referee_verdict(const referee *judge)
{
    int all = 0;

    for (int i = 0; i < RULES; i++) {
        printf("%-28s %d times\n", rule_texts[i], judge->broken[i]);
        all += judge->broken[i];
    }
    return all;
}

static uf_time slowest_cycle(void)
{
    int slowest = 0;

    for (int i = 0; i < LIGHTS; i++) {
        int const cycle = 2 * (lamp_green_ms(i) + lamp_yellow_ms(i));
        if (cycle > slowest) slowest = cycle;
    }
    return UF_MS(slowest);
}

bool referee_statistics(const referee *judge, uf_time now, int cycles)
{
    bool good = true;

    for (int i = 0; i < LIGHTS; i++) {
        printf("light %s  changed %3d times\n", nodes[i].name, judge->changed[i]);
        if (judge->changed[i] == 0) good = false;
    }
    for (int i = 0; i < CARS; i++) {
        int const ms = (int)(without(judge, i, now) / UF_MS(1));
        printf("car %s    crossed %3d times, never longer than %2d.%03d s without\n", judge->city->cars[i].name,
               judge->crossed[i], ms / 1000, ms % 1000);
        if (judge->crossed[i] == 0 || UF_MS(ms) > cycles * slowest_cycle()) good = false;
    }
    return good;
}
