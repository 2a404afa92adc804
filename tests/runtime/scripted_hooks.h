/* SPDX-License-Identifier: MIT */
/* scripted_hooks.h - functions that the flows of scripted.uflow call. */
#ifndef SCRIPTED_HOOKS_H
#define SCRIPTED_HOOKS_H

int scripted_receive(int fd); /* the next message; -1: none */

#endif
