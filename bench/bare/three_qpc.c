/* SPDX-License-Identifier: MIT */
/* three_qpc.c - the flow of sizes/three.uflow as an active object of QP/C. A step that does not wait is an action of a
 * transition there. */
#include "bare.h"
#include "qpc_board.h"

enum { START_SIG = Q_USER_SIG, TIMEOUT_SIG };

typedef struct three {
    QActive super;
    QTimeEvt timeout;
    int turns;
    bool running;
} three;

static three one;
static QEvt const start = QEVT_INITIALIZER(START_SIG);

static QState second(three *const me, QEvt const *const e);

static QState idle(three *const me, QEvt const *const e)
{
    switch (e->sig) {
    case Q_ENTRY_SIG: me->running = false; return Q_HANDLED();
    case START_SIG:
        me->running = true;
        me->turns = 0;
        return Q_TRAN(&second);
    default: return Q_SUPER(&QHsm_top);
    }
}

static QState second(three *const me, QEvt const *const e)
{
    switch (e->sig) {
    case Q_ENTRY_SIG:
        me->turns++;
        QTimeEvt_armX(&me->timeout, 10 / BARE_MS, 0U);
        return Q_HANDLED();
    case TIMEOUT_SIG:
        if (me->turns < 10) return Q_TRAN(&second);
        return Q_TRAN(&idle);
    default: return Q_SUPER(&QHsm_top);
    }
}

static QState initial(three *const me, void const *const parameter)
{
    (void)parameter;
    return Q_TRAN(&idle);
}

QActive *object_init(void)
{
    QActive_ctor(&one.super, Q_STATE_CAST(&initial));
    QTimeEvt_ctorX(&one.timeout, &one.super, TIMEOUT_SIG, 0U);
    return &one.super;
}

void bare_start(void)
{
    QACTIVE_POST(&one.super, &start, NULL);
}

bool bare_running(void)
{
    return one.running;
}
