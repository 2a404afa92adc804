/* SPDX-License-Identifier: MIT */
/* log.h - the log of the flows under test: words in order, separated by spaces. */
#ifndef LOG_H
#define LOG_H

void log_clear(void);
const char *log_text(void); /* all words since log_clear() */

void log_note(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;

#endif
