#define _DEFAULT_SOURCE /* getentropy() */
#include "ws_handshake.h"

#include <ctype.h>
#include <nettle/base64.h>
#include <nettle/sha1.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char scheme[] = "ws://";
static const char accept_salt[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; /* RFC 6455, 1.3 */

static bool copy_part(char *to, size_t size, const char *from, size_t length)
{
    if (length >= size) return false;
    memcpy(to, from, length);
    to[length] = '\0';
    return true;
}

bool ws_address_read(ws_address *address, const char *url, char *reason, size_t reason_size)
{
    *address = (ws_address){.port = 80};
    if (strncasecmp(url, scheme, sizeof scheme - 1) != 0) {
        snprintf(reason, reason_size, "not a ws:// address: %s", url);
        return false;
    }
    for (const char *at = url; *at != '\0'; at++) {
        if ((unsigned char)*at > ' ') continue; /* would end a line of the request, and begin a line of the attacker */
        snprintf(reason, reason_size, "there is a blank in the address");
        return false;
    }
    const char *host = url + sizeof scheme - 1;
    const char *const path = host + strcspn(host, "/?#");
    bool const bracketed = *host == '[';
    if (bracketed) host++;
    size_t const length = strcspn(host, bracketed ? "]/?#" : ":/?#");
    const char *after = host + length;
    bool good = length > 0 && copy_part(address->host, sizeof address->host, host, length);
    if (bracketed) good = good && *after++ == ']';
    if (good && *after == ':') {
        char *end;
        unsigned long const port = isdigit((unsigned char)after[1]) ? strtoul(after + 1, &end, 10) : 0;
        good = port > 0 && port <= UINT16_MAX;
        if (good) address->port = (uint16_t)port, after = end;
    }
    good = good && after == path;
    good = good && copy_part(address->path, sizeof address->path, path, strcspn(path, "#"));
    if (!good) snprintf(reason, reason_size, "bad address: %s", url);
    return good;
}

static void encode(char *to, const uint8_t *bytes, size_t size)
{
    base64_encode_raw(to, size, bytes);
    to[BASE64_ENCODE_RAW_LENGTH(size)] = '\0';
}

size_t ws_request_write(const ws_address *address, char key[WS_KEY_SIZE], char *request, size_t size)
{
    uint8_t nonce[16];
    if (getentropy(nonce, sizeof nonce) != 0) return 0;
    encode(key, nonce, sizeof nonce);

    bool const numeric6 = strchr(address->host, ':') != NULL;
    int const length = snprintf(request, size,
                                "GET %s%s HTTP/1.1\r\n"
                                "Host: %s%s%s:%u\r\n"
                                "Upgrade: websocket\r\n"
                                "Connection: Upgrade\r\n"
                                "Sec-WebSocket-Key: %s\r\n"
                                "Sec-WebSocket-Version: 13\r\n\r\n",
                                address->path[0] == '/' ? "" : "/", address->path, numeric6 ? "[" : "", address->host,
                                numeric6 ? "]" : "", (unsigned)address->port, key);
    return length > 0 && (size_t)length < size ? (size_t)length : 0;
}

/* Returns the value of a header, without the blanks around it; NULL: there is none. */
static const char *header_value(const char *response, const char *name, size_t *length)
{
    size_t const name_length = strlen(name);
    for (const char *line = strstr(response, "\r\n"); line != NULL; line = strstr(line, "\r\n")) {
        line += 2;
        if (strncasecmp(line, name, name_length) != 0 || line[name_length] != ':') continue;
        const char *value = line + name_length + 1;
        value += strspn(value, " \t");
        *length = strcspn(value, "\r\n");
        while (*length > 0 && (value[*length - 1] == ' ' || value[*length - 1] == '\t')) --*length;
        return value;
    }
    return NULL;
}

/* Is `word` in the comma-separated list? */
static bool header_names(const char *response, const char *name, const char *word)
{
    size_t length;
    const char *value = header_value(response, name, &length);
    if (value == NULL) return false;
    for (const char *const end = value + length; value < end;) {
        value += strspn(value, ", \t");
        size_t const part = strcspn(value, ", \t\r\n");
        if (part == strlen(word) && strncasecmp(value, word, part) == 0) return true;
        if (part == 0) return false;
        value += part;
    }
    return false;
}

static bool accepts(const char *response, const char *key)
{
    uint8_t digest[SHA1_DIGEST_SIZE];
    char expected[BASE64_ENCODE_RAW_LENGTH(SHA1_DIGEST_SIZE) + 1];
    struct sha1_ctx context;
    sha1_init(&context);
    sha1_update(&context, strlen(key), (const uint8_t *)key);
    sha1_update(&context, sizeof accept_salt - 1, (const uint8_t *)accept_salt);
    sha1_digest(&context, sizeof digest, digest);
    encode(expected, digest, sizeof digest);

    size_t length;
    const char *const value = header_value(response, "Sec-WebSocket-Accept", &length);
    return value != NULL && length == strlen(expected) && memcmp(value, expected, length) == 0;
}

bool ws_response_check(const char *response, const char *key, char *reason, size_t reason_size)
{
    size_t length;
    if (strncmp(response, "HTTP/1.1 ", 9) != 0) {
        snprintf(reason, reason_size, "the peer does not speak HTTP");
    } else if (strncmp(response + 9, "101", 3) != 0) {
        snprintf(reason, reason_size, "the peer refused: %.*s", (int)strcspn(response + 9, "\r\n"), response + 9);
    } else if (!header_names(response, "Upgrade", "websocket") || !header_names(response, "Connection", "Upgrade")) {
        snprintf(reason, reason_size, "the peer did not upgrade to WebSocket");
    } else if (!accepts(response, key)) {
        snprintf(reason, reason_size, "the peer's Sec-WebSocket-Accept is wrong");
    } else if (header_value(response, "Sec-WebSocket-Extensions", &length) != NULL ||
               header_value(response, "Sec-WebSocket-Protocol", &length) != NULL) {
        snprintf(reason, reason_size, "the peer chose an extension that was not offered");
    } else {
        return true;
    }
    return false;
}
