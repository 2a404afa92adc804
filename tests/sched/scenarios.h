/* SPDX-License-Identifier: MIT */
/* scenarios.h - the programs that the schedules run: small pieces of applications. Each ends all its threads and frees
 * all its memory.
 *
 * A new scenario is a function in the file of its subject, between begin() and end() of scene.h, and a row in that
 * file's table. It asserts with MUST() and starts threads with spawn(). To wait for something that cannot wake it, it
 * calls schedule_pause() in a loop. CMake finds a new file scenarios_SUBJECT.c; declare its table here and add it to
 * main.c. Then add a bug for it to plants.py; the build makes a test of each. */
#ifndef SCENARIOS_H
#define SCENARIOS_H

typedef struct scenario {
    const char *name;
    void (*body)(void);
} scenario;

/* A row without a name ends each table. */
extern const scenario start_scenarios[];
extern const scenario call_scenarios[];
extern const scenario post_scenarios[];
extern const scenario link_scenarios[];
extern const scenario signal_scenarios[];
extern const scenario checkpoint_scenarios[];
extern const scenario mail_scenarios[];
extern const scenario home_scenarios[];
extern const scenario counted_scenarios[];
extern const scenario apart_scenarios[];
extern const scenario pause_scenarios[];
extern const scenario catch_scenarios[];
extern const scenario pool_scenarios[];
extern const scenario job_scenarios[];
extern const scenario idle_scenarios[];
extern const scenario stop_scenarios[];
extern const scenario by_hand_scenarios[];
extern const scenario counter_scenarios[];
extern const scenario inspect_scenarios[];

#endif
