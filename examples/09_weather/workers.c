#include "workers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "summary.h"

static bool hold(text_buffer *buffer, char reason[HTTP_REASON_SIZE])
{
    bool const held = !atomic_flag_test_and_set(&buffer->held);
    if (!held) snprintf(reason, HTTP_REASON_SIZE, "an earlier request is still at work");
    return held;
}

static void let_go(text_buffer *buffer)
{
    atomic_flag_clear(&buffer->held);
}

/* Checks for cancellation while it holds the buffer: a late job must not overwrite the result of a later one. */
static bool is_cancelled(const http_limits *limits, char reason[HTTP_REASON_SIZE])
{
    bool const cancelled = limits != NULL && limits->cancelled != NULL && limits->cancelled(limits->argument);
    if (cancelled) snprintf(reason, HTTP_REASON_SIZE, "cancelled");
    return cancelled;
}

static bool get(http_text *text, const char *url, const http_limits *limits, char reason[HTTP_REASON_SIZE])
{
    if (is_cancelled(limits, reason) || !http_get(text, url, limits, reason)) return false;
    if (text->status != 200) snprintf(reason, HTTP_REASON_SIZE, "status %ld", text->status);
    return text->status == 200;
}

bool fetch_page(text_buffer *page, const char *url, const http_limits *limits, char reason[HTTP_REASON_SIZE])
{
    if (!hold(page, reason)) return false;
    bool const good = get(&page->text, url, limits, reason);
    let_go(page);
    return good;
}

static bool post(http_text *text, const http_text *page, const char *url, const char *key, const http_limits *limits,
                 char reason[HTTP_REASON_SIZE])
{
    if (is_cancelled(limits, reason)) return false;
    char *const request = summary_request(page->bytes, page->length);
    if (request == NULL) {
        snprintf(reason, HTTP_REASON_SIZE, "out of memory");
        return false;
    }
    bool good = http_post(text, url, key, request, limits, reason);
    free(request);
    if (!good) return false;
    good = summary_read(text->bytes, text->length, text->bytes, text->room) && text->status == 200;
    if (good) text->length = strlen(text->bytes);
    else snprintf(reason, HTTP_REASON_SIZE, "status %ld, %.*s", text->status, 100, text->bytes);
    return good;
}

bool sum_up_page(http_text *summary, text_buffer *page, const char *url, const char *key, const http_limits *limits,
                 char reason[HTTP_REASON_SIZE])
{
    if (!hold(page, reason)) return false;
    bool const good = post(summary, &page->text, url, key, limits, reason);
    let_go(page);
    return good;
}
