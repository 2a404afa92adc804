/* SPDX-License-Identifier: MIT */
/* moles_uflow.c - the game of sizes/moles.uflow on a pump. */
#include "bare.h"
#include "moles.h"
#include "uflow_board.h"

static Game game;

void flow_init(uf_pump *pump)
{
    (void)Game_init(&game, pump, "game");
}

void flow_start(void)
{
    (void)Game_start_Play(&game);
}

bool bare_running(void)
{
    return uf_flow_running(&game.uf);
}

void bare_press(int hole)
{
    game.mallet.hole = hole;
    (void)uf_signal_fire(&game.mallet.pressed);
}

int bare_score(void)
{
    return game.score;
}
