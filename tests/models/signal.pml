/* signal.pml - a model of core/waits/signal.c and fired.c. It has two pumps with a waiting flow each, firing threads,
 * fires in rounds of the home, cancelled flows, and an owner who destroys the signal as soon as it has fired.
 *
 * One atomic operation is one step here. The critical section of the signal is a lock, because the home changes `home`,
 * `queued` and its stack outside of it. A waiter does not check again after it has joined, as for preemption.
 *
 * No waiter is missed: at the end, no flow waits since an earlier epoch. No waiter is released twice: the flows that
 * heard a fire are as many as the fires counted. Two kinds of flows are excepted: those cancelled after they were
 * counted, and those that found the signal fired before they joined. No memory is used after it was freed. No message
 * is sent while it is under way. A pump that is not the home never finds the signal on its stack. */
#define PUMPS 2

#ifndef CYCLES
#define CYCLES 2
#endif
#ifndef FIRERS
#define FIRERS 2
#endif
#ifndef HOME_FIRES
#define HOME_FIRES 1              /* fires in rounds of the home */
#endif

#ifndef CANCELS
#define CANCELS 0
#endif

#define NOBODY 255

byte epoch, waiting;             /* the word */
byte home = NOBODY, others, firing;
bool ceasing;                    /* the mark in `home`; both are written in one step */
bool queued, closed, freed, lock;
bool listed[PUMPS];              /* the pump's foreign arm is on the signal's list */
byte since_of[PUMPS];            /* of that arm */

/* A pump's stack: the signal, its arm. `told`: the stack is not NULL, so its message is under way. */
bool signal_on_stack[PUMPS], arm_on_stack[PUMPS], told[PUMPS], message[PUMPS];

byte counted, heard, heard_early, cancelled_late;
byte ready;                      /* flows that have joined or no longer need to wait, for the owner */
byte begun;                      /* fires of the firing threads that have changed the word */
byte home_fires, cancels;

#define touch() assert(!freed)      /* a macro: Spin names the line of its use if that is never reached */

inline enter()
{
    atomic { touch(); !lock -> lock = true }
}

inline leave()
{
    atomic { lock = false }      /* a static lock: not in the signal */
}

inline note_pushed(to)
{
    if
    :: !told[to] -> told[to] = true; mine[to] = true
    :: else
    fi
}

inline read_home()
{
    atomic { touch(); h = (ceasing -> NOBODY : home) }
}

inline claim_home()
{
    read_home();
    do
    :: h != NOBODY ->
        if
        :: atomic { !queued -> touch(); queued = true }
            read_home();
            if
            :: h != NOBODY -> break
            :: else ->
                atomic { touch(); queued = false }     /* unreached in Pump: it fires at home */
#ifdef LOOKS_ONCE
                break
#else
                read_home()
#endif
            fi
        :: atomic { queued -> touch(); h = NOBODY }
        fi
    :: else -> break
    od
}

inline push_arms()
{
    enter();
    atomic {
        touch();
        p = 0;
        do
        :: p < PUMPS && listed[p] && (since_of[p] != epoch || closed) ->
            listed[p] = false;
            arm_on_stack[p] = true;
            note_pushed(p);
            p++
        :: p < PUMPS && !(listed[p] && (since_of[p] != epoch || closed)) -> p++
        :: else -> break
        od;
        p = 0
    }
    leave()
}

/* take_released() and notify_released(); the caller is counted in `firing`. */
inline notify_waiters()
{
#ifdef CLAIMED_LATE
    atomic { touch(); h = (ceasing || queued -> NOBODY : home) }
    queued = queued || h != NOBODY;
#else
    claim_home();
#endif
    if
    :: h != NOBODY ->
        atomic { assert(!signal_on_stack[h] && home == h); signal_on_stack[h] = true; note_pushed(h); h = NOBODY }
    :: else
    fi;
#ifndef ONE_PUMP_TOLD
    if
    :: atomic { others > 0 -> touch() }
        push_arms()
    :: atomic { others == 0 -> touch() }
    fi;
#endif
    atomic { touch(); firing-- }
    do
    :: p < PUMPS ->
        atomic { assert(!mine[p] || !message[p]); message[p] = message[p] || mine[p]; mine[p] = false; p++ }
    :: else -> break
    od;
    p = 0
}

proctype Firer()
{
    byte e, w, p, h = NOBODY;
    bool mine[PUMPS];

    do
    :: atomic { touch(); e = epoch; w = waiting }
        if
        :: w == 0 ->
            atomic {
                touch();
                if
                :: epoch == e && waiting == w -> epoch++; begun++; break
                :: else
                fi
            }
        :: else ->
            atomic { touch(); firing++ }
            atomic {
                touch();
                if
                :: epoch == e && waiting == w -> epoch++; begun++; waiting = 0; counted = counted + w; goto tell
                :: else
                fi
            }
            atomic { touch(); firing-- }
        fi
    od;
    goto done;
tell:
    notify_waiters();
done:
    skip
}

/* Takes the stack: the signal goes to `fired`, the arm to `due`. */
inline take_stack(then)
{
    atomic {
        took = signal_on_stack[me];
        due = due || arm_on_stack[me];
        signal_on_stack[me] = false;
        arm_on_stack[me] = false;
        told[me] = then
    }
    assert(!took || at_home);
#ifndef QUEUED_CLEARED_LATE
    if
    :: took -> atomic { touch(); queued = false; fired = true; took = false }
    :: else
    fi
#else
    fired = fired || took
#endif
}

inline take_early()
{
    if
    :: signal_on_stack[me] || arm_on_stack[me] ->
#ifdef MESSAGE_SENT_TWICE
        take_stack(false)
#else
        take_stack(true)
#endif
    :: else
    fi
}

inline look()
{
    atomic {
        touch();
        fired = false;
        if
        :: epoch != since -> is_due = true
        :: epoch == since && closed -> detached = true          /* the task fails */
        :: else
        fi
    }
}

proctype Pump(byte me)
{
    byte since, cycles, p, w, h = NOBODY;
    bool at_home, foreign, joined, is_due, fired, due, took, detached;
    bool mine[PUMPS];

    do
    :: cycles < CYCLES ->
        atomic { touch(); since = epoch }                         /* the body begins */
#ifdef JOIN_FIRST
        atomic { touch(); joined = (epoch == since); waiting = (joined -> waiting + 1 : waiting) }
#endif
        if
        :: atomic { home == NOBODY -> touch(); home = me; at_home = true }
        :: atomic { home != NOBODY -> touch(); others++; foreign = true }
            enter();
            atomic { touch(); listed[me] = true; since_of[me] = since }
            leave()
        fi;
#ifndef JOIN_FIRST
        atomic { touch(); joined = (epoch == since); waiting = (joined -> waiting + 1 : waiting) }
#endif
        atomic { ready++; is_due = !joined; heard_early = (joined -> heard_early : heard_early + 1) }
        if
        :: atomic { closed && !is_due -> touch(); detached = true }
        :: else
        fi;

        do                                                          /* parked */
        :: is_due -> heard++; break
        :: detached -> break
        :: !is_due && !detached && message[me] ->
            message[me] = false;
#ifdef EMPTIED_LATE
            take_stack(true);
#else
            take_stack(false);
#endif
#ifdef QUEUED_CLEARED_LATE
            if
            :: fired -> look()
            :: else
            fi;
            if
            :: took -> atomic { touch(); queued = false; took = false }
            :: else
            fi;
#else
            if
            :: fired || due -> look()
            :: else
            fi;
#endif
#ifdef EMPTIED_LATE
            told[me] = false
#endif
        :: !is_due && !detached && fired -> look()
        :: atomic { !is_due && !detached && at_home && joined && home_fires < HOME_FIRES && waiting > 0 ->
            touch(); home_fires++; epoch++; w = waiting; waiting = 0; counted = counted + w; fired = true }
#ifndef OTHERS_FORGOTTEN
            if
            :: atomic { others > 0 -> touch() }
                atomic { touch(); firing++ }
                notify_waiters()
            :: atomic { others == 0 -> touch() }
            fi
#endif
        :: atomic { !is_due && !detached && cancels < CANCELS -> cancels++; break }
        :: timeout ->
            assert(epoch == since || !joined);                      /* no waiter was missed */
            assert(waiting > 0);
            break
        od;

        atomic {
            touch();
            if
            :: !is_due && joined ->
#ifdef LEFT_TWICE
                waiting--
#else
                if
                :: epoch == since -> waiting--
                :: else -> cancelled_late++
                fi
#endif
            :: else
            fi
        }
        if
        :: at_home ->
#ifndef CEASES_UNMARKED
            atomic { touch(); ceasing = true };
#endif
            do
            :: atomic { signal_on_stack[me] -> touch() }
                take_early()
#ifdef CEASES_WITHOUT_WAITING
            :: atomic { !signal_on_stack[me] -> touch(); break }
#else
            :: atomic { !queued -> touch(); break }
#endif
            od;
            atomic { touch(); fired = false; home = NOBODY; ceasing = false; at_home = false }
        :: foreign ->
            if
            :: !due ->
                enter();
                atomic { touch(); took = listed[me]; listed[me] = false }
                leave();
                if
                :: took -> took = false
                :: else -> atomic { assert(arm_on_stack[me] && !signal_on_stack[me]); arm_on_stack[me] = false }
                fi
            :: else
            fi;
            atomic { touch(); others--; foreign = false }
        fi;
        due = false;
        is_due = false;
        detached = false;
        joined = false;
        since = 0;
        cycles++
    :: else -> break
    od;
    do                                                              /* messages on their way to it */
    :: message[me] ->
        assert(!signal_on_stack[me] && !arm_on_stack[me]);
        atomic { message[me] = false; told[me] = false }
    :: timeout -> break
    od
}

#ifdef DESTROY
/* The owner sees by the epoch that the signal has fired, that no fire is about to begin, and that no flow is about to
 * begin waiting. Fires may still be returning. */
proctype Owner()
{
    byte p, h = NOBODY;
    bool mine[PUMPS];

    epoch > 0 && begun == FIRERS && ready == PUMPS;
    atomic { closed = true; firing = firing + 2 }                   /* one of them until it has notified all */
    notify_waiters();
#ifdef DESTROYED_UNDER_A_FIRE
    home == NOBODY && others == 0;
#else
    atomic { home == NOBODY && others == 0 && firing == 1 -> firing = 0 };
#endif
    freed = true
}
#endif

init {
    byte i;
    atomic {
        i = 0;
        do
        :: i < PUMPS -> run Pump(i); i++
        :: else -> break
        od;
        i = 0;
        do
        :: i < FIRERS -> run Firer(); i++
        :: else -> break
        od;
#ifdef DESTROY
        run Owner()
#endif
    }
    _nr_pr == 1;
    assert(waiting == 0 && home == NOBODY && others == 0 && firing == 0 && !queued && !ceasing && !lock);
    assert(heard + cancelled_late == counted + heard_early)
}
