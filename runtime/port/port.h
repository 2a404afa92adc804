/* port.h - what the runtime needs of a platform: the only door to it. One of posix.c and bare.c is behind it, or a file
 * of your own. */
#ifndef UFLOW_PORT_H
#define UFLOW_PORT_H

/* Ends the program: `flow` (its name) failed for `reason`, and its policy says that this must never happen. */
_Noreturn void ufp_abort(const char *flow, const char *reason);

#endif
