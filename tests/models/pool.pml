/* pool.pml - a model of how runtime/host/pool.c wakes its threads. Two pumps submit batches of jobs. A job returns when
 * as many jobs have begun as can run at the same time, so each of them needs a thread of its own.
 *
 * The mutex is modelled, and a condition as in posix_host.c: a signal is not lost if the thread has read the number of
 * signals under the mutex. There are no spurious wake-ups, because they would hide a lost one. */
#ifndef THREADS
#define THREADS 3
#endif
#ifndef JOBS
#define JOBS 3 /* of both pumps */
#endif
#ifndef CPUS
#define CPUS 1
#endif
#define TOGETHER (JOBS < THREADS -> JOBS : THREADS)

bool locked;
byte unsubmitted = JOBS, queued, begun, ran;
byte stack[THREADS], idle_count, woken, spinning; /* the idle threads: the last one is woken first */
bool idle[THREADS], asleep[THREADS], signalled[THREADS];

inline lock()   { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

/* With the mutex: wakes threads for `jobs` jobs. */
inline wake(jobs)
{
    atomic {
        n = jobs;
        do
        :: n > 0 && idle_count > 0 && woken < CPUS ->
            idle_count--;
            t = stack[idle_count];
            idle[t] = false;
            woken++;
            if
            :: asleep[t] -> signalled[t] = true
            :: else
            fi;
            n--
        :: else -> break
        od;
        n = 0;
        t = 0
    }
}

active [2] proctype pump()
{
    byte batch, n, t;

    do
    :: unsubmitted == 0 -> break
    :: else ->
        lock();
        atomic {
            if
            :: unsubmitted >= 1 -> batch = 1
            :: unsubmitted >= 2 -> batch = 2
            :: unsubmitted == 0 -> batch = 0
            fi;
            unsubmitted = unsubmitted - batch;
            queued = queued + batch
        }
        wake(batch);
        unlock()
    od
}

active [THREADS] proctype thread()
{
    byte me = _pid - 2, n, t;
    bool spins;

    lock();
    do
    :: queued > 0 ->
        queued--;
#ifndef WAKES_NO_OTHER
        wake(queued);
#endif
        unlock();
        begun++;
        begun >= TOGETHER;
        ran++;
        lock()
    :: else ->
        atomic {
            idle[me] = true;
            stack[idle_count] = me;
            idle_count++;
            spins = (spinning < CPUS / 2)
        }
        if
        :: spins ->
            spinning++;
            unlock();
            if
            :: !idle[me]
            :: true /* in vain */
            fi;
            lock();
            spinning--
        :: else
        fi;
#ifndef ASLEEP_UNSAID
        asleep[me] = true;
#endif
#ifdef SLEEPS_UNCHECKED
        do
        :: true ->
#else
        do
        :: !idle[me] -> break
        :: else ->
#endif
            signalled[me] = false;
            unlock();
end_asleep: signalled[me];
            lock();
#ifdef SLEEPS_UNCHECKED
            if
            :: !idle[me] -> break
            :: else
            fi
#endif
        od;
        asleep[me] = false;
#ifndef WOKEN_FOR_EVER
        woken--
#endif
    od
}

/* Nothing more happens. */
active proctype end()
{
    timeout -> assert(ran == JOBS && queued == 0 && woken == 0 && spinning == 0 && !locked && idle_count == THREADS)
}
