/* SPDX-License-Identifier: MIT */
/* qpc_board.c - the main loop of an active object of QP/C, with its kernel QV and the functions that QV needs. bare.py
 * compiles it if QPC_PATH names an unpacked QP/C. */
#include "qpc_board.h"
#include "bare.h"

#include <stdlib.h>

void QF_onStartup(void)
{
}

void QF_onCleanup(void)
{
}

/* The kernel calls it with interrupts masked. */
void QV_onIdle(void)
{
    QF_INT_ENABLE();
    bare_idle();
}

/* Its caller is assembler, which -flto does not see. */
__attribute__((used)) Q_NORETURN Q_onError(char const *const module, int_t const id)
{
    (void)module;
    exit(id);
}

void bare_tick(void)
{
    QTIMEEVT_TICK(NULL);
}

void bare_loop(void)
{
    static QEvtPtr queue[4];

    QF_init();
    QActive_start(object_init(), Q_PRIO(1U, 0U), queue, Q_DIM(queue), NULL, 0U, NULL);
    (void)QF_run();
}
