/* workers.h - the two jobs, as plain C on a pool thread.
 *
 * An abandoned job may still be running. So the page, which both jobs use, is in a buffer that outlives the flow. A job
 * holds the buffer while it uses it; another job that needs the buffer fails. A summary belongs to whoever receives
 * it. */
#ifndef WORKERS_H
#define WORKERS_H

#include <stdatomic.h>

#include "http.h"

typedef struct text_buffer { /* all zero: empty */
    atomic_flag held;
    http_text text;
} text_buffer;

/* Fetches a page into the buffer. Returns: false with a `reason`; a status other than 200 is an error too. */
bool fetch_page(text_buffer *page, const char *url, const http_limits *limits, char reason[HTTP_REASON_SIZE]);

/* Requests a summary of `page` from `url`, and stores it in `summary`. */
bool sum_up_page(http_text *summary, text_buffer *page, const char *url, const char *key, const http_limits *limits,
                 char reason[HTTP_REASON_SIZE]);

#endif
