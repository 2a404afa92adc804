#include "http.h"

#include <curl/curl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct transfer {
    http_text *answer;
    size_t most;
    bool too_long, no_memory;
    const http_limits *limits;
} transfer;

bool http_begin(void)
{
    return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

void http_end(void)
{
    curl_global_cleanup();
}

void http_text_free(http_text *text)
{
    free(text->bytes);
    *text = (http_text){0};
}

/* A control character: of ASCII, or the first byte of one from U+0080 to U+009F in UTF-8. */
static bool is_control(const char *text)
{
    unsigned char const c = (unsigned char)*text;
    if (c == 0xc2) return (unsigned char)text[1] >= 0x80 && (unsigned char)text[1] <= 0x9f;
    return (c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
}

void http_print(const char *text, size_t most)
{
    for (size_t i = 0; i < most && text[i] != '\0'; i++) putchar(is_control(text + i) ? '?' : text[i]);
    putchar('\n');
}

/* Makes room for this many bytes and the NUL after them. */
static bool make_room(http_text *text, size_t length)
{
    enum { LEAST = 1024 }; /* for a message about an answer that is shorter */
    if (text->room > length) return true;
    size_t room = text->room < LEAST ? LEAST : text->room;
    while (room <= length && room <= SIZE_MAX / 2) room *= 2;
    if (room <= length) return false;
    char *const bytes = realloc(text->bytes, room);
    if (bytes == NULL) return false;
    text->bytes = bytes;
    text->room = room;
    return true;
}

static size_t take(char *bytes, size_t one, size_t count, void *user)
{
    transfer *const it = user;
    http_text *const answer = it->answer;
    if (count > it->most - answer->length) {
        it->too_long = true;
        return 0; /* ends the transfer */
    }
    if (!make_room(answer, answer->length + count)) {
        it->no_memory = true;
        return 0;
    }
    memcpy(answer->bytes + answer->length, bytes, count);
    answer->length += count;
    return one * count;
}

static int look_for_cancel(void *user, curl_off_t total, curl_off_t got, curl_off_t to_send, curl_off_t sent)
{
    const transfer *const it = user;
    (void)total, (void)got, (void)to_send, (void)sent;
    return it->limits->cancelled != NULL && it->limits->cancelled(it->limits->argument);
}

static void set_limits(CURL *curl, transfer *it)
{
    const http_limits *const limits = it->limits;
    (void)curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L); /* libcurl must not use signals in threads */
    (void)curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, limits->connect_ms > 0 ? limits->connect_ms : 3000L);
    (void)curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, limits->total_ms > 0 ? limits->total_ms : 10000L);
    (void)curl_easy_setopt(curl, CURLOPT_MAXFILESIZE_LARGE,
                           (curl_off_t)it->most); /* if the length is announced: before any data */
    (void)curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    (void)curl_easy_setopt(curl, CURLOPT_WRITEDATA, it);
    (void)curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, look_for_cancel);
    (void)curl_easy_setopt(curl, CURLOPT_XFERINFODATA, it);
    (void)curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
#if LIBCURL_VERSION_NUM >= 0x075500
    (void)curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    (void)curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
    (void)curl_easy_setopt(curl, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    (void)curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/* Adds "name: value"; false: out of memory. */
static bool add_header(struct curl_slist **headers, const char *text)
{
    struct curl_slist *const longer = curl_slist_append(*headers, text);
    if (longer == NULL) return false;
    *headers = longer;
    return true;
}

static bool request(http_text *answer, const char *url, struct curl_slist *headers, const char *body,
                    const http_limits *limits, char reason[HTTP_REASON_SIZE])
{
    static const http_limits defaults = {0};
    char text[CURL_ERROR_SIZE] = "";
    transfer it = {.answer = answer, .limits = limits != NULL ? limits : &defaults};
    it.most = it.limits->bytes > 0 ? it.limits->bytes : HTTP_BYTES;
    if (it.most > INT32_MAX) it.most = INT32_MAX;
    answer->status = 0;
    answer->length = 0;

    CURL *const curl = make_room(answer, 0) ? curl_easy_init() : NULL;
    if (curl == NULL) {
        snprintf(reason, HTTP_REASON_SIZE, "out of memory");
        return false;
    }
    set_limits(curl, &it);
    CURLcode code = curl_easy_setopt(curl, CURLOPT_URL, url);
    (void)curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, text);
    if (body != NULL) {
        (void)curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
        (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
        (void)curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(body));
    } else {
        (void)curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
        (void)curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 5L);
    }
    if (code == CURLE_OK) code = curl_easy_perform(curl);
    if (code == CURLE_OK) (void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer->status);
    curl_easy_cleanup(curl);

    if (code == CURLE_ABORTED_BY_CALLBACK) {
        snprintf(reason, HTTP_REASON_SIZE, "cancelled");
    } else if (it.no_memory) {
        snprintf(reason, HTTP_REASON_SIZE, "out of memory");
    } else if (it.too_long || code == CURLE_FILESIZE_EXCEEDED) {
        snprintf(reason, HTTP_REASON_SIZE, "the answer is longer than %zu bytes", it.most);
    } else if (code != CURLE_OK) {
        snprintf(reason, HTTP_REASON_SIZE, "%s", text[0] != '\0' ? text : curl_easy_strerror(code));
    }
    if (code != CURLE_OK) answer->length = 0;
    answer->bytes[answer->length] = '\0';
    return code == CURLE_OK;
}

bool http_get(http_text *answer, const char *url, const http_limits *limits, char reason[HTTP_REASON_SIZE])
{
    return request(answer, url, NULL, NULL, limits, reason);
}

bool http_post(http_text *answer, const char *url, const char *key, const char *json, const http_limits *limits,
               char reason[HTTP_REASON_SIZE])
{
    struct curl_slist *headers = NULL;
    char line[256] = "x-api-key: ";
    bool good = add_header(&headers, "Content-Type: application/json") && add_header(&headers, "Expect:");
    if (key != NULL && (strlen(key) >= sizeof line - strlen(line) || strpbrk(key, "\r\n") != NULL)) {
        curl_slist_free_all(headers);
        snprintf(reason, HTTP_REASON_SIZE, "this cannot be a key");
        return false;
    }
    if (good && key != NULL) good = add_header(&headers, strcat(line, key));
    if (good) good = request(answer, url, headers, json, limits, reason);
    else snprintf(reason, HTTP_REASON_SIZE, "out of memory");
    curl_slist_free_all(headers);
    return good;
}
