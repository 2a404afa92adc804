/* messages.h - what main.c and live.c have in common. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include "student.h"

enum { ASSIGNMENTS = 4, INVITATIONS = 3 };
extern const message assignments[ASSIGNMENTS];
extern const message invitations[INVITATIONS];

#endif
