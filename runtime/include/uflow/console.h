/* console.h - an observer that writes one line an event:
 *
 *   [line.picker]    FLOW START  Pick  at=1000.00ms
 *   [line.picker]    MoveOver -> Grip             slot 7                         #00 elapsed=20.00ms tick x2
 *   [line.picker]    [THREW] Grip  hal.c:12: check failed: p != NULL
 *   [line.picker]    Grip -> (end)                                               #01 elapsed=0.00ms tick x1
 *   [line.picker]    FLOW END  Fail  steps=#01 wall=20.00ms  reason=hal.c:12: check failed: p != NULL
 *   [line.picker]    FLOW END  Cancelled  steps=#00 wall=5.00ms
 *   [line.picker]    CHECKPOINT    before_grip parked
 *                    SIGNAL FIRED  estop released=3
 *                    POST RUN      main.c:31 on_click()  waited=0.02ms
 *                    POSTWAIT RUN  main.c:40 ask()  waited=0.05ms
 *                    LINK          driven by console
 *                    STOP          shutting down  after=0.00ms refused=0 ended=1 cancelled=0 shut_down=0 cut_off=0
 *
 *   [line.picker]    ASYNC SUBMIT  weigh
 *   [line.picker]    ASYNC DONE    weigh  wait=500.00ms [TIMEOUT]
 *   [line.picker]    [ASYNC ABANDONED]  weigh
 *   [line.picker]    [ASYNC HIGHWATER]  weigh rejected, inflight=64  reason=too many of this flow are in flight
 *
 *   [line.picker]    [SLOW CPU]  Pick.Grip  took=15.00ms
 *   [line.picker]    [SLOW ASYNC]  weigh  worker=weigh_slowly wait=500.00ms
 *                    [SLOW ROUND]  took=17.20ms turns=3 steps=16.00ms  longest=15.00ms line.picker Pick.Grip
 *
 * `at` and `elapsed` are logical, all other times are real. A step of another task is shown with its task: Lift -> Park.Home. The end
 * of a run also says how long its jobs were waited for, if there were any, and where bodies are timed (observer.h: body_ran)
 * how many there were, how long they took, and in which step the longest one ran:
 *
 *   [line.picker]    FLOW END  Done  steps=#03 wall=70.00ms  async=20.00ms  bodies=6 min=0.01ms mean=0.02ms max=0.05ms total=0.12ms worst=Pick.Grip
 *
 * Needs stdio. */
#ifndef UFLOW_CONSOLE_H
#define UFLOW_CONSOLE_H

#include "uflow/observer.h"
#include "uflow/pump.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UF_CONSOLE_FLOWS 64 /* that run at once, and are measured: beyond it, wall=? */

typedef struct uf_console {
    uf_observer observer;
    FILE *out;
    uf_run_record runs[UF_CONSOLE_FLOWS];
} uf_console;

/* Makes the struct, which is the caller's, a console that writes to `out`, and adds it nowhere: that is done by
 * uf_runtime_add_observer(runtime, &console.observer) from any thread, or by `observers` of the runtime's configuration. Not
 * while it is attached. UF_INVALID for a NULL. */
uf_status uf_console_init(uf_console *console, FILE *out);

/* Both at once for a pump: adds the console to its observers, writing to `out`. The struct is the caller's and must stay until it is
 * detached; errors of the stream are the caller's to ask for. UF_INVALID for a NULL; UF_BUSY if it is attached
 * already. On the pump's thread, as all of this. */
uf_status uf_console_attach(uf_console *console, uf_pump *pump, FILE *out);

/* UF_INVALID if it is not attached to this pump. */
uf_status uf_console_detach(uf_console *console, uf_pump *pump);

#ifdef __cplusplus
}
#endif
#endif
