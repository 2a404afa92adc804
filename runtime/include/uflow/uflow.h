/* SPDX-License-Identifier: MIT */
/* uflow.h - includes everything that an application needs of uflow's core.
 *
 *   uf_pump pump;
 *   Picker picker;                                  a struct that ufc generated from `flow Picker`
 *   uf_pump_init(&pump, NULL);                      NULL: the default configuration
 *   Picker_init(&picker, &pump, "picker", 7);       attaches the flow to its pump
 *   Picker_start_Pick(&picker, slot);               starts the task `Pick`
 *   uf_simulate_until_idle(&pump, UF_FOREVER);      runs it in virtual time; or call uf_pump_round() from your own loop
 *   uf_flow_outcome(&picker.uf);                    UF_DONE, UF_FAILED, ...
 *
 * You provide the storage and pass in the time. Nothing here allocates memory, starts a thread or reads a clock.
 *
 * Function comments use fixed lines. `Thread:` names the threads that may call the function:
 *   "any"           any thread if the pump belongs to a runtime; a caller-driven pump has only its own thread
 *   "any, with every pump"  any thread, whatever drives the pump
 *   "the pump's"    the thread that drives the pump: steps, observers, hooks and posts run on it
 *   "the loop's"    the thread of the loop that drives a runtime in external-loop mode
 *   "one at a time" any thread, but you serialise the calls for one object
 * `Returns:` lists every status. `Lifetime:` says how long a pointer must stay valid, or who owns a result.
 *
 * Every function accepts NULL and zeroed storage. Unless its comment says otherwise, it then returns UF_INVALID, false,
 * 0, NULL or "", or does nothing. */
#ifndef UFLOW_UFLOW_H
#define UFLOW_UFLOW_H

#include "uflow/base.h"       /* status codes, time, version */
#include "uflow/checkpoint.h" /* places where flows can be held */
#include "uflow/clock.h"      /* logical time: scale, freeze, resume */
#include "uflow/flow.h"       /* a flow's life: cancel, outcome, introspection */
#include "uflow/job.h"        /* handles of jobs, which run on other threads */
#include "uflow/mailbox.h"    /* queues into a flow */
#include "uflow/observer.h"   /* callbacks for everything that a pump does */
#include "uflow/pause.h"      /* time that stands still for a flow */
#include "uflow/pool.h"       /* the threads that run jobs */
#include "uflow/pump.h"       /* rounds */
#include "uflow/signal.h"     /* events that release every waiter */
#include "uflow/simulate.h"   /* driving a pump in virtual time */
#include "uflow/slots.h"      /* a store in memory that takes rewriting */
#include "uflow/stop.h"       /* graceful shutdown */
#include "uflow/store.h"      /* flows that outlive the process */
#include "uflow/text.h"       /* a text as a value */
#include "uflow/timer.h"      /* a stopwatch on logical time */

#include "uflow/generated/words.h"
#include "uflow/priv/guards.h"

#endif
