# SPDX-License-Identifier: MIT
"""Bugs for the tests to find. Each is one change to a copy of one file of the runtime. A run without failures means
little unless these bugs are found within the same number of schedules. To add a bug, add an entry to PLANTS: the
build makes a test of it.

plants.py --list                            prints NAME FILE SCENARIO, one line per bug
plants.py NAME RUNTIME_DIRECTORY OUTPUT     writes the file with the bug
"""
import os
import re
import sys

from plants_apart import APART
from plants_catches import CATCHES
from plants_pauses import PAUSES
from plants_signals import SIGNALS

# name: (file, scenario that has to find the bug, original text, replacement)
PLANTS = SIGNALS | APART | CATCHES | PAUSES | {
    # Sets the sleeping flag after the last check of the inbox: a message in between is missed.
    "flag_raised_late": (
        "host/drive.c", "sleep_unwatched",
        "    ufp_store_seq_cst(&runtime->sleep, polls ? UFH_AT_POLLER : UFH_AT_CONDITION);\n"
        "    if (!has_messages(runtime)) {\n",
        "    if (!has_messages(runtime)) {\n"
        "        ufp_store_seq_cst(&runtime->sleep, polls ? UFH_AT_POLLER : UFH_AT_CONDITION);\n"),
    # The flag is lowered before the nap, in the hope that the signal will do.
    "flag_outside_the_lock": (
        "host/drive.c", "sleep_unwatched",
        "    while (ufp_load_seq_cst(&runtime->sleep) && !runtime->all_left) {\n"
        "        if (!ufp_condition_wait(&runtime->wakeup, &runtime->sleep_mutex, until)) break;\n    }\n",
        "    (void)ufp_condition_wait(&runtime->wakeup, &runtime->sleep_mutex, until);\n"),
    # Clears the flag without signalling the condition.
    "wake_without_signal": (
        "host/drive.c", "sleep_unwatched",
        "    if (where != UFH_AT_CONDITION) return;\n", "    if (where <= UFH_AT_POLLER) return;\n"),
    # Tests whether the pump sleeps before the message is in the inbox.
    "look_before_push": (
        "core/flows/inbox.c", "sleep_unwatched",
        "    ufi_inbox_push(pump, message);\n    if (host) host->wake(pump);\n",
        "    if (host) host->wake(pump);\n    ufi_inbox_push(pump, message);\n"),
    # Finds a message in the inbox, and pushes behind it when the pump may have taken that and sleep.
    "behind_a_message_that_is_gone": (
        "core/flows/inbox.c", "post_order",
        "    while ((message->next = ufp_load_pointer(&pump->inbox))) {\n"
        "        if (ufp_compare_exchange_pointer_seq_cst(&pump->inbox, message->next, message)) return true;\n    }\n"
        "    return false;\n",
        "    if (!ufp_load_pointer(&pump->inbox)) return false;\n    ufi_inbox_push(pump, message);\n"
        "    return true;\n"),
    # Pushes with a store: of two producers, one overwrites the other's message.
    "push_by_store": (
        "core/flows/inbox.c", "post_order",
        "    while (!ufp_compare_exchange_pointer_seq_cst(&pump->inbox, message->next, message));\n",
        "    while (ufp_store_pointer_seq_cst(&pump->inbox, message), false);\n"),
    # Delivers messages in LIFO order.
    "messages_backwards": (
        "core/flows/inbox.c", "post_order",
        "        newest->next = first;\n        first = newest;\n        newest = next;\n",
        "        if (!first) first = newest;\n        newest = next;\n"),
    # Two threads find the flow idle, and both start it.
    "claim_by_store": (
        "core/runs/flow.c", "start_start",
        "    return state & UF_STATE_IDLE && ufp_compare_exchange_seq_cst(&flow->state, state, UFI_CLAIMED_ONLY) "
        "? UF_OK : UF_BUSY;\n",
        "    if (!(state & UF_STATE_IDLE)) return UF_BUSY;\n    ufp_store(&flow->state, UFI_CLAIMED_ONLY);\n"
        "    return UF_OK;\n"),
    # A cancel that comes too late hits the next run.
    "cancel_any_run": (
        "core/runs/flow.c", "cancel_finish",
        "    if (uf_run_outcome(run) != UF_RUNNING) return;\n", "    if (!uf_flow_running(run.flow)) return;\n"),
    # A cancel that overtakes its start is dropped as outdated.
    "cancel_lost_on_the_way": (
        "core/runs/flow.c", "cancel_at_sight",
        "    } while (!ufp_compare_exchange_seq_cst(&run.flow->state, state, state | UFI_STATE_CANCEL));\n",
        "    } while (false);\n"),
    # The cancel's mark is overwritten when the claim becomes a start.
    "cancel_mark_overwritten": (
        "core/runs/flow.c", "cancel_at_sight",
        "entry | UF_STATE_CLAIMED | (claimed & UFI_STATE_CANCEL)));\n", "entry | UF_STATE_CLAIMED));\n"),
    # Publishes the number of the new run too early: readers combine it with data of the last run.
    "number_too_early": (
        "core/runs/flow.c", "look_at_start",
        "    ufi_begin_change(flow);\n    if (UF_USES_TIMES) ufp_store_release(&flow->run, flow->run + 1);\n",
        "    ufp_store_release(&flow->run, flow->run + 1);\n    ufi_begin_change(flow);\n"),
    # The seqlock's second read ignores that a change has begun, so the reader combines old and new words.
    "mark_looked_at_once": (
        "core/flows/introspect.c", "look_across_runs",
        "!(ufp_load_acquire(&flow->ticks) & UFI_CHANGING) && now->ordinal == ufp_load_acquire(&flow->ordinal) &&\n",
        "now->ordinal == ufp_load_acquire(&flow->ordinal) &&\n"),
    # Publishes the new run before its own time is stored.
    "time_too_late": (
        "core/runs/flow.c", "look_at_start",
        "    ufi_end_change(flow, pump->clock.logical);\n    if (UF_USES_COUNTS)",
        "    ufp_store_release(&flow->ticks, 0);\n"
        "    ufp_store_time_release(&flow->entered, pump->clock.logical);\n    if (UF_USES_COUNTS)"),
    # The runtime is freed while the thread that sent a start is still waking it.
    "starter_not_inside": (
        "core/flows/inbox.c", "start_free",
        "    bool const here = !UFI_MANY_THREADS || ufi_on_pump_thread(pump);\n\n"
        "    if (!here) ufi_pump_pin(pump);\n    ufi_inbox_push",
        "    bool const here = true;\n\n    ufi_inbox_push"),
    # The flow becomes idle before the waiters of its run are served, so they may see the end of another run.
    "idle_too_early": (
        "core/runs/turn.c", "call_call",
        "    if (ufi_host(pump) && ufp_load(&pump->watched)) "
        "ufi_host(pump)->ended(flow, last_state | UF_STATE_IDLE);\n",
        "    ufp_store_release(&flow->state, last_state | UF_STATE_IDLE);\n"
        "    if (ufi_host(pump) && ufp_load(&pump->watched)) "
        "ufi_host(pump)->ended(flow, last_state | UF_STATE_IDLE);\n"),
    # Only threads registered when the run began are notified: no second check after registration.
    "watch_without_review": (
        "host/waiter.c", "wait_run",
        "    ufp_mutex_unlock(&runtime->mutex);\n    ufh_request_round(&runtime->pump);\n\n"
        "    ufp_mutex_lock(&runtime->mutex);\n    uf_status const",
        "    uf_status const"),
    # A pending review counts as one that will see the latest change, although it does not.
    "review_seen_early": (
        "host/drive.c", "clock_change",
        "    bool const changed = ufp_load(&runtime->clock_changed);\n", "    bool const changed = false;\n"),
    # A change of the clock does not wake the sleeping pump.
    "clock_without_review": (
        "host/host_clock.c", "clock_change",
        "    if (changed) ufh_request_round(pump);\n    ufi_pump_unpin", "    ufi_pump_unpin"),
    # The runtime is freed while the thread that changed the clock is still waking it.
    "clock_changer_not_inside": (
        "host/host_clock.c", "clock_free",
        "    if (changed) ufh_request_round(pump);\n    ufi_pump_unpin(pump);\n",
        "    ufi_pump_unpin(pump);\n    if (changed) ufh_request_round(pump);\n"),
    # Tests whether a stop has begun before it counts the start.
    "count_after_the_look": (
        "core/flows/inbox.c", "call_free_early",
        "    (void)ufp_add_fetch_seq_cst(&pump->requests, 1);\n    if (!ufi_is_stopping(pump)) return UF_OK;\n",
        "    if (!ufi_is_stopping(pump)) return (void)ufp_add_fetch_seq_cst(&pump->requests, 1), UF_OK;\n"
        "    (void)ufp_add_fetch_seq_cst(&pump->requests, 1);\n"),
    # A runtime is freed under a thread that has not left it yet.
    "free_without_waiting": (
        "host/stop.c", "call_free",
        "    wait_until_left(runtime);\n", "    (void)wait_until_left;\n"),
    # The free waits for new waiters, but does not wake them.
    "nobody_serves_the_last": (
        "host/drive.c", "wait_free",
        "        (void)ufh_run_if_stopped(runtime, do_nothing, NULL); /* delivers messages */\n",
        "        (void)do_nothing;\n"),
    # Destroys a flow while a waiting thread is still on its list.
    "watch_of_the_dead": (
        "host/post.c", "detach_watched",
        "    if (ufp_load_seq_cst(&pump->watched)) ufh_release_waiters_of(flow);\n", ""),
    # A snapshot is accepted even if the words changed meanwhile.
    "look_without_mark": (
        "core/runs/turn.c", "look",
        "    ufi_begin_change(flow);\n    ufp_store_release(&flow->state, state);\n",
        "    ufp_store_release(&flow->state, state);\n"),
    # A wake-up message from before the new driver counts as sent to it.
    "linked_without_wake": (
        "host/link.c", "link_embedded",
        "    ufh_wake(&other->pump);          /* a request", "    /* a request"),
    # A refused thread writes to the runtime after the runtime has forgotten it.
    "refused_after_leaving": (
        "core/flows/inbox.c", "post_free",
        "    uf_status const refused = ufi_refuse(pump);\n"
        "    ufi_request_end(pump); /* afterwards the pump may be freed */\n"
        "    return refused;\n",
        "    ufi_request_end(pump);\n    return ufi_refuse(pump);\n"),
    # The driver sleeps without checking the pumps that it drives for others.
    "linked_inbox_forgotten": (
        "host/drive.c", "link_unwatched",
        "        if (ufp_load_pointer_seq_cst(&of->pump.inbox) || of->pump.messages) return true;\n",
        "        if (of == driver && (ufp_load_pointer_seq_cst(&of->pump.inbox) || of->pump.messages)) return true;\n"),
    # Wakes the runtime, but not its driver.
    "wrong_driver_woken": (
        "host/drive.c", "link_unwatched",
        "    if (driver != runtime) wake_thread(driver);\n", "    if (driver != runtime) wake_thread(runtime);\n"),
    # External loop: checks the inbox for the last time before the thread counts as asleep.
    "bell_forgotten": (
        "host/drive.c", "embedded",
        "    ufp_store_seq_cst(&runtime->sleep, UFH_AT_POLLER);\n"
        "    runtime->next_poll = has_messages(runtime) ? 0 : next_poll;\n",
        "    runtime->next_poll = has_messages(runtime) ? 0 : next_poll;\n"
        "    ufp_store_seq_cst(&runtime->sleep, UFH_AT_POLLER);\n"),
    # A caller whose turn has come is passed over when it gives up at that moment.
    "turn_lost": (
        "host/call.c", "call_timeout",
        "    uf_status status = ufh_waiter_wait(runtime, waiter, deadline) ? waiter->status : UF_TIMED_OUT;\n"
        "    ufh_waiter_remove(runtime, waiter);\n"
        "    if (status == UF_OK) {",
        "    uf_status status = ufp_condition_wait(&waiter->wakeup, &runtime->mutex, deadline) "
        "? waiter->status : UF_TIMED_OUT;\n"
        "    while (status == UF_OK && !waiter->done) "
        "status = ufp_condition_wait(&waiter->wakeup, &runtime->mutex, deadline) ? UF_OK : UF_TIMED_OUT;\n"
        "    ufh_waiter_remove(runtime, waiter);\n    if (status == UF_OK) {"),
    # A pending cancel accesses the storage of a destroyed flow.
    "cancel_of_the_dead": (
        "host/waiter.c", "detach_cancelled",
        "        cancel->flow = NULL;\n", ""),
    # A call at its limit cancels its run later, when it may have ended, and accesses the flow, which may be destroyed.
    "cancelled_after_giving_up": (
        "host/call.c", "call_destroy",
        "    ufh_push_cancel(cancel, run);\n",
        "    ufp_mutex_unlock(&runtime->mutex);\n    ufp_mutex_lock(&runtime->mutex);\n"
        "    ufh_push_cancel(cancel, run);\n"),
    # A call at its limit does not look how its run has ended.
    "result_dropped_at_the_limit": (
        "host/call.c", "call_result",
        "    else if (!waiter->done || waiter->end.outcome == UF_CANCELLED) return", "    else return"),
    # A flow ends just before a call waits for it, and the call does not check again.
    "idle_found_by_nobody": (
        "host/call.c", "call_start",
        "    ufp_mutex_unlock(&runtime->mutex);\n    if (claimed) return UF_OK;\n"
        "    ufh_request_round(&runtime->pump);\n\n    ufp_mutex_lock(&runtime->mutex);\n",
        "    if (claimed) return ufp_mutex_unlock(&runtime->mutex), UF_OK;\n"),
    # A fire that comes between the check for preemption and the check of the arms decides the await, and its step runs.
    "preempted_too_late": (
        "core/runs/turn.c", "preempt_before_arms",
        "    check_preemption(flow);\n    if (!is_interrupted(flow)) return true;\n",
        "    if (true) return true;\n"),
    "preempted_too_late_in_short": (
        "core/runs/turn.c", "preempt_before_arms",
        "    return !(flow->flags & (UFI_NOT_JUST_NEXT | UFI_CANCEL)) && !may_be_preempted(flow);",
        "    return !(flow->flags & UFI_NOT_JUST_NEXT);"),
    # Reads the clock before it publishes that the clock is changing.
    "clock_read_too_early": (
        "host/host_clock.c", "clock_freeze",
        "    ufp_store_seq_cst(&runtime->clock_changed, 1);\n"
        "    (void)advance_to_now(runtime);\n", "    (void)advance_to_now(runtime);\n"
        "    ufp_store_seq_cst(&runtime->clock_changed, 1);\n"),
    # The driving thread does not check for a change of the clock either.
    "clock_change_not_looked_for": (
        "host/host_clock.c", "clock_freeze",
        "    if (!ufp_load_seq_cst(&runtime->clock_changed)) {\n", "    if (!runtime->clock_changed || real % 3) {\n"),
    # A run is preempted by a fire after its start has arrived, not after it was made.
    "preempts_noted_late": (
        "core/runs/flow.c", "preempt_start",
        "    if (ufi_preempt_count(flow)) flow->type->preempting->arm(",
        "    if (ufi_preempt_count(flow)) flow->type->preempting->note_epochs(flow);\n"
        "    if (ufi_preempt_count(flow)) flow->type->preempting->arm("),
    # A resume releases the flows that are held, and the checkpoint stays armed.
    "resumed_and_armed": (
        "core/waits/checkpoint.c", "checkpoint_cycle",
        "    } while (!disarm_from(checkpoint, word));\n    return ufi_waiting_of(word);\n",
        "    } while (!disarm_from(checkpoint, word));\n    (void)uf_checkpoint_try_arm(checkpoint);\n"
        "    return ufi_waiting_of(word);\n"),
    # The controller is notified before the flow is held.
    "arrived_too_early": (
        "core/waits/checkpoint.c", "checkpoint_flow",
        "    ufi_signal_enqueue(flow, arm, held, epoch);\n    if (arm->state != UF_ARM_PENDING) return false;\n"
        "    (void)uf_signal_fire(&checkpoint_of(arm, offsetof(uf_checkpoint, held))->arrived);\n",
        "    (void)uf_signal_fire(&checkpoint_of(arm, offsetof(uf_checkpoint, held))->arrived);\n"
        "    ufi_signal_enqueue(flow, arm, held, epoch);\n    if (arm->state != UF_ARM_PENDING) return false;\n"),
    # A flow arrives and is resumed before the controller checks: the controller reports that no flow came.
    "reached_not_noted": (
        "core/waits/checkpoint.c", "checkpoint_seen_late",
        "        note_reached(checkpoint, ufi_epoch_of(word));", "        (void)note_reached;"),
    # A controller that learns that no flow came frees the checkpoint while the resume still uses it.
    "checkpoint_not_kept": (
        "core/waits/checkpoint.c", "checkpoint_freed",
        "    (void)ufp_add_fetch_seq_cst(&checkpoint->held.firing, 1);\n"
        "    bool const done = ufi_signal_fire_from(&checkpoint->held, word);\n"
        "    if (done) uf_signal_fire(&checkpoint->arrived);\n"
        "    (void)ufp_add_fetch_seq_cst(&checkpoint->held.firing, UINT32_MAX);\n",
        "    bool const done = ufi_signal_fire_from(&checkpoint->held, word);\n"
        "    if (done) uf_signal_fire(&checkpoint->arrived);\n"),
    # Two senders find the same cell free.
    "two_senders_one_cell": (
        "core/waits/mailbox.c", "mailbox_order",
        "            if (ufp_compare_exchange_seq_cst(&mailbox->head, at, after(mailbox, at))) return true;\n",
        "            return ufp_store(&mailbox->head, after(mailbox, at)), true;\n"),
    # An abandoned record still refers to its handle: a late worker writes into the next run.
    "stale_handle": (
        "core/jobs/job.c", "job_late",
        "    uf_pool *const pool = work->pool;\n"
        "\n"
        "    work->job = NULL;\n", "    uf_pool *const pool = work->pool;\n"
        "\n"),
    # Withdraws a job that a worker has already taken, so its record is reused too early.
    "withdrawn_from_a_worker": (
        "host/pool.c", "job_late",
        "    bool const queued = !ufi_list_empty(&work->place);\n", "    bool const queued = true;\n"),
    # A job that timed out or was abandoned stays in the queue.
    "not_withdrawn": (
        "host/pool.c", "job_withdrawn",
        "    if (queued) ufi_list_remove(&work->place);\n    ufp_mutex_unlock(&p->mutex);\n    return queued;\n",
        "    ufp_mutex_unlock(&p->mutex);\n    (void)queued;\n    return false;\n"),
    # Notifies a sleeping thread without marking it as notified.
    "roused_without_mark": (
        "host/pool.c", "job_end", "    ufp_store(&t->idle, 0);\n", ""),
    # Adds jobs to the queue without waking the sleeping threads.
    "queued_for_nobody": (
        "host/pool.c", "job_end", "    wake_threads_and_unlock(p, first);\n", "    (void)first;\n"
        "    wake_threads_and_unlock(p, &p->queue);\n"),
    # A thread that was woken takes a job, and wakes no other for the next one.
    "woken_and_wakes_nobody": (
        "host/pool.c", "idle_all_at_work",
        "        wake_threads_and_unlock(p, p->queue.next);\n", "        ufp_mutex_unlock(&p->mutex);\n"),
    # Threads that have arrived still count as being woken.
    "woken_for_ever": (
        "host/pool.c", "idle_all_at_work", "    p->woken--;\n", ""),
    # A thread ends its spin just when it is taken, and sleeps.
    "asleep_when_taken": (
        "host/pool.c", "idle_two_pumps",
        "    while (ufp_load(&t->idle)) (void)ufp_condition_wait(&t->wakeup, &p->mutex, UF_FOREVER);\n",
        "    do (void)ufp_condition_wait(&t->wakeup, &p->mutex, UF_FOREVER);\n"
        "    while (ufp_load(&t->idle));\n"),
    # A thread that has ended its spin is taken for one that still spins.
    "sleeper_seen_spinning": (
        "host/pool.c", "idle_two_pumps",
        "    t->asleep = true;\n", ""),
    # A round keeps all records of a shared pool.
    "records_for_one": (
        "host/pool.c", "idle_records_for_both",
        "ufp_load(&p->pumps) == 1 || ufp_load(&p->available) >= p->record_count / 2;", "ufp_load(&p->pumps) > 0;"),
    # Jobs submitted in a round stay with the pump at the round's end.
    "round_keeps_its_jobs": (
        "core/pump/pump.c", "job_two_for_one",
        "    if (ufi_jobs(pump)) pump->jobs->end_round(pump);\n", "    pump->spare = NULL;\n"),
    # Worker and pump both take the record.
    "orphaned_though_over": (
        "host/pool.c", "job_by_hand",
        "    bool const orphaned = work->progress == UFI_WORK_IN_POOL;\n", "    bool const orphaned = true;\n"),
    # A record that the pump left to the pool is sent to that pump.
    "orphan_sent_home": (
        "host/pool.c", "job_runtime_first",
        "    if (work->progress == UFI_WORK_ORPHANED) {\n", "    if (false) {\n"),
    # A thread that has not entered a sleeping pump wakes it, although the pump has its last job and may be freed.
    "wakes_from_outside": (
        "host/pool.c", "job_runtime_first",
        "    ufi_pump_pin(pump);\n    return pump;\n", "    return pump;\n"),
    # The library's own threads do not wake the driver of a caller-driven pump.
    "driver_not_woken": (
        "host/pool.c", "job_wakes_by_hand", "    else ufi_wake_driver(pump);\n", ""),
    # A pump is freed without waiting for workers that run its jobs.
    "pump_goes_first": (
        "host/stop.c", "job_runtime_first",
        "    (void)ufh_run_if_stopped(runtime, close_pool, pump);\n    if (runtime->shown)",
        "    (void)close_pool;\n    if (runtime->shown)"),
    # A pump is freed without waiting for records that are being sent to it.
    "pump_does_not_wait": (
        "core/jobs/job.c", "job_by_hand",
        "    while (pump->works_in_flight) {\n", "    while (false) {\n"),
    # A submit that holds a record does not notice that the pool has closed.
    "queued_after_the_end": (
        "host/pool.c", "job_submit_into_end",
        "    if (closed) ufh_drop_queued(p);\n", "    (void)closed;\n"),
    # Frees the pool while an abandoned thread still uses it.
    "nobody_holds_for_the_left": (
        "host/pool_life.c", "job_left_behind",
        "        p->threads[i].left_behind = true;\n"
        "        ufp_add_fetch_seq_cst(&p->references, 1);\n", "        p->threads[i].left_behind = true;\n"),
    # Frees the pool while a pump still uses it.
    "nobody_holds_for_the_pump": (
        "host/pool.c", "job_pool_first",
        "    (void)pump;\n"
        "    ufp_add_fetch_seq_cst(&ufh_thread_pool_of(pool)->references, 1);\n", "    (void)pump;\n"
        "    (void)pool;\n"),
    # Records in flight decrement a counter in a destroyed flow.
    "flow_not_disowned": (
        "core/runs/flow.c",
        "job_destroyed",
        "    if (ufi_jobs(flow->pump) && ufi_count_jobs(flow)) flow->pump->jobs->disown(flow);\n", ""),
    # Does not ring the notifier of a thread that sleeps in its poller.
    "poller_not_rung": (
        "host/drive.c", "descriptor_ready",
        "    if (where == UFH_AT_POLLER) ufp_notifier_notify(&runtime->poller.notifier);\n", "    (void)runtime;\n"),
    # Reports a watched descriptor as ready, but does not wake the flow.
    "descriptor_told_to_nobody": (
        "host/descriptors.c", "descriptor_ready", "            ufi_wake(arm->owner);\n",
        "            (void)ufi_wake;\n"),
    # Reports the runtime as stopped before it checks for pending messages.
    "stopped_too_early": (
        "host/stop.c", "stop_detach",
        "runtime->pump.running == 0 && ufp_load_seq_cst(&runtime->pump.requests) == 0;", "runtime->pump.running == 0;"),
    # A thread that begins to wait after the end is never served.
    "waits_for_a_stopped_one": (
        "host/waiter.c", "stop_wait",
        "    if (runtime->stopped) check_waiter(runtime, waiter); /* there is no driving thread to do so */\n", ""),
    # Threads that have begun to wait are not checked in the round that they have requested.
    "new_waiters_unchecked": (
        "host/waiter.c", "wait_run",
        "    for (ufh_waiter *w; (w = ufh_waiters_fresh(&runtime->waiters)) != NULL;) check_waiter(runtime, w);\n", ""),
    # A stop leaves calls waiting for their turn.
    "turns_not_refused": (
        "host/stop.c", "call_free",
        "    ufh_check_all_waiters(runtime); /* calls that wait for their turn are refused */\n", ""),
    # The table of waiters grows, and loses some of them.
    "table_grows_in_part": (
        "host/waiter_table.c", "call_table",
        "    for (uint32_t i = 0; i < count; i++) {\n", "    for (uint32_t i = 1; i < count; i++) {\n"),
    # A thread that gave up stays among those to be checked.
    "checked_after_leaving": (
        "host/waiter_table.c", "call_timeout", "    leave(&waiter->unchecked);\n", ""),
    # Two threads stand in for the runtime's thread at once.
    "no_hands": (
        "host/stop.c", "stop_restart",
        "    ufp_mutex_lock(&runtime->takeover);\n    uf_status const status = restart(runtime);\n"
        "    ufp_mutex_unlock(&runtime->takeover);\n",
        "    uf_status const status = restart(runtime);\n"),
    # The runtime is started again before a waiter has seen the stop: that waiter waits for the next stop.
    "started_unseen": (
        "host/stop.c",
        "stop_at_start",
        "bool finished = runtime->stop_finished || has_restarted(runtime);",
        "bool finished = runtime->stop_finished;"),
    # The external loop drives a stopped runtime while another thread stands in for its thread.
    "drives_what_is_stopped": (
        "host/drive.c", "stop_in_a_loop", "    if (is_stopped(runtime)) return;\n", ""),
    # A runtime is started while another thread, which found it stopped, frees it.
    "started_while_freed": (
        "host/stop.c", "restart_free", "    return read_in_section(&runtime->freeing) ? UF_STOPPING : status;\n",
        "    return status;\n"),
    # The new thread does not wait until its runtime is complete.
    "begins_before_it_is_let": (
        "host/runtime.c", "stop_restart",
        "    while (runtime->start_held || ufp_load_pointer_seq_cst", "    while (ufp_load_pointer_seq_cst"),
    # Only the first waiter is notified that the stop is over.
    "told_without_watchers": (
        "host/stop.c", "stop_stop", "    ufh_check_all_waiters(runtime);\n"
        "    ufp_condition_signal(&runtime->changed);\n", "    ufp_condition_signal(&runtime->changed);\n"),
    # A mailbox is destroyed, and its pump freed, under one who sends.
    "sender_not_counted": (
        "core/waits/mailbox.c", "mailbox_free",
        "    (void)ufp_add_fetch_seq_cst(&mailbox->filled.firing, 1);\n"
        "    uf_status const status = send_item(mailbox, item);\n"
        "    (void)ufp_add_fetch_seq_cst(&mailbox->filled.firing, UINT32_MAX);\n",
        "    uf_status const status = send_item(mailbox, item);\n"),
    # A caller-driven pump is freed while a firing thread still uses it.
    "by_hand_gone_at_once": (
        "core/pump/pump.c", "by_hand_gone",
        "    while (UF_USES_MESSAGES && ufp_load_seq_cst(&pump->pins))\n        ufp_spin_pause();", "   "),
    # A thread that waits for another runtime does not process its own fires, while a step of the other one destroys
    # that signal.
    "waits_without_looking": (
        "host/waiter.c", "signal_destroy_into_detach",
        "    while (ufh_process_own_fired()) {}\n",
        ""),
    # A caller-driven pump receives its job and is freed while the worker is still waking its driver.
    "wakes_a_pump_that_is_gone": (
        "core/jobs/work.c", "job_wakes_of_own_kind",
        "    if (wakes) ufi_pump_pin(pump);\n    ufi_inbox_send(pump, &work->message);\n"
        "    if (!wakes) return;\n    ufi_wake_driver(pump);\n    ufi_pump_unpin(pump);\n",
        "    ufi_inbox_send(pump, &work->message);\n    if (wakes) ufi_wake_driver(pump);\n"),
    # Wakes the driver before the message is in the inbox.
    "driver_woken_too_early": (
        "core/jobs/work.c", "job_wakes_of_own_kind",
        "    ufi_inbox_send(pump, &work->message);\n    if (!wakes) return;\n    ufi_wake_driver(pump);\n",
        "    if (wakes) ufi_wake_driver(pump);\n    ufi_inbox_send(pump, &work->message);\n    if (!wakes) return;\n"),
    # A mailbox is destroyed while a pump is still to hand on a wake-up of its waiters for room.
    "room_closed_under_hander": (
        "core/waits/room.c", "room_destroyed_under_receiver",
        "    while (has_hander(room)) {\n"
        "        if (!ufi_process_own_fired()) ufp_spin_pause();\n"
        "    }\n",
        "    (void)has_hander;\n"),
    # A flow leaves that was woken for room, and its wake-up is still on its pump's stack.
    "room_left_on_stack": (
        "core/waits/room.c", "room_cancelled",
        "        ufi_take_elsewhere_early(pump);\n"
        "        ufi_ring_remove(&pump->woken_arms, link_of(arm));\n",
        "        ufi_ring_remove(&pump->woken_arms, link_of(arm));\n"),
    # One critical section for the texts of all flows.
    "texts_of_all": (
        "core/flows/introspect.c", "counted_fail",
        "    if (UF_USES_NAMES) ufp_store(&pump->texts, before + 1);\n",
        "    static char all;\n"
        "    ufp_critical_enter(&all);\n"
        "    ufp_critical_leave(&all);\n"
        "    ufp_store(&pump->texts, before + 1);\n"),
    # Counters change while they are read.
    "counts_of_two_moments": (
        "observe/counters.c", "counters_flows",
        "    return ufp_load_acquire(&counters->sequence) == sequence;\n", "    (void)counters, (void)sequence;\n"
        "    return true;\n"),
    # Counters were already changing when the read began.
    "counts_read_in_the_middle": (
        "observe/counters.c", "counters_flows",
        "        if (!(sequence & 1)) return sequence;\n        ufp_spin_pause();\n", "        return sequence;\n"),
    # Discards rounds without marking the counters as changing.
    "rounds_forgotten_unmarked": (
        "observe/counters.c", "counters_rounds",
        "    begin_write(counters);\n"
        "    if (ufp_load(&counters->reset) && ufp_exchange_seq_cst(&counters->reset, 0)) reset_rounds(counters);\n",
        "    if (ufp_load(&counters->reset) && ufp_exchange_seq_cst(&counters->reset, 0)) reset_rounds(counters);\n"
        "    begin_write(counters);\n"),
    # A waiter queues itself without a second check: a place that became free in between wakes nobody.
    "room_checked_once": (
        "core/waits/room.c", "room_for_one",
        "        join_queue(room, arm);\n        *status = room->check(room, &free);\n",
        "        join_queue(room, arm);\n"),
    # The level of the queue is read before the place is free.
    "room_freed_too_late": (
        "core/waits/mailbox.c", "room_for_one",
        "    ufp_store_byte_seq_cst(turn_of(mailbox, position), last_lap ? 0 : (uint8_t)(lap * 2));\n"
        "    ufi_room_freed(&mailbox->room);\n",
        "    ufi_room_freed(&mailbox->room);\n"
        "    ufp_store_byte_seq_cst(turn_of(mailbox, position), last_lap ? 0 : (uint8_t)(lap * 2));\n"),
    # A thread that finds its place taken stays woken, and is not queued again.
    "room_woken_for_ever": (
        "core/waits/room.c", "room_for_all",
        "    if (arm->detail.room == WOKEN) { /* received; ufi_room_leave() hands it on */\n"
        "        room->woken--;\n        arm->detail.room = RETURNING;\n    }\n",
        ""),
    # A flow that is cancelled after it was woken keeps the wake-up.
    "room_not_handed_on": (
        "core/waits/room.c", "room_cancelled",
        "    if (was == WOKEN && ufp_load(&room->queued)) hand_on_later(pump, room);\n", ""),
    # A woken flow uses the place, and does not look for another one.
    "room_not_handed_on_after_a_turn": (
        "core/waits/room.c", "room_for_all",
        "    if (ufp_load(&room->queued)) {\n        room->served++;\n        hand_on_later(pump, room);\n"
        "    } else {\n"
        "        room->woken--; /* nobody to hand it on to */\n    }\n",
        "    if (!ufp_load(&room->queued)) room->woken--;\n"),
    # A thread that gives up after it was woken keeps the wake-up.
    "room_not_handed_on_by_a_thread": (
        "core/waits/room.c", "room_timed_out",
        "    ufp_critical_leave(room);\n    wake(room);\n}\n", "    ufp_critical_leave(room);\n}\n"),
    # The end of a mailbox forgets waiters that were not woken yet.
    "room_closed_for_one": (
        "core/waits/room.c", "room_destroyed",
        "    wake_all_that(take_closed, room);\n",
        "    woken one;\n"
        "    ufp_critical_enter(room);\n    bool const any = take_closed(room, &one);\n    ufp_critical_leave(room);\n"
        "    if (any) notify(&one);\n"),
    # Two spawns take the same member.
    "two_spawns_one_member": (
        "core/runs/members.c", "pool_used_again",
        "    ufp_critical_enter(pool);\n    bool const is_full = has_none(pool);\n"
        "    if (!is_full) member = pool->free;\n",
        "    bool const is_full = has_none(pool);\n"
        "    if (!is_full) member = pool->free;\n    ufp_critical_enter(pool);\n"),
    # A graceful shutdown wakes nobody who waits for room.
    "room_stopped_in_silence": (
        "core/waits/mailbox.c", "room_stopped",
        "    for_each_mailbox(pump, wake_waiters);\n", "    (void)wake_waiters;\n"),
    # The server's thread takes a part that is still being copied.
    "part_given_early": (
        "inspect/snapshot.c", "inspect_snapshots",
        "    see_pump(&part->seen_pump, pump);\n",
        "    ufp_store_release(&part->asked, 0);\n    see_pump(&part->seen_pump, pump);\n"),
    # A snapshot goes on at a flow that was detached since its last part.
    "part_of_the_dead": (
        "host/post.c", "inspect_changes",
        "    if (runtime->next_seen == flow) runtime->next_seen = "
        "ufi_member_around(flow) ? NULL : uf_pump_next_flow(pump, flow);\n", "    (void)runtime;\n"),
    # A waiter that leaves the front of the queue is still taken for the last one that has returned.
    "room_returned_to_the_dead": (
        "core/waits/room.c", "room_for_all",
        "    if (room->returned == arm) room->returned = is_first ? NULL : arm->prev;\n", "    (void)is_first;\n"),
    # Asks a runtime that has stopped, which nobody drives any more.
    "part_of_a_stopped_runtime": (
        "inspect/snapshot.c", "inspect_snapshots",
        "        if (ufh_count_request(runtime)) {\n",
        "        (void)ufh_count_request(runtime);\n        if (true) {\n"),
    # Returns events that were overwritten while they were copied.
    "recorder_read_unchecked": (
        "recorder/recorder.c", "inspect_recorder",
        "        uint32_t const lost = "
        "lost_by(distance(first, ufp_load_acquire(&header->head), capacity), capacity);\n",
        "        uint32_t const lost = 0;\n"),
    # Announces an event before it is stored.
    "event_announced_early": (
        "recorder/recorder.c", "inspect_recorder",
        "    store_cell(&recorder->events[recorder->at], time, what, a, b);\n"
        "    if (++recorder->at == header->capacity) begin_lap(recorder);\n"
        "    else ufp_store_release(&header->head, header->head + 1);\n",
        "    uint32_t const at = recorder->at;\n"
        "    if (++recorder->at == header->capacity) begin_lap(recorder);\n"
        "    else ufp_store_release(&header->head, header->head + 1);\n"
        "    store_cell(&recorder->events[at], time, what, a, b);\n"),
}


def matches(old, text):
    """Finds the places where `old` occurs, with any white space between its tokens."""
    tokens = re.findall(r"\w+|[^\w\s]", old)
    before, after = r"\s*" if old[0].isspace() else "", r"\s*?\n" if old[-1] == "\n" else ""
    return re.finditer(before + r"\s*".join(map(re.escape, tokens)) + after, text)


def main():
    if sys.argv[1] == "--list":
        for name, (path, scenario, _, _) in PLANTS.items():
            print(name, path, scenario)
        return 0
    name, runtime, output = sys.argv[1:]
    path, _, old, new = PLANTS[name]
    with open(os.path.join(runtime, path), encoding="utf-8") as file:
        text = file.read()
    places = list(matches(old, text))
    if len(places) != 1:
        print(f"plants.py: {name}: {path} has changed: the text to replace occurs {len(places)} times", file=sys.stderr)
        return 1
    with open(output, "w", encoding="utf-8") as file:
        file.write(text[:places[0].start()] + new + text[places[0].end():])
    return 0


if __name__ == "__main__":
    sys.exit(main())
