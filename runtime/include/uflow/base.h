/* base.h - version, status codes, time. */
#ifndef UFLOW_BASE_H
#define UFLOW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UF_VERSION_MAJOR 0
#define UF_VERSION_MINOR 1
#define UF_VERSION_PATCH 0
#define UF_VERSION       "0.1.0"

/* The layout contract between generated code and this library. Generated code refuses to compile against
 * another number, and Flow_init() refuses to run against a library built with another one. */
#define UF_ABI 5

#ifdef __cplusplus
extern "C" {
#endif

/* The library's version as text, equal to UF_VERSION of the headers that it was built with. Any thread. */
const char *uf_version(void);

typedef enum uf_status {
    UF_OK = 0,
    UF_BUSY,         /* the flow is running, or is in use */
    UF_STOPPING,     /* an ordered stop has begun: nothing new is accepted */
    UF_INVALID,      /* an argument has no meaning here */
    UF_TIMED_OUT,    /* the limit was reached first */
    UF_BLOCKED,      /* nothing that is left can ever happen: the clock stands, or nothing is set to wake anyone */
    UF_STALE,        /* the handle is of an earlier run */
    UF_OTHER_PUMP,   /* the flow belongs to another pump */
    UF_ABI_MISMATCH, /* the generated code and the library were built with different UF_ABI */
    UF_DEADLOCK,     /* it would wait for the very thread that it was called on */
    UF_UNSUPPORTED,  /* this pump, or this platform, cannot do that */
    UF_NO_MEMORY,
    UF_NO_THREAD, /* the system gave no thread, or no other resource that one needs */
    UF_CLOSED,    /* the runtime has ended, or did so before it came to this */
    UF_NOT_DONE,  /* the run ended, but not done with the result that was asked for */
    UF_FULL,      /* there is no room for one more */
    UF_DISARMED   /* the checkpoint was disarmed before anyone came */
} uf_status;

/* A constant, lower-case text for a status ("busy"); "unknown status" for anything else. Any thread. */
const char *uf_status_text(uf_status status);

/* How a run ended; UF_RUNNING while it has not, UF_NEVER_RAN before the first. */
typedef enum uf_outcome {
    UF_NEVER_RAN = 0,
    UF_RUNNING,
    UF_DONE,
    UF_FAILED,
    UF_CANCELLED,
    UF_BECAME /* in `on exit` only: this task is left for another one of the same flow */
} uf_outcome;

/* A constant, lower-case text for an outcome ("done"). Any thread. */
const char *uf_outcome_text(uf_outcome outcome);

/* Nanoseconds: a point on a monotonic scale, or a duration. Sums saturate at UF_FOREVER. */
typedef int64_t uf_time;

#define UF_FOREVER INT64_MAX

#define UF_US(n)   ((uf_time)(n)*1000)
#define UF_MS(n)   ((uf_time)(n)*1000000)
#define UF_S(n)    ((uf_time)(n)*1000000000)

/* a + b, saturating at UF_FOREVER and at INT64_MIN. */
static inline uf_time uf_time_add(uf_time a, uf_time b)
{
    if (b > 0 && a > INT64_MAX - b) return UF_FOREVER;
    if (b < 0 && a < INT64_MIN - b) return INT64_MIN;
    return a + b;
}

/* count times unit, saturating: what `(expr) ms` in a .uflow file means for an integer expression. */
uf_time uf_duration(int64_t count, uf_time unit);
uf_time uf_duration_unsigned(uint64_t count, uf_time unit);

#if !defined(UF_NO_FLOAT)
/* The same for a floating-point expression; NaN is 0. */
uf_time uf_duration_real(double count, uf_time unit);
#endif

#ifdef __cplusplus
}
#endif
#endif
