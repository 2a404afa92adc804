/* scenarios.h - what the threads of a schedule do. */
#ifndef SCENARIOS_H
#define SCENARIOS_H

typedef struct scenario {
    const char *name;
    void (*body)(void);
} scenario;

/* Ended by one without a name. */
extern const scenario scenarios[];

#endif
