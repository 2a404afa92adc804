/* checkpoint.pml - a model of core/waits/checkpoint.c and uf_checkpoint_arm(). Two flows pass. A controller arms,
 * waits for a flow, times out, and resumes. Another thread resumes and disarms at any time. Flows may leave by another
 * arm.
 *
 * signal.pml checks the guarantees of signals. Here, waiting means waiting for another epoch of `arrived`. */
#ifndef PASSES
#define PASSES 2
#endif
#ifndef ARMS
#define ARMS 2
#endif

#define OK       1
#define TIMED_OUT 2
#define DISARMED 3

byte epoch, standing;  /* the word: armed while the epoch is odd */
byte arrived;          /* the epoch of `arrived` */
byte reached;
byte stops, leaves, resumed, passes;
bool came[32], let_go[32]; /* a flow was held in this epoch, and resumed in it */

/* Changes exactly (e, w) to UNARMED. */
inline disarm_from(e, w, done)
{
#ifndef REACHED_NOT_NOTED
    if
    :: w > 0 -> atomic { reached = (e > reached -> e : reached) }
    :: else
    fi;
#endif
    atomic {
        done = (epoch == e && standing == w);
        if
        :: done ->
#ifdef STAYS_ARMED
            epoch = epoch + (w > 0 -> 2 : 1);
#else
            epoch = epoch + 1;
#endif
            resumed = resumed + standing;
            let_go[e] = (standing > 0);
            standing = 0
        :: else
        fi
    }
    if
    :: done && w == 0 -> arrived++
    :: else
    fi
}

inline resume()
{
    do
    :: atomic { e = epoch; w = standing }
        if
        :: e % 2 == 0 -> break
        :: else ->
            disarm_from(e, w, done);
            if
            :: done -> break
            :: else
            fi
        fi
    od
}

proctype Flow()
{
    byte since, passed;

    do
    :: passed < PASSES ->
again:
        atomic { since = epoch }
        if
        :: since % 2 == 0                                            /* passes */
        :: else ->
#ifdef ARRIVED_EARLY
            arrived++;
#endif
            atomic {
                if
                :: epoch == since -> standing++; stops++; came[since] = true
                :: else -> goto again
                fi
            }
#ifndef ARRIVED_EARLY
            arrived++;
#endif
            if
            :: epoch != since
#ifndef PATIENT
            :: atomic {                                              /* another arm, or a cancel */
                    if
                    :: epoch == since -> standing--; leaves++
                    :: else
                    fi
                }
#endif
            fi
        fi;
        passed++;
        passes++
    :: else -> break
    od
}

proctype Controller()
{
    byte arming, since, e, w, arms, status;
    bool done;

    do
    :: arms < ARMS ->
        atomic { assert(epoch % 2 == 0); epoch++; arming = epoch }   /* no other thread arms */
        do
        :: since = arrived;
            atomic { e = epoch; w = standing }
            if
            :: e == arming && w > 0 -> status = OK; break
            :: e != arming && reached == arming -> status = OK; break
            :: e != arming && reached != arming -> status = DISARMED; break
            :: else
            fi;
            if
            :: arrived != since
#ifdef PATIENT
            :: timeout ->                                            /* no flow will come any more */
                assert(epoch == arming && standing == 0);
#else
            :: true ->                                               /* timeout */
#endif
                disarm_from(arming, 0, done);
#ifdef GIVEN_UP_BLINDLY
                done = true;
#endif
                if
                :: done -> status = TIMED_OUT; break
                :: else
                fi
            fi
        od;
        assert(status != OK || came[arming]);
        assert(status != DISARMED || !let_go[arming]);               /* no flow that came and was resumed was missed */
        if
        :: status == OK -> resume()
        :: else -> assert(epoch != arming)                           /* the checkpoint is not armed */
        fi;
        arms++
    :: else -> break
    od
}

#ifdef RIVAL
proctype Rival()
{
    byte e, w;
    bool done;

    resume();
    if                                                               /* uf_checkpoint_disarm() */
    :: atomic { epoch % 2 == 1 && standing == 0 -> e = epoch; w = 0 }
        disarm_from(e, w, done)
    :: true
    fi
}
#endif

init {
    atomic {
        run Flow();
        run Flow();
        run Controller();
#ifdef RIVAL
        run Rival()
#endif
    }
    _nr_pr == 1;
    assert(epoch % 2 == 0 && standing == 0);
    assert(stops == resumed + leaves);                              /* each was resumed exactly once, or has left */
    assert(passes == 2 * PASSES)
}
