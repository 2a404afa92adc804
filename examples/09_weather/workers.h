/* workers.h - the two jobs, as plain C: what they do on a thread of the pool.
 *
 * A job whose flow no longer waits for it may still be at work. So what is too big to be a job's result goes into
 * buffers that outlive the flow, and a job holds a buffer while it uses it: the next one fails rather than writing to
 * it too. */
#ifndef WORKERS_H
#define WORKERS_H

#include <stdatomic.h>

#include "http.h"

typedef struct text_buffer { /* all zero: empty */
    atomic_flag held;
    http_text text;
} text_buffer;

/* Fetches a page into the buffer. False: why not is in `reason`; a status other than 200 is a reason too. */
bool fetch_page(text_buffer *page, const char *url, const http_limits *limits, char reason[HTTP_REASON_SIZE]);

/* Has what is in `page` summed up at `url`; the summary is then the text in `summary`. */
bool sum_up_page(text_buffer *summary, text_buffer *page, const char *url, const char *key, const http_limits *limits,
                 char reason[HTTP_REASON_SIZE]);

#endif
