/* A washing machine in virtual time: a program without an event, then one with each of them. Prints the steps of the
 * washer, with the state of the machine. */
#include <stdio.h>
#include <string.h>

#include "washer.h"
#include "world.h"

static const wash_program cotton = {
    .name = "cotton", .litres = {4, 8}, .degrees = 40, .minutes = 30, .rinses = 2, .rpm = 1200};

static plant model;
static uf_pump pump;
static World world;
static Panel panel;

static void print(const char *what)
{
    int const seconds = (int)(uf_pump_now(&pump) / UF_S(1));
    machine const *const io = &model.io;
    printf("%d:%02d:%02d  %-28s %-4s %-6s %-4s %-4s %-6s %-4s %4d rpm %3d l %3d C\n", seconds / 3600, seconds / 60 % 60,
           seconds % 60, what, io->lamp ? "lamp" : "",
           io->lock     ? "locked"
           : io->closed ? ""
                        : "open",
           io->valve[COLD] ? "cold" : "", io->valve[HOT] ? "hot" : "", io->heater ? "heater" : "",
           io->pump ? "pump" : "", io->rpm, io->litres, io->degrees);
}

/* One line per step change of the washer. Its handlers on exit have run, those of the next task have not. */
static void print_step(void *context, const uf_flow *flow, const uf_step_change *change)
{
    (void)context;
    if (strcmp(flow->type->name, "Washer") == 0 && change->to[0]) print(change->to);
}

static void print_end(void *context, const uf_flow *flow, const uf_flow_end *end)
{
    (void)context;
    if (strcmp(flow->type->name, "Washer") == 0) print(end->outcome == UF_DONE ? "done" : end->reason);
}

static int wait_for(uf_time duration)
{
    return uf_simulate_until(&pump, uf_pump_now(&pump) + duration) == UF_OK ? 0 : 1;
}

static int press(void)
{
    print("    start/pause is pressed");
    uf_signal_fire(&panel.pressed);
    return wait_for(UF_S(1));
}

/* Begins a program, and runs it for `duration`. */
static int begin(const char *what, uf_time duration)
{
    printf("\n%s\n", what);
    return wait_for(UF_S(1)) || press() || wait_for(duration);
}

static int finish(void)
{
    while (uf_flow_running(&panel.washer.uf)) {
        if (wait_for(UF_S(1))) return 1;
    }
    return 0;
}

static int pause_with_water(void)
{
    if (begin("a pause with water in the drum: the times keep what remains", UF_S(900)) || press()) return 1;
    print("    stands");
    return wait_for(UF_S(600)) || press();
}

/* The user takes a coin out, and forgets to close the door. */
static int pause_without_water(void)
{
    while (model.io.rpm < 1000) {
        if (wait_for(UF_S(1))) return 1;
    }
    if (press()) return 1;
    model.io.closed = false;
    print("    the door is opened");
    if (wait_for(UF_S(20)) || press() || wait_for(UF_S(5))) return 1;
    model.io.closed = true;
    print("    the door is closed");
    if (press() || wait_for(UF_S(30))) return 1;
    print("    speeds up again");
    return finish();
}

static int stop_in_pause(void)
{
    if (begin("a stop in a pause: the handler of the group ends both", UF_S(60)) || press()) return 1;
    print("    stop is pressed");
    uf_signal_fire(&panel.washer.stop);
    return finish();
}

static int force_the_door(void)
{
    if (begin("somebody forces the door", UF_S(60))) return 1;
    model.io.closed = false;
    print("    the door is forced");
    uf_signal_fire(&panel.washer.forced);
    if (wait_for(UF_S(30))) return 1;
    model.io.closed = true;
    print("    the door is closed");
    return finish();
}

static int close_the_tap(void)
{
    model.has_water[HOT] = false;
    return begin("no hot water", UF_S(1)) || finish();
}

int main(void)
{
    uf_observer printer = {.step_changed = print_step, .flow_ended = print_end};

    plant_begin(&model);
    if (uf_pump_init(&pump, NULL) != UF_OK || uf_pump_add_observer(&pump, &printer) != UF_OK) return 1;
    if (World_init(&world, &pump, "world", &model) != UF_OK || World_start_Live(&world) != UF_OK) return 1;
    if (Panel_init(&panel, &pump, "panel", &model.io, &cotton) != UF_OK || Panel_start_Idle(&panel) != UF_OK) return 1;
    if (begin("cotton", UF_S(1)) || finish()) return 1;
    if (pause_with_water() || pause_without_water()) return 1;
    return stop_in_pause() || force_the_door() || close_the_tap();
}
