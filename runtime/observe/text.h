/* text.h - how the observers print times. */
#ifndef UFLOW_OBSERVE_TEXT_H
#define UFLOW_OBSERVE_TEXT_H

#include <inttypes.h>

#ifndef PRId64 /* newlib 4.5 has this macro only beside its own <stdint.h>, and gcc may bring another one */
#define PRId64 "lld"
#endif

/* A format and its arguments: milliseconds with two digits, as in 20.05ms. */
#define TIME_FORMAT     "%" PRId64 ".%02" PRId64 "ms"
#define TIME_ARGS(time) ((time) / 1000000), ((time) / 10000 % 100)

#endif
