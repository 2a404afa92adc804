/* The race on a terminal: one thread and two clocks. The user stops and speeds up the clock of the race; the console
 * uses real time. */
#include <stdio.h>

#include "console.h"

static Runner runners[RUNNERS];

static bool set_up(uf_runtime **race, uf_runtime **console, Screen *screen, Keyboard *keyboard)
{
    uf_runtime_config const config = {.stay_interval = UF_MS(5)};

    if (uf_runtime_new(race, &config) != UF_OK || uf_runtime_new(console, &config) != UF_OK) return false;
    if (uf_runtime_link(*console, *race) != UF_OK) return false; /* so that the screen can read the runners' data */
    for (int i = 0; i < RUNNERS; i++) {
        runner_kind const *const kind = &runner_kinds[i];
        if (Runner_init(&runners[i], uf_runtime_pump(*race), kind->name, kind->move_ms) != UF_OK) return false;
        if (Runner_start_Run(&runners[i]) != UF_OK) return false;
    }
    uf_pump *const pump = uf_runtime_pump(*console);
    if (Screen_init(screen, pump, "screen", *race, runners) != UF_OK || Screen_start_Draw(screen) != UF_OK)
        return false;
    return Keyboard_init(keyboard, pump, "keyboard", *race) == UF_OK && Keyboard_start_Read(keyboard) == UF_OK;
}

int main(void)
{
    uf_runtime *race, *console;
    static Screen screen;
    static Keyboard keyboard;
    uf_call_info end;

    screen_begin();
    if (!set_up(&race, &console, &screen, &keyboard)) return 1;
    if (uf_flow_wait(&keyboard.uf, UF_FOREVER, &end) != UF_OK) return 1;
    if (uf_runtime_free(race) != UF_OK || uf_runtime_free(console) != UF_OK) return 1;
    screen_end();
    if (end.outcome != UF_DONE) fprintf(stderr, "keyboard: %s\n", end.reason);
    return end.outcome != UF_DONE;
}
