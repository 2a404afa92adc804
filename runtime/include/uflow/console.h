/* SPDX-License-Identifier: MIT */
/* console.h - an observer that writes one line per event. Needs stdio.
 *
 *   static uf_console console;
 *   uf_console_attach(&console, &pump, stderr);
 *
 *   [line.picker]    FLOW START  Pick  at=1000.00ms
 *   [line.picker]    MoveOver -> Grip             slot 7                         #00 elapsed=20.00ms tick x2
 *   [line.picker]    Grip -> (end)                                               #01 elapsed=0.00ms tick x1
 *   [line.picker]    FLOW END  Done  steps=#01 wall=20.00ms
 *
 * docs/guides/diagnosing.md describes every kind of line. */
#ifndef UFLOW_CONSOLE_H
#define UFLOW_CONSOLE_H

#include "uflow/pump.h"

#include <stdio.h>

UF_C_BEGIN

/* How many running flows the console measures at once; further ones show `wall=?`. */
#define UF_CONSOLE_FLOWS 64

/* A console. `observer` is public, the other members are private.
 * Lifetime: you own it. It must stay valid until it is detached. */
typedef struct uf_console {
    uf_observer observer;
    FILE *out;
    bool is_own; /* `out` was opened by uf_console_open() */
    uf_run_record runs[UF_CONSOLE_FLOWS];
} uf_console;

/* Initialises a console that writes to `out`, without adding it to a pump. Add `console->observer` with
 * uf_runtime_add_observer(), or with `observers` of a runtime's configuration.
 * Thread: one at a time, while it is not attached.
 * Returns: UF_OK; UF_INVALID: an argument is NULL.
 * Lifetime: `out` must stay open until the console is detached. Check it for errors yourself. */
uf_status uf_console_init(uf_console *console, FILE *out);

/* Initialises a console with a file of its own, and opens it to append lines. Each line is in the file at once. Add
 * `console->observer` as after uf_console_init().
 * Thread: one at a time, while it is not attached.
 * Returns: UF_OK; UF_NO_THREAD: the system refused to open the file, and errno tells why; UF_INVALID: an argument is
 * NULL.
 * Lifetime: end it with uf_console_close() after the console was detached. */
uf_status uf_console_open(uf_console *console, const char *path);

/* Ends a console that is detached, and closes its file. A stream that was given to uf_console_init() stays open.
 * Thread: one at a time.
 * Returns: true; false: a line could not be written, it was closed before, or `console` is NULL. */
bool uf_console_close(uf_console *console);

/* Initialises a console and adds it to a pump.
 * Thread: the pump's.
 * Returns: UF_OK; UF_BUSY: it is attached already; UF_INVALID: an argument is NULL, or the pump was never initialised.
 * Lifetime: as uf_console_init(). */
uf_status uf_console_attach(uf_console *console, uf_pump *pump, FILE *out);

/* Detaches a console.
 * Thread: the pump's.
 * Returns: UF_OK; UF_INVALID: it is not attached to this pump. */
uf_status uf_console_detach(uf_console *console, uf_pump *pump);

UF_C_END
#endif
