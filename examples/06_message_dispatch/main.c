/* A student, a professor and a friend, in virtual time: an hour is 8 ms, and the seed determines the jobs. */
#include <stdio.h>

#include "messages.h"

void pass(int hours)
{
    (void)hours; /* the seeded pool advances the time */
}

static int study(uf_pump *pump, const message *from_professor, int assignment_count, int invitation_count)
{
    Student student;
    Spawner professor, companion;

    if (Student_init(&student, pump, "student", &professor, &companion) != UF_OK) return 1;
    if (Spawner_init(&professor, pump, "professor", &student, from_professor, assignment_count, PROFESSOR_MS) != UF_OK)
        return 1;
    if (Spawner_init(&companion, pump, "friend", &student, invitations, invitation_count, FRIEND_MS) != UF_OK) return 1;

    (void)Spawner_start_Send(&professor);
    (void)Spawner_start_Send(&companion);
    (void)Student_start_Study(&student); /* last: it ends when no sender is left */
    if (uf_simulate_until_idle(pump, UF_FOREVER) != UF_OK) return 1;

    if (uf_flow_outcome(&student.uf) != UF_DONE) printf("failed: %s\n", uf_flow_reason(&student.uf));
    printf("  hours=%d  ability=%d  stress=%d  messages_handled=%d\n", student.hours, student.ability, student.stress,
           student.handled);
    if (student.nights) printf("  nights=%d\n", student.nights);
    if (Student_destroy(&student) != UF_OK || Spawner_destroy(&professor) != UF_OK) return 1;
    return Spawner_destroy(&companion) == UF_OK ? 0 : 1;
}

int main(void)
{
    static uf_work works[8];
    static const message thesis[] = {{"thesis", 40, 12}};
    uf_seeded_pool pool;
    uf_pump pump;

    if (uf_pool_seeded(&pool, works, 8, 2026, UF_MS(72)) != UF_OK) return 1;
    if (uf_pump_init(&pump, &(uf_pump_config){.pool = &pool.pool}) != UF_OK) return 1;
    if (study(&pump, assignments, ASSIGNMENTS, INVITATIONS) != 0) return 1;
    return study(&pump, thesis, 1, 0); /* difficult messages cost sleep */
}
