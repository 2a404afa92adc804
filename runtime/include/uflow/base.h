/* SPDX-License-Identifier: MIT */
/* base.h - status codes and time.
 *
 *   uf_status status = uf_pump_init(&pump, NULL);
 *   if (status != UF_OK) puts(uf_status_text(status));
 *   uf_simulate_until(&pump, UF_S(2) + UF_MS(500));
 */
#ifndef UFLOW_BASE_H
#define UFLOW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uflow/priv/settings.h"
#include "uflow/version.h"

UF_C_BEGIN

/* The version of the library as text: UF_VERSION of the headers it was built with.
 * Thread: any, with every pump.
 * Returns: a constant text. */
const char *uf_version(void);

/* The result of a function that can be refused or can fail. */
typedef enum uf_status {
    /* The call succeeded. */
    UF_OK = 0,
    /* The object is in use: the flow runs, the observer is attached, or a stop has begun. Do: Wait until it is
     * free, or use Flow_call_Task(), which waits for its turn. */
    UF_BUSY,
    /* A graceful shutdown has begun, so nothing new is accepted. Do: Give up, or start the runtime again after the
     * stop. */
    UF_STOPPING,
    /* An argument is NULL, out of range, or not initialised. Do: Correct the call. */
    UF_INVALID,
    /* The time limit was reached first. Do: Try again with more time, or cancel. */
    UF_TIMED_OUT,
    /* Nothing can happen any more: the clock stands still, or no timer is set. Do: Resume the clock, or fire what
     * the flows wait for; uf_pump_dump() shows it. */
    UF_BLOCKED,
    /* The handle names an earlier run of the flow. Do: Treat that run as ended. */
    UF_STALE,
    /* The flow belongs to another pump. Do: Attach both flows to one pump, or use a signal or a mailbox. */
    UF_OTHER_PUMP,
    /* The generated code and the library were built with different values of UF_ABI. Do: Run the ufc of the same
     * release again, and rebuild. */
    UF_ABI_MISMATCH,
    /* The call would wait for the thread that makes it. Do: Call from another thread, or use the form that does
     * not wait. */
    UF_DEADLOCK,
    /* This kind of pump, or this platform, cannot do it. Do: Use the function for this kind of pump. */
    UF_UNSUPPORTED,
    /* An allocation failed. Do: Free memory and try again. */
    UF_NO_MEMORY,
    /* The system refused a thread, a mutex, a condition variable, a descriptor or the CPU; errno tells why. Do: Raise
     * the limit of the process, or choose a CPU that exists, and try again. */
    UF_NO_THREAD,
    /* The signal or mailbox was destroyed, or the runtime is being stopped or freed. Do: Stop using the object. */
    UF_CLOSED,
    /* The run ended, but not with the outcome UF_DONE in the task that was called. Do: Read `uf_call_info`, which
     * tells how it ended. */
    UF_NOT_DONE,
    /* There is no room for another item. Do: Try again later, or give the mailbox more room. */
    UF_FULL,
    /* The checkpoint was disarmed before a flow reached it. Do: Arm it again if you still need it. */
    UF_DISARMED,
    /* What is kept does not fit the program. Do: Read the report: let the old program finish, or forget that flow. */
    UF_CHANGED,
    /* The store of durable flows has failed. Do: Read uf_store_failure() or the report, mend it, and start again. */
    UF_STORE
} uf_status;

/* The lower-case text of a status, such as "busy".
 * Thread: any, with every pump.
 * Returns: a constant text; "unknown status" for any other number. */
const char *uf_status_text(uf_status status);

/* How a run of a flow ended, or that it has not ended. */
typedef enum uf_outcome {
    UF_NEVER_RAN = 0, /* no run has started */
    UF_RUNNING,       /* the run has not ended */
    UF_DONE,
    UF_FAILED,
    UF_CANCELLED,
    UF_BECAME /* only in `on exit`: the flow leaves this task for another one */
} uf_outcome;

/* The lower-case text of an outcome, such as "done".
 * Thread: any, with every pump.
 * Returns: a constant text; "unknown outcome" for any other number. */
const char *uf_outcome_text(uf_outcome outcome);

/* What its store has of a durable flow. */
typedef enum uf_keeping {
    UF_KEEPING_NOTHING = 0, /* it is not durable, its pump has no store, or nothing was kept of it yet */
    UF_KEEPING_KEPT,        /* its last record: of the step that it is in, or of the end of its last run */
    UF_KEEPING_WAITS,       /* not yet: that record waits for a commit */
    UF_KEEPING_HELD,        /* it was restored, and waits for uf_store_release() */
    UF_KEEPING_SUSPENDED,   /* a stop has suspended its run, which goes on in the next process */
    UF_KEEPING_FAILED       /* the store has failed: uf_store_failure() */
} uf_keeping;

/* The lower-case text of what is kept, such as "waits for a commit".
 * Thread: any, with every pump.
 * Returns: a constant text; "" for UF_KEEPING_NOTHING; "unknown" for any other number. */
const char *uf_keeping_text(uf_keeping keeping);

/* Generated headers mark functions with it whose result must not be ignored; `(void)` ignores one on purpose. Define it
 * as nothing before the first header of uflow to ignore them all. */
#if !defined(UF_NODISCARD)
#if defined(__clang__)
#define UF_NODISCARD __attribute__((__warn_unused_result__))
#elif defined(__cplusplus) ? __cplusplus >= 201703L : __STDC_VERSION__ >= 202000L && defined(__has_c_attribute)
#define UF_NODISCARD [[nodiscard]]
#else /* gcc warns of its attribute in spite of `(void)` */
#define UF_NODISCARD
#endif
#endif

/* A point on a monotonic scale, or a duration, in nanoseconds. */
typedef int64_t uf_time;

/* The largest time: no deadline, no limit. */
#define UF_FOREVER INT64_MAX

/* Private: a conversion of a number. In C++ it is no cast for -Wold-style-cast and -Wuseless-cast. */
#if defined(__cplusplus)
extern "C++" {
template <typename To, typename From> constexpr To uf_as(From value)
{
    return static_cast<To>(value);
}
}
#define UF_AS(type, value) uf_as<type>(value)
#else
#define UF_AS(type, value) ((type)(value))
#endif

/* Durations of `n` microseconds, milliseconds and seconds, for an integer `n`. */
#define UF_US(n) (UF_AS(uf_time, n) * 1000)
#define UF_MS(n) (UF_AS(uf_time, n) * 1000000)
#define UF_S(n)  (UF_AS(uf_time, n) * 1000000000)

/* Adds two times; the sum saturates at UF_FOREVER and at INT64_MIN.
 * Thread: any, with every pump.
 * Returns: the sum. */
static inline uf_time uf_time_add(uf_time a, uf_time b)
{
#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 5 && !defined(__TINYC__))
    uf_time sum;
    if (__builtin_add_overflow(a, b, &sum)) return b > 0 ? UF_FOREVER : INT64_MIN;
    return sum;
#else
    if (b > 0 && a > INT64_MAX - b) return UF_FOREVER;
    if (b < 0 && a < INT64_MIN - b) return INT64_MIN;
    return a + b;
#endif
}

/* Multiplies a count by a unit, as `(count) ms` in a .uflow file does for a signed integer.
 * Thread: any, with every pump.
 * Returns: the product, saturating at UF_FOREVER and INT64_MIN; 0 if `unit` is not positive. */
uf_time uf_duration(int64_t count, uf_time unit);

/* Multiplies an unsigned count by a unit.
 * Thread: any, with every pump.
 * Returns: the product, saturating at UF_FOREVER; 0 if `unit` is not positive. */
uf_time uf_duration_unsigned(uint64_t count, uf_time unit);

#if !defined(UF_NO_FLOAT)
/* Multiplies a floating-point count by a unit and rounds to the nearest nanosecond.
 * Thread: any, with every pump.
 * Returns: the product, saturating at UF_FOREVER and INT64_MIN; 0 for NaN. */
uf_time uf_duration_real(double count, uf_time unit);
#endif

UF_C_END
#endif
