/* http.h - one HTTP request that blocks: for a worker, never for a step.
 *
 * Any thread, several at once; http_begin() before the first of them. */
#ifndef HTTP_H
#define HTTP_H

#include <stdbool.h>
#include <stddef.h>

enum { HTTP_BYTES = 16 * 1024 * 1024, HTTP_REASON_SIZE = 256 };

/* Where the body of an answer goes. All zero: empty. Lives longer than any request that writes to it. */
typedef struct http_text {
    long status; /* 200, 404, … */
    size_t length;
    size_t room; /* what is allocated; it grows with the answer, and is kept for the next one */
    char *bytes; /* NULL before the first request; after it with a 0 behind the last one */
} http_text;

void http_text_free(http_text *text);

typedef struct http_limits {
    long connect_ms, total_ms;         /* 0: 3 s and 10 s */
    size_t bytes;                      /* of the body, at most: a longer one is an error; 0: HTTP_BYTES */
    bool (*cancelled)(void *argument); /* asked every now and then, to end sooner; NULL: nobody wants it to */
    void *argument;
} http_limits;

/* Once, while there is one thread; false: there is no HTTP. And after the last request. */
bool http_begin(void);
void http_end(void);

/* True: there is an answer, whatever its status. False: `reason` says why not, and `answer` is empty. GET follows up to
 * five redirections. `limits` may be NULL. */
bool http_get(http_text *answer, const char *url, const http_limits *limits, char reason[HTTP_REASON_SIZE]);

/* The same with a body of JSON. `key`, if not NULL, goes into the header x-api-key. */
bool http_post(http_text *answer, const char *url, const char *key, const char *json, const http_limits *limits,
               char reason[HTTP_REASON_SIZE]);

#endif
