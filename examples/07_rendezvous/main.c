/* Three machines on two runtimes, and this thread. One signal releases all of them, one checkpoint holds them, and
 * another signal stops them. */
#define _POSIX_C_SOURCE 200809L /* nanosleep() */

#include <stdio.h>
#include <time.h>

#include "rendezvous.h"
#include "uflow/runtime.h"

enum { RUNTIMES = 2, MACHINES = 3 };

static bool set_up(uf_runtime *runtimes[RUNTIMES], Machine machines[MACHINES])
{
    for (int i = 0; i < RUNTIMES; i++) {
        if (uf_runtime_new(&runtimes[i], NULL) != UF_OK) return false;
    }
    for (int i = 0; i < MACHINES; i++) {
        if (Machine_init(&machines[i], uf_runtime_pump(runtimes[i % RUNTIMES]), "machine") != UF_OK) return false;
        if (Machine_start_Work(&machines[i]) != UF_OK) return false;
    }
    return true;
}

static void wait_a_little(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Waits until all machines are at the cut. A machine that is late for one fire of `go` receives the next one. */
static void hold(const Machine machines[MACHINES])
{
    if (uf_checkpoint_try_arm(&before_cut) != UF_OK) return;
    while (uf_checkpoint_parked(&before_cut) < MACHINES) {
        uf_signal_fire(&go);
        wait_a_little();
    }
    printf("held before the cut: %u, ", (unsigned)uf_checkpoint_parked(&before_cut));
    printf("cuts so far: %d\n", machines[0].cuts + machines[1].cuts + machines[2].cuts);
}

int main(void)
{
    uf_runtime *runtimes[RUNTIMES];
    Machine machines[MACHINES];

    if (!set_up(runtimes, machines)) return 1;

    if (uf_checkpoint_arm(&before_cut, UF_MS(20)) == UF_TIMED_OUT) puts("nobody came: not armed any more");

    hold(machines);
    printf("resumed: %u\n", (unsigned)uf_checkpoint_resume(&before_cut));
    hold(machines);

    uf_signal_fire(&halt); /* also the held ones */
    for (int i = 0; i < MACHINES; i++) {
        uf_call_info end;
        if (uf_flow_wait(&machines[i].uf, UF_S(10), &end) != UF_OK) return 1;
        printf("machine %d: %s after %d cut\n", i, uf_outcome_text(end.outcome), machines[i].cuts);
    }
    for (int i = 0; i < RUNTIMES; i++) {
        if (uf_runtime_free(runtimes[i]) != UF_OK) return 1;
    }
    return 0;
}
