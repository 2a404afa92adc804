/* http.h - a blocking HTTP request: for a worker, never for a step.
 *
 * Thread: any, several at once; call http_begin() before the first request. */
#ifndef HTTP_H
#define HTTP_H

#include <stdbool.h>
#include <stddef.h>

enum { HTTP_BYTES = 16 * 1024 * 1024, HTTP_REASON_SIZE = 256 };

/* The body of an answer. All zero: empty. It must outlive every request that writes to it. */
typedef struct http_text {
    long status; /* 200, 404, … */
    size_t length;
    size_t room; /* allocated bytes; it grows with the answer, and is kept for the next one */
    char *bytes; /* NULL before the first request; afterwards NUL-terminated */
} http_text;

void http_text_free(http_text *text);

/* Prints at most `most` bytes of a text that a server has sent, and a new line. Bytes that could control the terminal
 * become `?`. */
void http_print(const char *text, size_t most);

typedef struct http_limits {
    long connect_ms, total_ms;         /* 0: 3 s and 10 s */
    size_t bytes;                      /* maximum size of the body: a longer one is an error; 0: HTTP_BYTES */
    bool (*cancelled)(void *argument); /* called at intervals, to cancel the request; NULL: no cancellation */
    void *argument;
} http_limits;

/* Call http_begin() once, while there is one thread, and http_end() after the last request. Returns: false if HTTP is
 * not available. */
bool http_begin(void);
void http_end(void);

/* Returns: true if there is an answer, with any status. False: `reason` says why not, and `answer` is empty. GET
 * follows up to five redirections. `limits` may be NULL. */
bool http_get(http_text *answer, const char *url, const http_limits *limits, char reason[HTTP_REASON_SIZE]);

/* The same with a JSON body. `key`, if not NULL, goes into the header x-api-key. */
bool http_post(http_text *answer, const char *url, const char *key, const char *json, const http_limits *limits,
               char reason[HTTP_REASON_SIZE]);

#endif
