/* messages.h - common parts of main.c and live.c: the messages, and the gaps of 2 to 4 units between them. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include "student.h"

enum { ASSIGNMENTS = 4, INVITATIONS = 3, PROFESSOR_MS = 150, FRIEND_MS = 275 };
extern const message assignments[ASSIGNMENTS];
extern const message invitations[INVITATIONS];

#endif
