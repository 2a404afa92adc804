/* SPDX-License-Identifier: MIT */
/* typical_qpc.c - the flow of sizes/typical.uflow as an active object of QP/C. The reason of a failure is a constant;
 * `tries` is its number. */
#include "bare.h"
#include "qpc_board.h"

enum { START_SIG = Q_USER_SIG, TIMEOUT_SIG, ANSWERED_SIG };

typedef struct typical {
    QActive super;
    QTimeEvt timeout;
    int limit, tries;
    const char *reason;
    bool running;
} typical;

static typical one;
static QEvt const start = QEVT_INITIALIZER(START_SIG);
static QEvt const answered = QEVT_INITIALIZER(ANSWERED_SIG);

static QState waits(typical *const me, QEvt const *const e);

static QState idle(typical *const me, QEvt const *const e)
{
    switch (e->sig) {
    case Q_ENTRY_SIG: me->running = false; return Q_HANDLED();
    case START_SIG:
        me->running = true;
        me->limit = 10;
        me->reason = NULL;
        return Q_TRAN(&waits);
    default: return Q_SUPER(&QHsm_top);
    }
}

static QState waits(typical *const me, QEvt const *const e)
{
    switch (e->sig) {
    case Q_ENTRY_SIG:
        me->tries++;
        QTimeEvt_armX(&me->timeout, 200 / BARE_MS, 0U);
        return Q_HANDLED();
    case Q_EXIT_SIG: (void)QTimeEvt_disarm(&me->timeout); return Q_HANDLED();
    case TIMEOUT_SIG:
        if (me->tries != me->limit) return Q_TRAN(&waits);
        me->reason = "no answer";
        return Q_TRAN(&idle);
    case ANSWERED_SIG: return Q_TRAN(&idle);
    default: return Q_SUPER(&QHsm_top);
    }
}

static QState initial(typical *const me, void const *const parameter)
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

void bare_answer(void)
{
    QACTIVE_POST(&one.super, &answered, NULL);
}
