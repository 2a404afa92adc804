/* SPDX-License-Identifier: MIT */
/* crowd_hooks.h - how the flows of crowd.uflow report to their test. */
#ifndef CROWD_HOOKS_H
#define CROWD_HOOKS_H

struct Guest;

void told_enter(struct Guest *guest, int token);
void told_exit(int token);
void told_end(struct Guest *guest);
void told_mail(int sent);

#endif
