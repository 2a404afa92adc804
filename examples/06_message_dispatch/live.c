/* The same with threads: an hour is spent by sleeping 8 ms on a thread of the pool. */
#define _POSIX_C_SOURCE 200809L /* nanosleep() */

#include <stdio.h>
#include <time.h>

#include "messages.h"
#include "uflow/runtime.h"

void pass(int hours)
{
    (void)nanosleep(&(struct timespec){ .tv_nsec = hours * 8000000L }, NULL);
}

int main(void)
{
    uf_runtime *runtime;
    Student student;
    Spawner professor, companion;
    uf_call_info end;

    if (uf_runtime_new(&runtime, NULL) != UF_OK) return 1;
    uf_pump *const pump = uf_runtime_pump(runtime);
    if (Student_init(&student, pump, "student") != UF_OK) return 1;
    if (Spawner_init(&professor, pump, "professor", &student, assignments, ASSIGNMENTS, 15) != UF_OK) return 1;
    if (Spawner_init(&companion, pump, "friend", &student, invitations, INVITATIONS, 27) != UF_OK) return 1;

    (void)Student_start_Study(&student, ASSIGNMENTS + INVITATIONS);
    (void)Spawner_start_Send(&professor);
    (void)Spawner_start_Send(&companion);
    if (uf_flow_wait(&student.uf, UF_S(60), &end) != UF_OK) return 1;

    printf("%s: hours=%d  ability=%d  messages_handled=%d\n", uf_outcome_text(end.outcome), student.hours,
           student.ability, student.handled);
    return uf_runtime_free(runtime) == UF_OK ? 0 : 1;
}
