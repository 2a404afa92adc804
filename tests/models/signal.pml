/* signal.pml - runtime/core/signal.c and fired.c: two pumps with a flow each, threads that fire, flows that are cancelled,
 * and an owner who destroys the signal as soon as he sees that it has fired.
 *
 * What is one atomic operation there is one step here; what lies between ufp_critical_enter() and ufp_critical_leave() is one step, for
 * nobody else is in there. Who waits does not look again after he has joined, as a pre-emption does not.
 *
 * Nobody is missed: when nothing can happen any more, nobody waits since an epoch that is over. Nobody is released twice:
 * of the flows, those who have heard it are as many as the fires have counted, but for those who were cancelled after they
 * were counted and those who found that it had fired before they had joined. Nothing is touched after it was freed. */
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
byte ready;                      /* flows that have joined or need not wait any more, for the owner */

inline touch()
{
    assert(!freed)
}

/* release(): inside, all of it at once; `mine` are the pumps that this one tells. */
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
            assert(epoch == since || !joined);                      /* nobody was missed */
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
    do                                                              /* what is still on its way to it */
    :: message[me] -> message[me] = false; told[me] = false
    :: timeout -> break
    od
}

#ifdef DESTROY
/* He sees that it has fired, by its epoch, and that nobody is about to begin to wait. */
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
