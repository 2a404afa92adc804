/* SPDX-License-Identifier: MIT */
/* known_times.h - guesses from declarations whether a text is a `uf_time`. It needs no check to have run. */
#ifndef UFC_KNOWN_TIMES_H
#define UFC_KNOWN_TIMES_H

#include "ast.h"

/* What the text is in. Each may be NULL. */
typedef struct time_place {
    const ast_flow *flow;
    const ast_task *task;
    const ast_step *step;
} time_place;

/* Is the text one for certain? Knows the fields, the parameters, literals and functions of the library. */
bool is_known_time(const time_place *in, token_range text);

/* A guess, for help: it looks for locals, too. */
typedef enum time_guess { GUESS_NUMBER, GUESS_UNKNOWN, GUESS_TIME } time_guess;
time_guess guess_time(const time_place *in, token_range text);

/* What is missing before a bare name of a field or parameter: "self->", "flow->" or "". */
const char *access_of_name(const time_place *in, token_range text);

/* Does it begin with UF_MS or a similar macro? */
bool begins_with_time(token_range text);

#endif
