/* slow_hooks.h - what the flows of slow.uflow ask of the test. */
#ifndef SLOW_HOOKS_H
#define SLOW_HOOKS_H

/* So many milliseconds pass; returns them. */
int slow_spin(int ms);

#endif
