/* The same with a thread. The gaps between messages are real, and a job of one hour sleeps 8 ms on a pool thread. */
#define _POSIX_C_SOURCE 200809L /* nanosleep() */

#include <stdio.h>
#include <time.h>

#include "live.h"
#include "uflow/runtime.h"

void pass(int hours)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = hours * 8000000L}, NULL);
}

int main(void)
{
    uf_runtime *runtime;
    static Day day;
    uf_call_info end;

    if (uf_runtime_new(&runtime, NULL) != UF_OK) return 1;
    if (Day_init(&day, uf_runtime_pump(runtime), "day") != UF_OK) return 1;
    printf("\x1b[2J");
    uf_status const status = Day_call_Live(&day, UF_FOREVER, &end);
    if (uf_runtime_free(runtime) != UF_OK) return 1;
    printf("\x1b[8;1H\x1b[2K\x1b[?25h");
    if (status != UF_OK) printf("  failed: %s\n", end.reason);
    printf("  hours=%d  ability=%d  stress=%d  messages_handled=%d\n", day.student.hours, day.student.ability,
           day.student.stress, day.student.handled);
    return status == UF_OK ? 0 : 1;
}
