/* SPDX-License-Identifier: MIT */
/* sanitizers.h - functions of the sanitizers that the program may be linked with. With ELF, the address of one that is
 * not there is NULL. */
#ifndef UFLOW_TEST_SANITIZERS_H
#define UFLOW_TEST_SANITIZERS_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__GNUC__) && defined(__ELF__)
/* NOLINTBEGIN(bugprone-reserved-identifier) */
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));
extern void __sanitizer_set_report_path(const char *path) __attribute__((weak));
extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
/* NOLINTEND(bugprone-reserved-identifier) */

/* Looks for leaks, and prints them. */
static inline bool uft_has_leaks(void)
{
    return __lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check() != 0;
}

/* Is any sanitizer linked? */
static inline bool uft_is_sanitized(void)
{
    return __sanitizer_set_report_path != NULL;
}

/* Has a sanitizer call this before it ends the process. */
static inline void uft_before_death(void (*callback)(void))
{
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(callback);
}
#else
static inline bool uft_has_leaks(void)
{
    return false;
}
static inline bool uft_is_sanitized(void)
{
    return false;
}
static inline void uft_before_death(void (*callback)(void))
{
    (void)callback;
}
#endif

#endif
