/* SPDX-License-Identifier: MIT */
/* base.c - texts of status codes and outcomes, and durations. */
#include "basics/clocks.h"
#include "uflow/text.h"

const char *uf_version(void)
{
    return UF_VERSION;
}

const char *uf_status_text(uf_status status)
{
    switch (status) {
    case UF_OK: return "ok";
    case UF_BUSY: return "busy";
    case UF_STOPPING: return "stopping";
    case UF_INVALID: return "invalid";
    case UF_TIMED_OUT: return "timed out";
    case UF_BLOCKED: return "blocked";
    case UF_STALE: return "stale";
    case UF_OTHER_PUMP: return "other pump";
    case UF_ABI_MISMATCH: return "ABI mismatch";
    case UF_DEADLOCK: return "deadlock";
    case UF_UNSUPPORTED: return "unsupported";
    case UF_NO_MEMORY: return "no memory";
    case UF_NO_THREAD: return "no thread";
    case UF_CLOSED: return "closed";
    case UF_NOT_DONE: return "not done";
    case UF_FULL: return "full";
    case UF_DISARMED: return "disarmed";
    case UF_CHANGED: return "changed";
    case UF_STORE: return "store";
    }
    return "unknown status";
}

uf_text uf_text_of(const char *text)
{
    uf_text made = {""};
    size_t length = 0;

    while (text && text[length] && length < UF_TEXT_SIZE - 1) {
        made.text[length] = text[length];
        length++;
    }
    if (!text || !text[length] || ((uint8_t)text[length] & 0xc0) != 0x80) return made;
    while (length > 0 && ((uint8_t)made.text[length - 1] & 0xc0) == 0x80) made.text[--length] = '\0';
    if (length > 0) made.text[length - 1] = '\0'; /* the first byte of the character that was cut */
    return made;
}

const char *uf_outcome_text(uf_outcome outcome)
{
    switch (outcome) {
    case UF_NEVER_RAN: return "never ran";
    case UF_RUNNING: return "running";
    case UF_DONE: return "done";
    case UF_FAILED: return "failed";
    case UF_CANCELLED: return "cancelled";
    case UF_BECAME: return "became";
    }
    return "unknown outcome";
}

const char *uf_keeping_text(uf_keeping keeping)
{
    switch (keeping) {
    case UF_KEEPING_NOTHING: return "";
    case UF_KEEPING_KEPT: return "kept";
    case UF_KEEPING_WAITS: return "waits for a commit";
    case UF_KEEPING_HELD: return "held";
    case UF_KEEPING_SUSPENDED: return "suspended";
    case UF_KEEPING_FAILED: return "not kept";
    }
    return "unknown";
}

uf_time ufi_time_sub(uf_time a, uf_time b)
{
    if (b < 0 && a > INT64_MAX + b) return UF_FOREVER;
    if (b > 0 && a < INT64_MIN + b) return INT64_MIN;
    return a - b;
}

uf_time uf_duration(int64_t count, uf_time unit)
{
    if (unit <= 0) return 0;
/* A division takes as long as a transition, a multiplication does not. */
#if defined(__GNUC__) && UINTPTR_MAX > UINT32_MAX
    uf_time product;
    if (!__builtin_mul_overflow(count, unit, &product)) return product;
#else
    uint64_t const size = count < 0 ? 0 - (uint64_t)count : (uint64_t)count;
    uint64_t const size_high = size >> 32, unit_high = (uint64_t)unit >> 32;
    uint64_t const middle = size_high * (uint32_t)unit + unit_high * (uint32_t)size; /* at most one is not 0 */
    uint64_t const low = (uint64_t)(uint32_t)size * (uint32_t)unit;
    bool const fits = !(size_high && unit_high) && (low >> 32) + middle <= INT32_MAX;
    if (fits) return count < 0 ? -(uf_time)(low + (middle << 32)) : (uf_time)(low + (middle << 32));
#endif
    return count > 0 ? UF_FOREVER : INT64_MIN;
}

uf_time uf_duration_unsigned(uint64_t count, uf_time unit)
{
    return count > INT64_MAX ? uf_duration(INT64_MAX, unit) : uf_duration((int64_t)count, unit);
}

#if !defined(UF_NO_FLOAT)
uf_time uf_duration_real(double count, uf_time unit)
{
    double const limit = 9223372036854775808.0; /* 2^63, the smallest that does not fit */
    double const duration = count * (double)unit;

    if (duration >= limit) return UF_FOREVER;
    if (duration <= -limit) return INT64_MIN;
    if (duration >= 0) return (uf_time)(duration < limit / 2 ? duration + 0.5 : duration);
    if (duration < 0) return (uf_time)(duration > -limit / 2 ? duration - 0.5 : duration);
    return 0; /* NaN */
}
#endif
