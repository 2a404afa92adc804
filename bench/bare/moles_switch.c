/* SPDX-License-Identifier: MIT */
/* moles_switch.c - the game of sizes/moles.uflow as one would write it by hand: a switch for each machine, deadlines in
 * milliseconds, and calls instead of events. */
#include "bare.h"

enum { HOLES = 4 };

typedef struct mole {
    enum { HIDES, UP, DIZZY } state;
    uint32_t deadline;
} mole;

static enum { IDLE, PLAYS, SHOWS } game;
static mole moles[HOLES];
static bool started, resting, lit;
static int score, escaped;
static uint32_t now, game_ends, rest_ends, lamp_changes;

static bool due(uint32_t deadline)
{
    return (int32_t)(now - deadline) >= 0;
}

static void light(bool on, uint32_t ms)
{
    lit = on;
    bare_lamp(on);
    lamp_changes = now + ms;
}

static void hide(mole *it)
{
    it->state = HIDES;
    it->deadline = now + 310 + 90 * (uint32_t)(it - moles);
}

static void show(void)
{
    game = SHOWS;
    game_ends = now + 2000;
    bare_lamp(true);
}

static void strike(mole *it)
{
    switch (it->state) {
    case HIDES:
        score--;
        hide(it);
        break;
    case UP:
        score += 3;
        light(true, 500);
        it->state = DIZZY;
        it->deadline = now + 300;
        break;
    case DIZZY: break;
    }
}

static void mole_runs(mole *it)
{
    if (!due(it->deadline)) return;
    switch (it->state) {
    case HIDES:
        it->state = UP;
        it->deadline = now + 400;
        break;
    case UP:
        score--;
        hide(it);
        if (++escaped == 50) show();
        break;
    case DIZZY: hide(it); break;
    }
}

static void run(void)
{
    switch (game) {
    case IDLE:
        if (!started) return;
        started = false;
        game = PLAYS;
        game_ends = now + 20000;
        score = escaped = 0;
        resting = false;
        for (int i = 0; i < HOLES; i++) hide(&moles[i]);
        light(!lit, 230);
        return;
    case PLAYS:
        if (due(game_ends)) {
            show();
            return;
        }
        if (resting && due(rest_ends)) resting = false;
        if (due(lamp_changes)) light(!lit, 230);
        for (int i = 0; i < HOLES && game == PLAYS; i++) mole_runs(&moles[i]);
        return;
    case SHOWS:
        if (!due(game_ends)) return;
        bare_lamp(false);
        game = IDLE;
        return;
    }
}

void bare_start(void)
{
    started = true;
}

bool bare_running(void)
{
    return started || game != IDLE;
}

void bare_tick(void)
{
    now += BARE_MS;
}

void bare_press(int hole)
{
    if (game != PLAYS || resting) return;
    resting = true;
    rest_ends = now + 150;
    strike(&moles[hole]);
}

int bare_score(void)
{
    return score;
}

void bare_loop(void)
{
    for (;;) {
        run();
        bare_idle();
    }
}
