/* SPDX-License-Identifier: MIT */
/* moles_qpc.c - the game of sizes/moles.uflow as seven active objects of QP/C. As in its own examples, each has a queue
 * and a time event, a class of objects is an array, and events without a value are constants. */
#include "bare.h"
#include "qpc_board.h"

enum { HOLES = 4, LIMIT = 50 };

/* HIT_SIG to ESCAPED_SIG are for the referee, and HIT_SIG is for the display, too. */
enum {
    START_SIG = Q_USER_SIG,
    STOP_SIG,
    OVER_SIG,
    TIMEOUT_SIG,
    BUTTON_SIG,
    STRUCK_SIG,
    HIT_SIG,
    MISSED_SIG,
    ESCAPED_SIG
};

typedef struct button {
    QEvt super;
    int hole;
} button;

static QEvt const start = QEVT_INITIALIZER(START_SIG), stop = QEVT_INITIALIZER(STOP_SIG);
static QEvt const over = QEVT_INITIALIZER(OVER_SIG), struck = QEVT_INITIALIZER(STRUCK_SIG);
static QEvt const hit = QEVT_INITIALIZER(HIT_SIG), missed = QEVT_INITIALIZER(MISSED_SIG);
static QEvt const escaped = QEVT_INITIALIZER(ESCAPED_SIG);
static button const buttons[HOLES] = {{QEVT_INITIALIZER(BUTTON_SIG), 0},
                                      {QEVT_INITIALIZER(BUTTON_SIG), 1},
                                      {QEVT_INITIALIZER(BUTTON_SIG), 2},
                                      {QEVT_INITIALIZER(BUTTON_SIG), 3}};

typedef struct object {
    QActive super;
    QTimeEvt timeout;
} object;

typedef struct referee {
    object super;
    int score, escaped;
    bool running;
} referee;

typedef struct display {
    object super;
    bool lit;
} display;

static referee the_referee;
static display the_display;
static object mallet, moles[HOLES];

static void post(object *to, QEvt const *what)
{
    QACTIVE_POST(&to->super, what, NULL);
}

static void arm(object *me, uint32_t ms)
{
    QTimeEvt_armX(&me->timeout, ms / BARE_MS, 0U);
}

/* -- a mole -------------------------------------------------------------------------------------------------------- */

static QState mole_lives(object *const me, QEvt const *const e);
static QState mole_hides(object *const me, QEvt const *const e);
static QState mole_up(object *const me, QEvt const *const e);
static QState mole_dizzy(object *const me, QEvt const *const e);

static QState mole_idle(object *const me, QEvt const *const e)
{
    (void)me;
    switch (e->sig) {
    case START_SIG: return Q_TRAN(&mole_hides);
    default: return Q_SUPER(&QHsm_top);
    }
}

static QState mole_lives(object *const me, QEvt const *const e)
{
    switch (e->sig) {
    case STOP_SIG: return Q_TRAN(&mole_idle);
    default: return Q_SUPER(&QHsm_top);
    }
}

static QState mole_hides(object *const me, QEvt const *const e)
{
    switch (e->sig) {
    case Q_ENTRY_SIG: arm(me, 310U + 90U * (uint32_t)(me - moles)); return Q_HANDLED();
    case Q_EXIT_SIG: (void)QTimeEvt_disarm(&me->timeout); return Q_HANDLED();
    case TIMEOUT_SIG: return Q_TRAN(&mole_up);
    case STRUCK_SIG: post(&the_referee.super, &missed); return Q_TRAN(&mole_hides);
    default: return Q_SUPER(&mole_lives);
    }
}

static QState mole_up(object *const me, QEvt const *const e)
{
    switch (e->sig) {
    case Q_ENTRY_SIG: arm(me, 400U); return Q_HANDLED();
    case Q_EXIT_SIG: (void)QTimeEvt_disarm(&me->timeout); return Q_HANDLED();
    case TIMEOUT_SIG: post(&the_referee.super, &escaped); return Q_TRAN(&mole_hides);
    case STRUCK_SIG: post(&the_referee.super, &hit); return Q_TRAN(&mole_dizzy);
    default: return Q_SUPER(&mole_lives);
    }
}

static QState mole_dizzy(object *const me, QEvt const *const e)
{
    switch (e->sig) {
    case Q_ENTRY_SIG: arm(me, 300U); return Q_HANDLED();
    case Q_EXIT_SIG: (void)QTimeEvt_disarm(&me->timeout); return Q_HANDLED();
    case TIMEOUT_SIG: return Q_TRAN(&mole_hides);
    default: return Q_SUPER(&mole_lives);
    }
}

static QState mole_initial(object *const me, void const *const parameter)
{
    (void)parameter;
    return Q_TRAN(&mole_idle);
}

/* -- the mallet ---------------------------------------------------------------------------------------------------- */

static QState mallet_waits(object *const me, QEvt const *const e);
static QState mallet_rests(object *const me, QEvt const *const e);

static QState mallet_idle(object *const me, QEvt const *const e)
{
    (void)me;
    switch (e->sig) {
    case START_SIG: return Q_TRAN(&mallet_waits);
    default: return Q_SUPER(&QHsm_top);
    }
}

static QState mallet_waits(object *const me, QEvt const *const e)
{
    switch (e->sig) {
    case STOP_SIG: return Q_TRAN(&mallet_idle);
    case BUTTON_SIG: post(&moles[Q_EVT_CAST(button)->hole], &struck); return Q_TRAN(&mallet_rests);
    default: return Q_SUPER(&QHsm_top);
    }
}

static QState mallet_rests(object *const me, QEvt const *const e)
{
    switch (e->sig) {
    case Q_ENTRY_SIG: arm(me, 150U); return Q_HANDLED();
    case Q_EXIT_SIG: (void)QTimeEvt_disarm(&me->timeout); return Q_HANDLED();
    case TIMEOUT_SIG: return Q_TRAN(&mallet_waits);
    case STOP_SIG: return Q_TRAN(&mallet_idle);
    default: return Q_SUPER(&QHsm_top);
    }
}

static QState mallet_initial(object *const me, void const *const parameter)
{
    (void)parameter;
    return Q_TRAN(&mallet_idle);
}

/* -- the display --------------------------------------------------------------------------------------------------- */

static QState display_blinks(display *const me, QEvt const *const e);
static QState display_shows(display *const me, QEvt const *const e);

static void light(display *me, bool on, uint32_t ms)
{
    me->lit = on;
    bare_lamp(on);
    (void)QTimeEvt_disarm(&me->super.timeout);
    arm(&me->super, ms);
}

static QState display_idle(display *const me, QEvt const *const e)
{
    switch (e->sig) {
    case START_SIG: return Q_TRAN(&display_blinks);
    default: return Q_SUPER(&QHsm_top);
    }
}

static QState display_blinks(display *const me, QEvt const *const e)
{
    switch (e->sig) {
    case Q_ENTRY_SIG: light(me, !me->lit, 230U); return Q_HANDLED();
    case Q_EXIT_SIG: (void)QTimeEvt_disarm(&me->super.timeout); return Q_HANDLED();
    case TIMEOUT_SIG: light(me, !me->lit, 230U); return Q_HANDLED();
    case HIT_SIG: light(me, true, 500U); return Q_HANDLED();
    case STOP_SIG: return Q_TRAN(&display_shows);
    default: return Q_SUPER(&QHsm_top);
    }
}

static QState display_shows(display *const me, QEvt const *const e)
{
    switch (e->sig) {
    case Q_ENTRY_SIG: bare_lamp(true); return Q_HANDLED();
    case Q_EXIT_SIG: bare_lamp(false); return Q_HANDLED();
    case OVER_SIG: return Q_TRAN(&display_idle);
    default: return Q_SUPER(&QHsm_top);
    }
}

static QState display_initial(display *const me, void const *const parameter)
{
    (void)parameter;
    return Q_TRAN(&display_idle);
}

/* -- the referee --------------------------------------------------------------------------------------------------- */

static QState referee_plays(referee *const me, QEvt const *const e);
static QState referee_shows(referee *const me, QEvt const *const e);

static void post_all(QEvt const *what)
{
    post(&the_display.super, what);
    post(&mallet, what);
    for (int i = 0; i < HOLES; i++) post(&moles[i], what);
}

static QState referee_idle(referee *const me, QEvt const *const e)
{
    switch (e->sig) {
    case Q_ENTRY_SIG: me->running = false; return Q_HANDLED();
    case START_SIG: return Q_TRAN(&referee_plays);
    default: return Q_SUPER(&QHsm_top);
    }
}

static QState referee_plays(referee *const me, QEvt const *const e)
{
    switch (e->sig) {
    case Q_ENTRY_SIG:
        me->running = true;
        me->score = me->escaped = 0;
        arm(&me->super, 20000U);
        post_all(&start);
        return Q_HANDLED();
    case Q_EXIT_SIG:
        (void)QTimeEvt_disarm(&me->super.timeout);
        post_all(&stop);
        return Q_HANDLED();
    case HIT_SIG:
        me->score += 3;
        post(&the_display.super, &hit);
        return Q_HANDLED();
    case MISSED_SIG: me->score--; return Q_HANDLED();
    case ESCAPED_SIG:
        me->score--;
        if (++me->escaped == LIMIT) return Q_TRAN(&referee_shows);
        return Q_HANDLED();
    case TIMEOUT_SIG: return Q_TRAN(&referee_shows);
    default: return Q_SUPER(&QHsm_top);
    }
}

static QState referee_shows(referee *const me, QEvt const *const e)
{
    switch (e->sig) {
    case Q_ENTRY_SIG: arm(&me->super, 2000U); return Q_HANDLED();
    case Q_EXIT_SIG: post(&the_display.super, &over); return Q_HANDLED();
    case TIMEOUT_SIG: return Q_TRAN(&referee_idle);
    default: return Q_SUPER(&QHsm_top);
    }
}

static QState referee_initial(referee *const me, void const *const parameter)
{
    (void)parameter;
    return Q_TRAN(&referee_idle);
}

/* -- the program --------------------------------------------------------------------------------------------------- */

static void construct(object *it, QStateHandler initial)
{
    QActive_ctor(&it->super, initial);
    QTimeEvt_ctorX(&it->timeout, &it->super, TIMEOUT_SIG, 0U);
}

/* The referee has the lowest priority, 1. */
static void begin(object *it, QStateHandler initial, uint8_t priority)
{
    static QEvtPtr queues[HOLES + 2][2];
    QEvtPtr *const queue = queues[priority - 2U];

    construct(it, initial);
    QActive_start(&it->super, Q_PRIO(priority, 0U), queue, Q_DIM(queues[0]), NULL, 0U, NULL);
}

QActive *object_init(void)
{
    begin(&the_display.super, Q_STATE_CAST(&display_initial), 2U);
    begin(&mallet, Q_STATE_CAST(&mallet_initial), 3U);
    for (uint8_t i = 0; i < HOLES; i++) begin(&moles[i], Q_STATE_CAST(&mole_initial), 4U + i);
    construct(&the_referee.super, Q_STATE_CAST(&referee_initial));
    return &the_referee.super.super;
}

void bare_start(void)
{
    post(&the_referee.super, &start);
}

bool bare_running(void)
{
    return the_referee.running;
}

void bare_press(int hole)
{
    post(&mallet, &buttons[hole].super);
}

int bare_score(void)
{
    return the_referee.score;
}
