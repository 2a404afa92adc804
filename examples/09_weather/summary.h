/* summary.h - the requests to a summariser and its answers: JSON, by jansson. No input or output. Thread: any. */
#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

enum { SUMMARY_PAGE_SIZE = 30000, SUMMARY_TOKENS = 1024 };

/* The request for a page, of which at most SUMMARY_PAGE_SIZE bytes are sent. Invalid UTF-8 becomes `?`. Release it with
 * free(). NULL: out of memory. */
char *summary_request(const char *page, size_t length);

/* Reads the text of an answer: {"content": [{"type": "text", "text": "…"}]}. Returns: true with the text in `text`,
 * truncated to fit. False: `text` has the reason, from {"error": {"message": "…"}} or the beginning of the answer.
 * `text` may be the answer. */
bool summary_read(const char *answer, size_t length, char *text, size_t size);

#endif
