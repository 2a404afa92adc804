/* start.h - output to a debugger or QEMU, and the end of the program. */
#ifndef START_H
#define START_H

void debug_print(const char *text);
_Noreturn void debug_exit(int status);

#endif
