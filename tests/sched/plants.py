"""Bugs to be found: each is one change to one file of the runtime, made in a copy of it. A rig that does not find
all of them within the given number of schedules proves nothing about the rest. A new bug is an entry in PLANTS: the
build makes a test of it.

plants.py --list                            NAME FILE SCENARIO, a line each
plants.py NAME RUNTIME_DIRECTORY OUTPUT     writes the file with the bug
"""
import os
import re
import sys

# name: (file, scenario that has to find it, what stands there, what stands there instead)
PLANTS = {
    # The sleeping flag is raised after the last look into the inbox: what comes in between is slept through.
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
    # The flag is taken, and nobody is told.
    "wake_without_signal": (
        "host/drive.c", "sleep_unwatched",
        "    if (where != UFH_AT_CONDITION) return;\n", "    if (where <= UFH_AT_POLLER) return;\n"),
    # It is looked whether the pump sleeps before the message is there.
    "look_before_push": (
        "core/inbox.c", "sleep_unwatched",
        "    ufi_inbox_push(pump, message);\n    if (host) host->wake(pump);\n",
        "    if (host) host->wake(pump);\n    ufi_inbox_push(pump, message);\n"),
    # Two producers, and one of them overwrites the other's message.
    "push_by_store": (
        "core/inbox.c", "post_order",
        "    while (!ufp_compare_exchange_pointer_seq_cst(&pump->inbox, message->next, message));\n",
        "    while (ufp_store_pointer_seq_cst(&pump->inbox, message), false);\n"),
    # Last in, first out.
    "messages_backwards": (
        "core/inbox.c", "post_order",
        "        newest->next = first;\n        first = newest;\n        newest = next;\n",
        "        if (!first) first = newest;\n        newest = next;\n"),
    # Two threads find the flow idle, and both start it.
    "claim_by_store": (
        "core/flow.c", "start_start",
        "    return state & UF_STATE_IDLE && ufp_compare_exchange_seq_cst(&flow->state, state, UFI_CLAIMED_ONLY) "
        "? UF_OK : UF_BUSY;\n",
        "    if (!(state & UF_STATE_IDLE)) return UF_BUSY;\n    ufp_store(&flow->state, UFI_CLAIMED_ONLY);\n"
        "    return UF_OK;\n"),
    # A cancel that comes too late hits the next run.
    "cancel_any_run": (
        "core/flow.c", "cancel_finish",
        "    if (uf_run_outcome(run) != UF_RUNNING) return;\n", "    if (!uf_flow_running(run.flow)) return;\n"),
    # A cancel that overtakes the start that it is meant for is taken for an old one.
    "cancel_lost_on_the_way": (
        "core/flow.c", "cancel_at_sight",
        "    } while (!ufp_compare_exchange_seq_cst(&run.flow->state, state, state | UFI_STATE_CANCEL));\n",
        "    } while (false);\n"),
    # It leaves its mark, which is overwritten when the claim becomes a start.
    "cancel_mark_overwritten": (
        "core/flow.c", "cancel_at_sight",
        "entry | UF_STATE_CLAIMED | (claimed & UFI_STATE_CANCEL)));\n", "entry | UF_STATE_CLAIMED));\n"),
    # The new run has its number before it begins: what is read of the last one is taken for it.
    "number_too_early": (
        "core/flow.c", "look_at_start",
        "    ufp_store(&flow->ticks, UFI_CHANGING);\n    ufp_store_release(&flow->run, flow->run + 1);\n",
        "    ufp_store_release(&flow->run, flow->run + 1);\n    ufp_store(&flow->ticks, UFI_CHANGING);\n"),
    # A second look that does not look whether a change has begun: half of it was read, and the half
    # that is looked at again is old.
    "mark_looked_at_once": (
        "core/introspect.c", "look_across_runs",
        "!(ufp_load_acquire(&flow->ticks) & UFI_CHANGING) && now->ordinal == ufp_load_acquire(&flow->ordinal) &&\n",
        "now->ordinal == ufp_load_acquire(&flow->ordinal) &&\n"),
    # The new run is shown before it has its own time.
    "time_too_late": (
        "core/flow.c", "look_at_start",
        "    ufp_store(&flow->ticks, UFI_CHANGING);\n    ufp_store_release(&flow->run, flow->run + 1);\n"
        "    ufp_store_time_release(&flow->entered, pump->clock.logical);\n"
        "    ufp_store_release(&flow->state, entry);\n"
        "    ufp_store_release(&flow->ordinal, 0);\n    ufp_store_release(&flow->ticks, 0);\n",
        "    ufp_store(&flow->ticks, UFI_CHANGING);\n    ufp_store_release(&flow->run, flow->run + 1);\n"
        "    ufp_store_release(&flow->state, entry);\n    ufp_store_release(&flow->ordinal, 0);\n"
        "    ufp_store_release(&flow->ticks, 0);\n"
        "    ufp_store_time_release(&flow->entered, pump->clock.logical);\n"),
    # A thread sends a start, and the runtime is gone before it has woken it.
    "starter_not_inside": (
        "core/inbox.c", "start_free",
        "    bool const here = ufi_on_pump_thread(pump);\n\n    if (!here) ufi_pump_pin(pump);\n    ufi_inbox_push",
        "    bool const here = true;\n\n    ufi_inbox_push"),
    # The flow is idle before those who wait for its run have been served: they may see another one's end.
    "idle_too_early": (
        "core/turn.c", "call_call",
        "    if (pump->host && ufp_load(&pump->watched)) pump->host->ended(flow, last_state | UF_STATE_IDLE);\n",
        "    ufp_store_release(&flow->state, last_state | UF_STATE_IDLE);\n"
        "    if (pump->host && ufp_load(&pump->watched)) pump->host->ended(flow, last_state | UF_STATE_IDLE);\n"),
    # The end is signalled only to those who were there when the run began: no second look after registration.
    "watch_without_review": (
        "host/waiter.c", "wait_run",
        "    ufp_mutex_unlock(&runtime->mutex);\n    ufh_request_round(&runtime->pump);\n\n"
        "    ufp_mutex_lock(&runtime->mutex);\n    uf_status const",
        "    uf_status const"),
    # A review that is on its way is taken for one that will see what has just been changed, and is not.
    "review_seen_early": (
        "host/drive.c", "clock_change",
        "    bool const changed = ufp_load(&runtime->clock_changed);\n", "    bool const changed = false;\n"),
    # The clock is changed, and the pump sleeps on as it had planned.
    "clock_without_review": (
        "host/host_clock.c", "clock_change",
        "    if (changed) ufh_request_round(pump);\n    ufi_pump_unpin", "    ufi_pump_unpin"),
    # A thread changes the clock, and the runtime is gone before it has woken it.
    "clock_changer_not_inside": (
        "host/host_clock.c", "clock_free",
        "    if (changed) ufh_request_round(pump);\n    ufi_pump_unpin(pump);\n",
        "    ufi_pump_unpin(pump);\n    if (changed) ufh_request_round(pump);\n"),
    # It is looked whether a stop has begun before the start is counted.
    "count_after_the_look": (
        "core/inbox.c", "call_free_early",
        "    ufp_add_fetch_seq_cst(&pump->requests, 1);\n    if (!ufp_load_seq_cst(&pump->stopping)) return UF_OK;\n",
        "    if (!ufp_load_seq_cst(&pump->stopping)) return ufp_add_fetch_seq_cst(&pump->requests, 1), UF_OK;\n"
        "    ufp_add_fetch_seq_cst(&pump->requests, 1);\n"),
    # A runtime is freed under a thread that has not left it yet.
    "free_without_waiting": (
        "host/stop.c", "call_free",
        "    wait_until_left(runtime);\n", "    (void)wait_until_left;\n"),
    # Those who have just begun to wait are waited for, and nobody tells them that what they wait for has come.
    "nobody_serves_the_last": (
        "host/drive.c", "wait_free",
        "        (void)ufh_run_if_stopped(runtime, do_nothing, NULL); /* delivers messages */\n",
        "        (void)do_nothing;\n"),
    # A flow is destroyed, and a thread that waits for it is still on the list.
    "watch_of_the_dead": (
        "host/post.c", "detach_watched",
        "    if (ufp_load_seq_cst(&pump->watched)) ufh_release_waiters_of(flow);\n", ""),
    # A look takes what it reads for whole, whatever changes meanwhile.
    "look_without_mark": (
        "core/turn.c", "look",
        "    ufp_store(&flow->ticks, UFI_CHANGING);\n    ufp_store_release(&flow->state, state);\n",
        "    ufp_store_release(&flow->state, state);\n"),
    # The driver is told to look by a message that may have been on its way before there was this driver.
    "linked_without_wake": (
        "host/link.c", "link_embedded",
        "    ufh_wake(&other->pump);          /* a request", "    /* a request"),
    # Who was refused writes that down when the runtime has forgotten him.
    "refused_after_leaving": (
        "core/inbox.c", "post_free",
        "    uf_status const refused = ufi_refuse(pump);\n"
        "    ufi_request_end(pump); /* afterwards the pump may be freed */\n"
        "    return refused;\n",
        "    ufi_request_end(pump);\n    return ufi_refuse(pump);\n"),
    # The driver sleeps without a look at the pumps that it drives for others.
    "linked_inbox_forgotten": (
        "host/drive.c", "link_unwatched",
        "        if (ufp_load_pointer_seq_cst(&other->pump.inbox) || other->pump.messages) return true;\n",
        "        (void)other;\n"),
    # The runtime is woken, and its driver sleeps on.
    "wrong_driver_woken": (
        "host/drive.c", "link_unwatched",
        "    if (driver != runtime) wake_thread(driver);\n", "    if (driver != runtime) wake_thread(runtime);\n"),
    # Somebody else's loop: the last look comes before the thread counts as asleep.
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
    # A cancel that is still on its way finds the storage of a flow that is gone.
    "cancel_of_the_dead": (
        "host/post.c", "detach_cancelled",
        "        if (run->flow == flow) run->flow = NULL;\n", "        (void)run;\n"),
    # A call that gives up cancels a run that may have ended meanwhile, of a flow that may be gone.
    "cancelled_after_giving_up": (
        "host/call.c", "call_destroy",
        "    if (status == UF_TIMED_OUT) ufh_push_cancel(cancel, run); "
        "/* after the unlock the flow may be destroyed */\n"
        "    ufh_waiter_remove(runtime, waiter);\n    ufp_mutex_unlock(&runtime->mutex);\n",
        "    ufh_waiter_remove(runtime, waiter);\n    ufp_mutex_unlock(&runtime->mutex);\n"
        "    if (status == UF_TIMED_OUT) ufh_push_cancel(cancel, run);\n"),
    # A flow that ends just when a call begins to wait for it: nobody looks again.
    "idle_found_by_nobody": (
        "host/call.c", "call_start",
        "    ufp_mutex_unlock(&runtime->mutex);\n    if (claimed) return UF_OK;\n"
        "    ufh_request_round(&runtime->pump);\n\n    ufp_mutex_lock(&runtime->mutex);\n",
        "    if (claimed) return ufp_mutex_unlock(&runtime->mutex), UF_OK;\n"),
    # A fire tells the pump whose flows came first, and forgets the others.
    "one_pump_told": (
        "core/signal.c", "signal_all",
        "    if (!ufp_load(&signal->foreign_count)) return others;\n",
        "    if (signal->home || !ufp_load(&signal->foreign_count)) return others;\n"),
    # Counted before it can be found: the fire comes in between, and looks in vain.
    "joined_before_listed": (
        "core/fired.c", "signal_destroy",
        "    enqueue(flow->pump, signal, arm);\n    if (ufi_signal_join(signal, since)) arm->state = UF_ARM_PENDING;\n",
        "    if (ufi_signal_join(signal, since)) arm->state = UF_ARM_PENDING;\n"
        "    enqueue(flow->pump, signal, arm);\n"),
    # A fire that comes between a look for what pre-empts and a look at the arms decides the await, and its step runs.
    "preempted_too_late": (
        "core/turn.c", "preempt_before_arms",
        "    check_preemption(flow);\n    if (!(flow->flags & UFI_PREEMPTED)) return true;\n",
        "    if (true) return true;\n"),
    "preempted_too_late_in_short": (
        "core/turn.c", "preempt_before_arms",
        "    return !(flow->flags & NOT_JUST_NEXT) && !flow->type->preempt_count;",
        "    return !(flow->flags & NOT_JUST_NEXT);"),
    # The clock is read before it is said that it changes.
    "clock_read_too_early": (
        "host/host_clock.c", "clock_freeze",
        "    ufp_store_seq_cst(&runtime->clock_changed, 1);\n    (void)advance_to_now(runtime);\n",
        "    (void)advance_to_now(runtime);\n    ufp_store_seq_cst(&runtime->clock_changed, 1);\n"),
    # Nor does the driving thread look whether it does.
    "clock_change_not_looked_for": (
        "host/host_clock.c", "clock_freeze",
        "    if (!ufp_load_seq_cst(&runtime->clock_changed)) {\n", "    if (!runtime->clock_changed || real % 3) {\n"),
    # The pump says that it will look again after it has looked.
    "told_lowered_late": (
        "core/fired.c", "signal_two",
        "    ufp_exchange_seq_cst(&pump->check_queued, 0);\n    ufi_process_fired(pump);\n",
        "    ufi_process_fired(pump);\n    ufp_exchange_seq_cst(&pump->check_queued, 0);\n"),
    # Who fires goes on to a pump that has nothing to do with the signal any more, and may be gone.
    "pump_not_kept": (
        "core/signal.c", "signal_free",
        "    ufi_pump_pin(pump);\n    pump->next_notified = others;\n", "    pump->next_notified = others;\n"),
    # The signal is destroyed by somebody whom the fire has released, and the fire is still in it.
    "destroyed_under_a_fire": (
        "core/signal.c", "signal_destroyed_at_sight",
        "ufp_load_pointer_seq_cst(&signal->home) || ufp_load_seq_cst(&signal->foreign_count) "
        "|| ufp_load_seq_cst(&signal->firing);",
        "ufp_load_pointer_seq_cst(&signal->home) || ufp_load_seq_cst(&signal->foreign_count);"),
    # One that leaves after the fire takes another one's place in the count.
    "left_twice": (
        "core/signal.c", "signal_cancel",
        "        if (ufi_epoch_of(word) != since) return false;\n"
        "    } while (!ufp_compare_exchange_wide_seq_cst(&signal->word, word, word - 1));\n",
        "        (void)since;\n    } while (!ufp_compare_exchange_wide_seq_cst(&signal->word, word, word - 1));\n"),
    # A pump that ceases to be the home is still told of the signal.
    "home_remembered": (
        "core/fired.c", "signal_cancel",
        "        ufi_list_remove(&signal->fired);\n        signal->fired.next = NULL;\n    }\n"
        "    ufp_store_pointer_seq_cst",
        "    }\n    ufp_store_pointer_seq_cst"),
    # A callback is forgotten while it is being called.
    "forgotten_while_called": (
        "core/signal.c", "signal_forget",
        "    while (removal == UFI_CALLBACK_CALLED && ufp_load_acquire", "    while (false && ufp_load_acquire"),
    # A thread whose time is over just when it is released has not been released.
    "released_too_late": (
        "host/signal_wait.c", "signal_threads",
        "    case UFI_CALLBACK_RELEASED: return UF_OK;\n", "    case UFI_CALLBACK_RELEASED: return UF_TIMED_OUT;\n"),
    # Two steps that destroy each other's signals wait for each other.
    "own_pump_not_served": (
        "core/signal.c", "signal_destroy_mutual",
        "        if (own) ufi_process_fired(own);\n        else ufp_spin_pause();\n",
        "        (void)own;\n        ufp_spin_pause();\n"),
    # A run is pre-empted by what fires after its start has arrived, not after it was made.
    "preempts_noted_late": (
        "core/flow.c", "preempt_start",
        "    if (flow->type->preempt_count) flow->type->preempting->arm(",
        "    if (flow->type->preempt_count) flow->type->preempting->note_epochs(flow);\n"
        "    if (flow->type->preempt_count) flow->type->preempting->arm("),
    # Who resumes lets those go who stand there, and the checkpoint stays armed.
    "resumed_and_armed": (
        "core/checkpoint.c", "checkpoint_cycle",
        "    } while (!disarm_from(checkpoint, word));\n    return ufi_waiting_of(word);\n",
        "    } while (!disarm_from(checkpoint, word));\n    (void)uf_checkpoint_try_arm(checkpoint);\n"
        "    return ufi_waiting_of(word);\n"),
    # It is told that somebody has come before he stands there.
    "arrived_too_early": (
        "core/checkpoint.c", "checkpoint_flow",
        "    ufi_signal_enqueue(flow, arm, held, epoch);\n    if (arm->state != UF_ARM_PENDING) return false;\n"
        "    uf_signal_fire(&checkpoint_of(arm, offsetof(uf_checkpoint, held))->arrived);\n",
        "    uf_signal_fire(&checkpoint_of(arm, offsetof(uf_checkpoint, held))->arrived);\n"
        "    ufi_signal_enqueue(flow, arm, held, epoch);\n    if (arm->state != UF_ARM_PENDING) return false;\n"),
    # A controller whose time is over disarms whatever there is, and leaves one standing whom he does not know of.
    "given_up_blindly": (
        "host/signal_wait.c", "checkpoint_timeout",
        "        if (status != UF_OK && ufi_checkpoint_disarm_unreached(checkpoint, arming)) return status;\n",
        "        if (status != UF_OK) return (void)ufi_checkpoint_disarm_unreached(checkpoint, arming), status;\n"),
    # Somebody has come, and has been resumed before the controller has seen it: it is told that nobody came.
    "reached_not_noted": (
        "core/checkpoint.c", "checkpoint_seen_late",
        "    if (held) note_reached(checkpoint, ufi_epoch_of(word)); "
        "/* before the exchange, so that its readers see this too */\n",
        "    (void)note_reached;\n"),
    # He who is told that nobody came frees the checkpoint, and the resume is still in it.
    "checkpoint_not_kept": (
        "core/checkpoint.c", "checkpoint_freed",
        "    ufp_add_fetch_seq_cst(&checkpoint->held.firing, 1);\n"
        "    bool const done = ufi_signal_fire_from(&checkpoint->held, word);\n"
        "    if (done && !held) uf_signal_fire(&checkpoint->arrived);\n"
        "    ufp_add_fetch_seq_cst(&checkpoint->held.firing, UINT32_MAX);\n",
        "    bool const done = ufi_signal_fire_from(&checkpoint->held, word);\n"
        "    if (done && !held) uf_signal_fire(&checkpoint->arrived);\n"),
    # It is looked whether there is mail, and then waited.
    "mail_looked_for_early": (
        "core/fired.c", "mailbox_order",
        "        ufi_signal_dequeue(flow, arm);\n"
        "        ufi_signal_enqueue(flow, arm, arm->on.signal, uf_signal_epoch(arm->on.signal));\n    }\n",
        "        ufi_signal_dequeue(flow, arm);\n"
        "        ufi_signal_enqueue(flow, arm, arm->on.signal, uf_signal_epoch(arm->on.signal));\n"
        "        return false;\n    }\n"),
    # Two senders find the same cell free.
    "two_senders_one_cell": (
        "core/mailbox.c", "mailbox_order",
        "            if (ufp_compare_exchange_seq_cst(&mailbox->head, at, after(mailbox, at))) return true;\n",
        "            return ufp_store(&mailbox->head, after(mailbox, at)), true;\n"),
    # An abandoned record still knows its handle: a late worker writes into the next run.
    "stale_handle": (
        "core/job.c", "job_late",
        "    uf_pool *const pool = work->pool;\n\n    work->job = NULL;\n",
        "    uf_pool *const pool = work->pool;\n\n"),
    # A job is taken out of the queue that is not in it, but with a worker: its record is used for another one.
    "withdrawn_from_a_worker": (
        "host/pool.c", "job_late",
        "    bool const queued = !ufi_list_empty(&work->place);\n", "    bool const queued = true;\n"),
    # One whose time is up, or that was abandoned, stays in the queue.
    "not_withdrawn": (
        "host/pool.c", "job_withdrawn",
        "    if (queued) ufi_list_remove(&work->place);\n    ufp_mutex_unlock(&p->mutex);\n    return queued;\n",
        "    ufp_mutex_unlock(&p->mutex);\n    (void)queued;\n    return false;\n"),
    # A thread that sleeps is told, and not marked as told.
    "roused_without_mark": (
        "host/pool.c", "job_end", "    t->asleep = false;\n", ""),
    # The queue has more, and those who sleep are not told.
    "queued_for_nobody": (
        "host/pool.c", "job_end", "    wake_threads_and_unlock(p, first);\n",
        "    (void)first;\n    wake_threads_and_unlock(p, &p->queue);\n"),
    # What a round has submitted stays with the pump at its end.
    "round_keeps_its_jobs": (
        "core/pump.c", "job_two_for_one",
        "    if (pump->jobs) pump->jobs->end_round(pump);\n", "    pump->spare = NULL;\n"),
    # Worker and pump both take the record for theirs.
    "orphaned_though_over": (
        "host/pool.c", "job_by_hand",
        "    bool const orphaned = work->progress == UFI_WORK_IN_POOL;\n", "    bool const orphaned = true;\n"),
    # A record that was left to the pool is sent to the pump that has left it.
    "orphan_sent_home": (
        "host/pool.c", "job_runtime_first",
        "    if (work->progress == UFI_WORK_ORPHANED) {\n", "    if (false) {\n"),
    # A sleeping pump that has got its last job, and may be freed, is woken by one who is not inside.
    "wakes_from_outside": (
        "host/pool.c", "job_runtime_first",
        "    ufi_pump_pin(pump);\n    return pump;\n", "    return pump;\n"),
    # The driver of a pump by hand is told nothing by the library's own threads.
    "driver_not_woken": (
        "host/pool.c", "job_wakes_by_hand", "    else ufi_wake_driver(pump);\n", ""),
    # A pump goes without a look at those who are at its jobs.
    "pump_goes_first": (
        "host/stop.c", "job_runtime_first",
        "    (void)ufh_run_if_stopped(runtime, close_pool, pump);\n    wait_until_left",
        "    (void)close_pool;\n    wait_until_left"),
    # It does not wait for what is on its way to it.
    "pump_does_not_wait": (
        "core/job.c", "job_by_hand",
        "    while (pump->works_in_flight) {\n", "    while (false) {\n"),
    # A submit that has its record does not see that the pool has ended since.
    "queued_after_the_end": (
        "host/pool.c", "job_submit_into_end",
        "    if (closed) drop_queued(p);\n", "    (void)closed;\n"),
    # The pool is freed under a thread that was left behind in it.
    "nobody_holds_for_the_left": (
        "host/pool.c", "job_left_behind",
        "        p->threads[i].left_behind = true;\n        ufp_add_fetch_seq_cst(&p->references, 1);\n",
        "        p->threads[i].left_behind = true;\n"),
    # The pool is freed under a pump that was given it.
    "nobody_holds_for_the_pump": (
        "host/pool.c", "job_pool_first",
        "    (void)pump;\n    ufp_add_fetch_seq_cst(&thread_pool_of(pool)->references, 1);\n",
        "    (void)pump;\n    (void)pool;\n"),
    # A flow is destroyed, and its records in flight still count down in it.
    "flow_not_disowned": (
        "core/flow.c", "job_destroyed",
        "    if (flow->type->job_count && flow->pump->jobs) flow->pump->jobs->disown(flow);\n",
        ""),
    # The notifier is not rung for a thread that sleeps at its poller.
    "poller_not_rung": (
        "host/drive.c", "descriptor_ready",
        "    if (where == UFH_AT_POLLER) ufp_notifier_notify(&runtime->poller.notifier);\n", "    (void)runtime;\n"),
    # What was watched for is told, and nobody is woken.
    "descriptor_told_to_nobody": (
        "host/descriptors.c", "descriptor_ready", "        ufi_wake(arm->owner);\n", "        (void)ufi_wake;\n"),
    # The runtime is said to be stopped before it was looked whether something is on its way.
    "stopped_too_early": (
        "host/stop.c", "stop_detach",
        "runtime->pump.running == 0 && ufp_load_seq_cst(&runtime->pump.requests) == 0;", "runtime->pump.running == 0;"),
    # Who begins to wait when all is over is looked at by nobody.
    "waits_for_a_stopped_one": (
        "host/waiter.c", "stop_wait",
        "    if (runtime->stopped) check_waiter(runtime, waiter); /* there is no driving thread to do so */\n", ""),
    # Two that do something in the place of the thread, at once.
    "no_hands": (
        "host/stop.c", "stop_restart",
        "    ufp_mutex_lock(&runtime->takeover);\n    uf_status const status = restart(runtime);\n"
        "    ufp_mutex_unlock(&runtime->takeover);\n",
        "    uf_status const status = restart(runtime);\n"),
    # It was stopped, and is started before who waits for that has looked: the next stop is waited for.
    "started_unseen": (
        "host/stop.c", "stop_at_start", "bool finished = runtime->stop_finished || has_restarted(runtime);",
        "bool finished = runtime->stop_finished;"),
    # The loop drives what is stopped, while another thread does something in its place.
    "drives_what_is_stopped": (
        "host/drive.c", "stop_in_a_loop", "    if (is_stopped(runtime)) return;\n", ""),
    # It is started, and freed by somebody who found it stopped.
    "started_while_freed": (
        "host/stop.c", "restart_free", "    return is_being_freed(runtime) ? UF_STOPPING : status;\n",
        "    (void)is_being_freed;\n    return status;\n"),
    # The new thread does not wait until all is ready for it.
    "begins_before_it_is_let": (
        "host/runtime.c", "stop_restart",
        "    while (runtime->start_held || ufp_load_pointer_seq_cst", "    while (ufp_load_pointer_seq_cst"),
    # A stop that is over is told to the first who waits, and to nobody else.
    "told_without_watchers": (
        "host/stop.c", "stop_stop",
        "    ufh_check_waiters_locked(runtime);\n    ufp_condition_signal(&runtime->changed);\n",
        "    ufp_condition_signal(&runtime->changed);\n"),
    # One that is about to be called is taken for one that is being called already.
    "taken_is_called": (
        "core/signal.c", "signal_forget_two",
        "        ufp_store(&callback->state, CALLBACK_IS_DETACHED);\n",
        "        ufp_store(&callback->state, CALLBACK_IS_CALLED);\n"),
    # Who waits for a checkpoint to be reached is not counted: it is destroyed while he wakes up.
    "arm_not_counted": (
        "host/signal_wait.c", "checkpoint_destroyed_under_arm",
        "    ufp_add_fetch_seq_cst(&checkpoint->arrived.firing, 1);\n"
        "    uf_status const status = arm_until(checkpoint, ufh_deadline(timeout));\n"
        "    ufp_add_fetch_seq_cst(&checkpoint->arrived.firing, UINT32_MAX);",
        "    uf_status const status = arm_until(checkpoint, ufh_deadline(timeout));\n"),
    # It is looked whether a signal was destroyed before the wait is where that would find it.
    "closed_looked_at_first": (
        "core/fired.c", "signal_destroyed_at_the_door",
        "    enqueue(flow->pump, signal, arm);\n    if (ufi_signal_join(signal, since)) arm->state = UF_ARM_PENDING;\n"
        "    if (ufp_load_seq_cst(&signal->closed)) detach_arm(flow->pump, arm);\n",
        "    bool const closed = ufp_load_seq_cst(&signal->closed);\n    enqueue(flow->pump, signal, arm);\n"
        "    if (ufi_signal_join(signal, since)) arm->state = UF_ARM_PENDING;\n"
        "    if (closed) detach_arm(flow->pump, arm);\n"),
    # A mailbox is destroyed, and its pump freed, under one who sends.
    "sender_not_counted": (
        "core/mailbox.c", "mailbox_free",
        "    ufp_add_fetch_seq_cst(&mailbox->filled.firing, 1);\n"
        "    uf_status const status = send_item(mailbox, item);\n"
        "    ufp_add_fetch_seq_cst(&mailbox->filled.firing, UINT32_MAX);\n",
        "    uf_status const status = send_item(mailbox, item);\n"),
    # A pump that is driven by hand is gone, while one who has told it of a fire is still on his way out.
    "by_hand_gone_at_once": (
        "core/pump.c", "by_hand_gone",
        "    while (ufp_load_seq_cst(&pump->pins)) ufp_spin_pause();", "    "),
    # Who waits for another runtime leaves its own flows to a signal that a step of that one is destroying.
    "waits_without_looking": (
        "host/waiter.c", "signal_destroy_into_detach", "    ufi_process_own_fired();\n", ""),
    # A pump that is driven by hand has what a worker has done, and goes, with the worker on his way to wake its driver.
    "wakes_a_pump_that_is_gone": (
        "core/work.c", "job_wakes_of_own_kind",
        "    if (wakes) ufi_pump_pin(pump);\n    ufi_inbox_send(pump, &work->message);\n"
        "    if (!wakes) return;\n    ufi_wake_driver(pump);\n    ufi_pump_unpin(pump);\n",
        "    ufi_inbox_send(pump, &work->message);\n    if (wakes) ufi_wake_driver(pump);\n"),
    # Its driver is told before there is anything.
    "driver_woken_too_early": (
        "core/work.c", "job_wakes_of_own_kind",
        "    ufi_inbox_send(pump, &work->message);\n    if (!wakes) return;\n    ufi_wake_driver(pump);\n",
        "    if (wakes) ufi_wake_driver(pump);\n    ufi_inbox_send(pump, &work->message);\n    if (!wakes) return;\n"),
    # Every pump that is driven by hand is taken for the own one.
    "by_hand_is_anybodys": (
        "core/signal.c", "by_hand_others",
        "    return signal && (ufp_load_pointer(&signal->home) == pump || ufi_has_foreign_waiter(pump, signal));\n",
        "    (void)signal;\n    return true;\n"),
    # Counts are read, and changed meanwhile.
    "counts_of_two_moments": (
        "observe/counters.c", "counters_flows",
        "    return ufp_load_acquire(&counters->sequence) == sequence;\n",
        "    (void)counters, (void)sequence;\n    return true;\n"),
    # They were changing already when that began.
    "counts_read_in_the_middle": (
        "observe/counters.c", "counters_flows",
        "        if (!(sequence & 1)) return sequence;\n        ufp_spin_pause();\n", "        return sequence;\n"),
    # Rounds are forgotten, and nobody is told that they change.
    "rounds_forgotten_unmarked": (
        "observe/counters.c", "counters_rounds",
        "    begin_write(counters);\n"
        "    if (ufp_load(&counters->reset) && ufp_exchange_seq_cst(&counters->reset, 0)) reset_rounds(counters);\n",
        "    if (ufp_load(&counters->reset) && ufp_exchange_seq_cst(&counters->reset, 0)) reset_rounds(counters);\n"
        "    begin_write(counters);\n"),
}


def matches(old, text):
    """The places where `old` occurs, whatever the white space between its tokens."""
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
