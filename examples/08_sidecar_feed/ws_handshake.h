/* ws_handshake.h - what comes before the frames of RFC 6455: the address, and the HTTP request that upgrades.
 *
 * Nothing here reads or writes a socket. No allocation; any thread. */
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

enum { WS_KEY_SIZE = 25 }; /* 16 random bytes in base64, and the 0 */

/* "ws://host[:port][/path]". False: `reason` says what is wrong with it. */
bool ws_address_read(ws_address *address, const char *url, char *reason, size_t reason_size);

/* Makes a fresh key and the request with it. Its length; 0: it does not fit, or there is no randomness. */
size_t ws_request_write(const ws_address *address, char key[WS_KEY_SIZE], char *request, size_t size);

/* Is the response, up to its empty line and ended by a 0, the yes to that key? False: `reason` says why not. */
bool ws_response_check(const char *response, const char *key, char *reason, size_t reason_size);

#endif
