/* SPDX-License-Identifier: MIT */
/* driving.h - the thread that drives runtimes: rounds, sleep, descriptors and linked runtimes. */
#ifndef UFLOW_DRIVING_H
#define UFLOW_DRIVING_H

#include "uflow/runtime.h"

/* Where the driving thread of a runtime sleeps. */
typedef enum ufh_sleep { UFH_AWAKE, UFH_AT_CONDITION, UFH_AT_POLLER } ufh_sleep;

/* Time that waits took, with the work after them, and the jobs or messages handled in it: sums of some last waits. */
typedef struct ufh_pace {
    uf_time time;
    int64_t handled;
} ufh_pace;

/* The busy waits of one thread; see spin.c. */
typedef struct ufh_spin {
    uf_time limit;       /* 0: it never spins */
    ufh_pace paces[2];   /* without and with a spin */
    int share_in_vain;   /* of its last spins, in 1024ths */
    uf_time rests_until; /* it does not spin before */
    uf_time began;       /* the last wait */
    uint32_t waits;
    uint32_t handled; /* jobs or messages, until the last wait began */
    bool spins;       /* in the last wait */
    bool in_vain;     /* the last wait: a spin, for its whole limit */
    bool arrived;     /* the last wait ended with a message or a job, and not at a deadline */
} ufh_spin;

/* -- drive.c ----------------------------------------------------------------------------------------------------- */

/* Any thread: wakes the thread that drives the pump. Call it after the message is in the inbox. */
void ufh_wake(uf_pump *pump);

/* Any thread: false if the driving thread is awake and will see a message that is in the inbox by now. */
bool ufh_needs_wake(const uf_pump *pump);

/* Drives the runtime and those linked to it on the calling thread, until it has to leave, or until `until`, itself or
 * one that it drives, has stopped. */
void ufh_drive(uf_runtime *runtime, uf_runtime *until);

/* The same until the runtime has stopped, on the thread of the external loop. Does nothing if it has stopped already.
 */
void ufh_drive_until_stopped(uf_runtime *runtime);

/* Replaces the driving thread, which has ended: delivers messages until every other thread has left the runtime. */
void ufh_serve_until_all_left(uf_runtime *runtime);

/* External-loop mode, at the end of a poll: marks the thread as asleep, so that messages notify the poller. */
void ufh_end_poll(uf_runtime *runtime, uf_time next_poll);

/* Lets the first round begin: releases the held thread, or notifies the poller in external-loop mode. */
void ufh_release_start(uf_runtime *runtime);

/* Stores which thread drives the runtime and those linked to it. */
void ufh_set_driving_thread(uf_runtime *runtime, void *thread);

/* -- loops.c ----------------------------------------------------------------------------------------------------- */

/* External-loop mode: the runtime has been made, it is polled by this thread, it is being freed. */
void ufh_add_loop(uf_runtime *runtime);
void ufh_claim_loop(uf_runtime *runtime);
void ufh_remove_loop(uf_runtime *runtime);

/* Does this thread drive a runtime, or an external loop with one? */
bool ufh_thread_drives_runtime(void);

/* The host function of this name; see hooks.h. */
bool ufh_process_own_fired(void);

/* -- link.c ------------------------------------------------------------------------------------------------------ */

/* Driving thread: removes a runtime from those that it drives. */
void ufh_remove_linked(uf_runtime *driver, uf_runtime *other);

/* Stores the driver of a runtime, and wakes the runtime's own thread. */
void ufh_set_driver(uf_runtime *other, uf_runtime *driver);

/* -- spin.c ------------------------------------------------------------------------------------------------------ */

#define UFH_DEFAULT_SPIN UF_US(100)

/* For the calling thread. `limit`: as configured; 0: the default; negative: none. A thread with one CPU never spins. */
ufh_spin ufh_make_spin(uf_time limit);

/* Begins a wait. `handled`: a running count of jobs or messages. Returns: true if the thread is to spin before it
 * sleeps. */
bool ufh_spin_begin(ufh_spin *spin, uint32_t handled);

/* Spins until `has_arrived(what)`, for the limit, or until the time `until`. Returns: what `has_arrived` said last. */
bool ufh_spin_until(ufh_spin *spin, bool (*has_arrived)(const void *what), const void *what, uf_time until);

/* -- descriptors.c ----------------------------------------------------------------------------------------------- */

void ufh_descriptor_arm_add(uf_pump *pump, uf_arm *arm);
void ufh_descriptor_arm_remove(uf_pump *pump, uf_arm *arm);
void ufh_descriptor_look(uf_arm *arm);

/* Driving thread, as all below: true if any flow that this thread drives waits for a descriptor. */
bool ufh_waits_for_descriptors(const uf_runtime *runtime);

/* Opens the poller if there is none yet; false if that fails. */
bool ufh_can_poll(uf_runtime *runtime);

/* Waits until a descriptor is ready, the notifier is notified, or it is `deadline` (0: does not wait). Wakes the
 * flows. */
void ufh_poll(uf_runtime *runtime, uf_time deadline);

/* Nests the pollers of linked runtimes in this runtime's poller. Returns false if the poller's descriptor does not
 * cover all descriptors that flows wait for. */
bool ufh_nest_pollers(uf_runtime *runtime);
void ufh_unnest_poller(uf_runtime *runtime, uf_runtime *other);

void ufh_close_descriptors(uf_runtime *runtime);

/* -- turn.c ------------------------------------------------------------------------------------------------------ */

/* In the pump's critical section: the flow and the step that the pump's thread is running, or NULL. The flow stays
 * attached until the critical section ends. */
const uf_flow *ufh_current_step(const uf_pump *pump, const uf_step_info **step);

/* -- host_clock.c ------------------------------------------------------------------------------------------------ */

/* Driving thread: advances the pump's clock to `real`, and copies it first if another thread has changed it. */
void ufh_advance_clock(uf_runtime *runtime, uf_time real);

/* The host functions `take_clock`, `give_clock` and `now`; see hooks.h. */
uf_clock *ufh_begin_clock_change(uf_pump *pump);
void ufh_end_clock_change(uf_pump *pump, bool changed);
uf_time ufh_now(const uf_pump *pump);

#endif
