/* signal.pml - a model of runtime/core/signal.c and fired.c. It has two pumps with a flow each, firing threads,
 * cancelled flows, and an owner who destroys the signal as soon as it has fired.
 *
 * One atomic operation is one step here. The code between ufp_critical_enter() and ufp_critical_leave() is also one
 * step, because only one thread is inside. A waiter does not check again after it has joined, as for preemption.
 *
 * No waiter is missed: at the end, no flow waits since an earlier epoch. No waiter is released twice: the flows that
 * heard a fire are as many as the fires counted. Two kinds of flows are excepted: those cancelled after they were
 * counted, and those that found the signal fired before they joined. No memory is used after it was freed. */
#define PUMPS 2

#ifndef CYCLES
#define CYCLES 2
#endif
#ifndef FIRERS
#define FIRERS 2
#endif
#ifndef FIRES
#define FIRES 1
#endif

#define NOBODY 255

byte epoch, waiting;             /* the word */
byte home = NOBODY, guests, firing;
bool fired, closed, freed;
bool guest_list_in_use[PUMPS], guest_list_fired[PUMPS];
bool told[PUMPS], message[PUMPS];

byte counted, heard, heard_early, cancelled_late;
byte ready;                      /* flows that have joined or no longer need to wait, for the owner */

inline touch()
{
    assert(!freed)
}

/* release(): one step inside the critical section; `mine` are the pumps that this thread notifies. */
inline release()
{
    atomic {
        touch();
        if
        :: home != NOBODY ->
            fired = true;
            if
            :: !told[home] -> told[home] = true; mine[home] = true
            :: else
            fi
        :: else
        fi;
#ifndef ONE_PUMP_TOLD
        if
        :: guests > 0 ->
            p = 0;
            do
            :: p < PUMPS && guest_list_in_use[p] ->
                guest_list_fired[p] = true;
                if
                :: !told[p] -> told[p] = true; mine[p] = true
                :: else
                fi;
                p++
            :: p < PUMPS && !guest_list_in_use[p] -> p++
            :: else -> break
            od
        :: else
        fi;
#endif
        p = 0
    }
    atomic { touch(); firing-- }
    do
    :: p < PUMPS -> atomic { message[p] = message[p] || mine[p]; mine[p] = false; p++ }
    :: else -> break
    od
}

proctype Firer()
{
    byte e, w, p, fires;
    bool mine[PUMPS];

    do
    :: fires < FIRES ->
        do
        :: atomic { touch(); e = epoch; w = waiting }
            if
            :: w == 0 ->
                atomic {
                    touch();
                    if
                    :: epoch == e && waiting == w -> epoch++; break
                    :: else
                    fi
                }
            :: else ->
                atomic { touch(); firing++ }
                atomic {
                    touch();
                    if
                    :: epoch == e && waiting == w -> epoch++; waiting = 0; counted = counted + w; goto tell
                    :: else
                    fi
                }
                atomic { touch(); firing-- }
            fi
        od;
        goto next;
tell:
        release();
next:
        fires++
    :: else -> break
    od
}

proctype Pump(byte me)
{
    byte since, cycles;
    bool at_home, as_guest, joined, is_due, look_home, look_guests;

    do
    :: cycles < CYCLES ->
        atomic { touch(); since = epoch }                         /* the body begins */
#ifdef JOIN_FIRST
        atomic { touch(); joined = (epoch == since); waiting = (joined -> waiting + 1 : waiting) }
#endif
        atomic { touch(); if :: home == NOBODY -> home = me :: else fi }
        if
        :: atomic { home == me -> at_home = true }
        :: atomic { home != me -> touch(); guests++ }
            as_guest = true;
            guest_list_in_use[me] = true
        fi;
#ifndef JOIN_FIRST
        atomic { touch(); joined = (epoch == since); waiting = (joined -> waiting + 1 : waiting) }
#endif
        atomic { ready++; is_due = !joined; heard_early = (joined -> heard_early : heard_early + 1) }

        do                                                          /* parked */
        :: is_due -> heard++; break
        :: !is_due && message[me] ->
            message[me] = false;
#ifndef TOLD_LOWERED_LATE
            told[me] = false;
#endif
            atomic { look_home = (at_home && fired); fired = (look_home -> false : fired) }
            atomic { look_guests = guest_list_fired[me]; guest_list_fired[me] = false }
            if
            :: (look_home && at_home) || (look_guests && as_guest) ->
                atomic {
                    touch();
                    if
                    :: epoch != since -> is_due = true
                    :: epoch == since && closed -> goto leave       /* the task fails */
                    :: else
                    fi
                }
            :: else
            fi;
#ifdef TOLD_LOWERED_LATE
            told[me] = false
#endif
#ifdef CANCEL
        :: !is_due -> goto leave
#endif
        :: timeout ->
            assert(epoch == since || !joined);                      /* no waiter was missed */
            assert(waiting > 0);
            goto leave
        od;
leave:
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
        :: at_home -> atomic { touch(); fired = false; home = NOBODY; at_home = false }
        :: as_guest ->
            guest_list_in_use[me] = false;
            atomic { touch(); guests--; as_guest = false }
        fi;
        is_due = false;
        cycles++
    :: else -> break
    od;
    do                                                              /* messages on their way to it */
    :: message[me] -> message[me] = false; told[me] = false
    :: timeout -> break
    od
}

#ifdef DESTROY
/* The owner sees by the epoch that the signal has fired, and that no flow is about to begin waiting. */
proctype Owner()
{
    byte p;
    bool mine[PUMPS];

    epoch > 0 && ready == PUMPS;
    closed = true;
    firing++;
    release();
#ifdef DESTROYED_UNDER_A_FIRE
    home == NOBODY && guests == 0;
#else
    home == NOBODY && guests == 0 && firing == 0;
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
    assert(waiting == 0 && home == NOBODY && guests == 0 && firing == 0 && !fired);
    assert(heard + cancelled_late == counted + heard_early)
}
