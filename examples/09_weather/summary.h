/* summary.h - what is said to a summariser, and what it says: JSON, by jansson. No input or output; any thread. */
#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

enum { SUMMARY_PAGE_SIZE = 30000, SUMMARY_TOKENS = 1024 };

/* The request for a page, of which no more than SUMMARY_PAGE_SIZE bytes are sent; bytes that are no UTF-8 become `?`.
 * To be given to free(). NULL: out of memory. */
char *summary_request(const char *page, size_t length);

/* The text of an answer: {"content": [{"type": "text", "text": "…"}]}. True: it is in `text`, cut to what fits. False:
 * why not is there instead: what {"error": {"message": "…"}} says, or how the answer begins. `text` may be the
 * answer. */
bool summary_read(const char *answer, size_t length, char *text, size_t size);

#endif
