/* SPDX-License-Identifier: MIT */
/* chat_hooks.h - the simulated connections of chat.uflow. */
#ifndef CHAT_HOOKS_H
#define CHAT_HOOKS_H

#include <stdbool.h>

enum { CLIENTS = 1000, QUEUE = 8 };

typedef struct line {
    int number;
    char text[60];
} line;

bool chat_is_knocked(void);
int chat_accept(void); /* -1: nobody */
void chat_refuse(int fd);
bool chat_write(int index, const line *one); /* false: the connection takes no more */
void chat_close(int index, int fd);
void chat_left(int index, const char *why);

#endif
