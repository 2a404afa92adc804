/* clock.h - logical time: what timeouts, `for` and timers of flows are measured in.
 *
 * A clock maps the real monotonic time that its pump is given to logical time: real time, scaled, and
 * standing still while frozen. Logical time never runs backwards and is continuous over every change.
 *
 * These functions are for a clock of your own. That of a pump is asked and changed by uf_pump_now(), uf_pump_set_scale(),
 * uf_pump_freeze() and their like (pump.h). With NULL they do nothing and return 0 or UF_INVALID; zeroed, a clock stands. */
#ifndef UFLOW_CLOCK_H
#define UFLOW_CLOCK_H

#include "uflow/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct uf_clock {
    uf_time real;     /* real time of the last advance */
    uf_time logical;  /* logical time at that moment */
    uint64_t scale;   /* logical nanoseconds per real one, as Q32.32 fixed point */
    uint64_t residue; /* logical time that has passed but is not counted yet, as Q32.32: mostly a fraction of 1 ns */
    bool frozen;
} uf_clock;

/* Starts at real time `real` with logical time equal to it, scale 1, running. */
void uf_clock_init(uf_clock *clock, uf_time real);

/* Moves to real time `real` and returns logical time then. A time before the last one changes nothing. */
uf_time uf_clock_advance(uf_clock *clock, uf_time real);

/* Logical time as of the last advance. */
uf_time uf_clock_now(const uf_clock *clock);

/* From the last advance on `scale` logical seconds pass in a real one. 0 makes time stand (without being frozen).
 * UF_INVALID, and nothing changes, for a negative one, NaN, or more than 2^31. Stored while frozen. Rounded to
 * 2^-32. */
#if !defined(UF_NO_FLOAT)
uf_status uf_clock_set_scale(uf_clock *clock, double scale);
double uf_clock_scale(const uf_clock *clock);
#endif

/* The same without floating point: `scale` in units of 2^-32, so that UINT64_C(1) << 32 is real time. */
uf_status uf_clock_set_scale_fixed(uf_clock *clock, uint64_t scale);

/* Logical time stands from the last advance on, however long; both are idempotent, a flag and not a count. */
void uf_clock_freeze(uf_clock *clock);
void uf_clock_resume(uf_clock *clock);
bool uf_clock_frozen(const uf_clock *clock);

/* The real time that passes from the last advance until logical time reaches `deadline`, rounded up:
 * 0 if it is due, UF_FOREVER if, as the clock stands, it never will be. */
uf_time uf_clock_real_until(const uf_clock *clock, uf_time deadline);

#ifdef __cplusplus
}
#endif
#endif
