/* SPDX-License-Identifier: MIT */
/* connections_hooks.h - functions that the flows of connections.uflow call. Included where the flows' types are
 * complete. */
#ifndef CONNECTIONS_HOOKS_H
#define CONNECTIONS_HOOKS_H

#include "connections.h"

int echo_read(Connection *flow, char bytes[16]);         /* bytes; 0: nothing yet; -1: end of the connection */
bool echo_write(Connection *flow, const char bytes[16]); /* all bytes */
void echo_close(Connection *flow);
bool listener_take(Listener *flow);

#endif
