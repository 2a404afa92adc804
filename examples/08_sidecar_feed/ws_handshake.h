/* ws_handshake.h - the part of RFC 6455 before the frames: the address, and the HTTP request that upgrades.
 *
 * These functions do not use sockets or allocate memory. Thread: any. */
#ifndef WS_HANDSHAKE_H
#define WS_HANDSHAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_address {
    char host[64]; /* a numeric address or "localhost": looking up a name would block */
    char path[160];
    uint16_t port;
} ws_address;

enum { WS_KEY_SIZE = 25 }; /* 16 random bytes in base64, and the NUL */

/* Parses "ws://host[:port][/path]". Returns: false if it is invalid; `reason` says why. */
bool ws_address_read(ws_address *address, const char *url, char *reason, size_t reason_size);

/* Makes a fresh key and the request with it. Returns: its length; 0: it does not fit, or there is no randomness. */
size_t ws_request_write(const ws_address *address, char key[WS_KEY_SIZE], char *request, size_t size);

/* Does the response accept that key? It ends with its empty line and a NUL. Returns: false if not; `reason` says
 * why. */
bool ws_response_check(const char *response, const char *key, char *reason, size_t reason_size);

#endif
