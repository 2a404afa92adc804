/* scenarios.h - what the threads of a schedule do: small pieces of applications, which leave nothing behind, no thread
 * and no memory.
 *
 * A new scenario is a function in the file of its subject, between begin() and end() of scene.h, and a line in that
 * file's table. It asserts with MUST(), starts threads with spawn(), and waits for what it cannot be woken for with
 * schedule_pause() in a loop. A new file, scenarios_SUBJECT.c, is found by itself; its table is declared here and
 * stands in main.c. Then plant a bug in what the scenario is about: an entry in plants.py, which the build makes a test
 * of. */
#ifndef SCENARIOS_H
#define SCENARIOS_H

typedef struct scenario {
    const char *name;
    void (*body)(void);
} scenario;

/* Each is ended by one without a name. */
extern const scenario start_scenarios[];
extern const scenario call_scenarios[];
extern const scenario post_scenarios[];
extern const scenario link_scenarios[];
extern const scenario signal_scenarios[];
extern const scenario checkpoint_scenarios[];
extern const scenario job_scenarios[];
extern const scenario stop_scenarios[];
extern const scenario by_hand_scenarios[];
extern const scenario counter_scenarios[];

#endif
