# SPDX-License-Identifier: MIT
"""Bugs of signals, for plants.py."""

# name: (file, scenario that has to find the bug, original text, replacement)
SIGNALS = {
    # A fire notifies the signal's home, but no other pump.
    "one_pump_told": (
        "core/waits/signal.c", "signal_all",
        "        more = signal->foreign && push_arms(signal, to);\n",
        "        more = !signal->home && signal->foreign && push_arms(signal, to);\n"),
    # The waiter is counted before it can be found: a fire in between searches in vain.
    "joined_before_listed": (
        "core/waits/fired.c", "signal_destroy",
        "    enqueue(flow->pump, signal, arm);\n"
        "    join(flow->pump, arm);\n",
        "    join(flow->pump, arm);\n"
        "    enqueue(flow->pump, signal, arm);\n"),
    # The pump empties its stack, and announces only after it has looked that it needs another message.
    "told_lowered_late": (
        "core/waits/fired.c", "signal_two",
        "    void *const top = ufp_exchange_pointer_seq_cst(&pump->fired_elsewhere, NULL);\n"
        "    uf_signal *const lone = take_lone(pump, top);\n"
        "    if (lone) release(pump, lone);\n"
        "    else sort_fired_elsewhere(pump, top);\n"
        "    if (!ufi_list_empty(&pump->fired) || pump->due) process_fired(pump);\n",
        "    void *const top = ufp_exchange_pointer_seq_cst(&pump->fired_elsewhere, UFI_EMPTY_STACK);\n"
        "    uf_signal *const lone = take_lone(pump, top);\n"
        "    if (lone) release(pump, lone);\n"
        "    else sort_fired_elsewhere(pump, top);\n"
        "    if (!ufi_list_empty(&pump->fired) || pump->due) process_fired(pump);\n"
        "    ufp_exchange_pointer_seq_cst(&pump->fired_elsewhere, NULL);\n"),
    # The firing thread visits a pump that no longer waits for the signal, and may be freed.
    "pump_not_kept": (
        "core/waits/signal.c", "signal_free",
        "    if (UFI_MANY_THREADS) ufi_inbox_push(pump, &pump->check_elsewhere);",
        "    ufi_pump_unpin(pump);\n"
        "    ufi_inbox_push(pump, &pump->check_elsewhere);\n"
        "    ufi_pump_pin(pump);"),
    # A released waiter destroys the signal while the fire still uses it.
    "destroyed_under_a_fire": (
        "core/waits/signal.c", "signal_destroyed_at_sight",
        "    return ufp_load_pointer_seq_cst(&signal->home) || ufp_load_seq_cst(&signal->others) ||\n"
        "           ufp_load_seq_cst(&signal->firing) != UFI_CLOSED + 1;\n",
        "    return ufp_load_pointer_seq_cst(&signal->home) || ufp_load_seq_cst(&signal->others);\n"),
    # A waiter that leaves after the fire is subtracted from the next count.
    "left_twice": (
        "core/waits/signal.c", "signal_cancel",
        "        if (ufi_epoch_of(word) != since) return false;\n"
        "    } while (!ufp_compare_exchange_wide_seq_cst(&signal->word, word, word - 1));\n",
        "        (void)since;\n"
        "    } while (!ufp_compare_exchange_wide_seq_cst(&signal->word, word, word - 1));\n"),
    # A former home of the signal is still notified.
    "home_remembered": (
        "core/waits/fired.c", "signal_cancel",
        "    if (signal->fired.next) {\n"
        "        ufi_list_remove(&signal->fired);\n"
        "        signal->fired.next = NULL;\n"
        "    }\n",
        "    if (signal->fired.next) {}\n"),
    # Unsubscribing does not wait for a callback that is running.
    "forgotten_while_called": (
        "core/waits/signal.c", "signal_forget",
        "    while (removal == UFI_CALLBACK_CALLED && ufp_load_acquire", "    while (false && ufp_load_acquire"),
    # A timed-out thread counts as not released, although a fire released it at that moment.
    "released_too_late": (
        "host/signal_wait.c", "signal_threads",
        "    case UFI_CALLBACK_RELEASED: return UF_OK;\n", "    case UFI_CALLBACK_RELEASED: return UF_TIMED_OUT;\n"),
    # Two steps that destroy each other's signals deadlock.
    "own_pump_not_served": (
        "core/waits/signal.c", "signal_destroy_mutual",
        "        uf_pump *const home = caller_driven_home(signal);\n"
        "        if (!(home && ufi_process_fired_early(home)) && !ufi_process_own_fired()) ufp_spin_pause();\n",
        "        (void)caller_driven_home;\n"
        "        ufp_spin_pause();\n"),
    # A controller that times out disarms without a check, and leaves a flow held.
    "given_up_blindly": (
        "host/signal_wait.c", "checkpoint_timeout",
        "        if (status != UF_OK && ufi_checkpoint_disarm_unreached(checkpoint, arming)) return status;\n",
        "        if (status != UF_OK) return (void)ufi_checkpoint_disarm_unreached(checkpoint, arming), status;\n"),
    # The receiver tests for mail, and only then begins to wait.
    "mail_looked_for_early": (
        "core/waits/fired.c", "mailbox_order",
        "        else ufi_signal_enqueue(flow, arm, arm->on.signal, ufi_epoch_now(arm->on.signal));\n"
        "    }\n",
        "        else ufi_signal_enqueue(flow, arm, arm->on.signal, ufi_epoch_now(arm->on.signal));\n"
        "        return false;\n"
        "    }\n"),
    # A callback that is about to be called counts as one that is running.
    "taken_is_called": (
        "core/waits/signal.c", "signal_forget_two",
        "        ufp_store(&callback->state, CALLBACK_IS_DETACHED);\n",
        "        ufp_store(&callback->state, CALLBACK_IS_CALLED);\n"),
    # A waiter for an arrival at a checkpoint is not counted: the checkpoint is destroyed while the waiter wakes up.
    "arm_not_counted": (
        "host/signal_wait.c", "checkpoint_destroyed_under_arm",
        "    ufp_add_fetch_seq_cst(&checkpoint->arrived.firing, 1);\n"
        "    uf_status const status = arm_until(checkpoint, ufh_deadline(timeout));\n"
        "    ufp_add_fetch_seq_cst(&checkpoint->arrived.firing, UINT32_MAX);",
        "    uf_status const status = arm_until(checkpoint, ufh_deadline(timeout));\n"),
    # Checks for destruction before it enqueues, so that a concurrent destroy does not see the waiter.
    "closed_looked_at_first": (
        "core/waits/fired.c", "signal_destroyed_at_the_door",
        "    enqueue(flow->pump, signal, arm);\n"
        "    join(flow->pump, arm);\n",
        "    bool const closed = ufi_signal_closed(signal);\n"
        "    enqueue(flow->pump, signal, arm);\n"
        "    if (ufi_signal_join(signal, since)) arm->state = UF_ARM_PENDING;\n"
        "    if (closed) detach_arm(flow->pump, arm);\n"),
    # Every caller-driven pump counts as one that this thread drives.
    "by_hand_is_anybodys": (
        "core/waits/signal.c", "by_hand_others",
        "    bool const found = ufi_is_present(home) && !ufi_host(home);\n",
        "    bool const found = ufi_is_present(home);\n"),
    # A pump ceases to be the home without a mark: a fire that it has not seen pushes the signal on its stack.
    "ceases_unmarked": (
        "core/waits/fired.c", "signal_cancel",
        "    ufp_store_pointer_seq_cst(&signal->home, (unsigned char *)pump + 1);\n"
        "    if (",
        "    if ("),
    # A pump that ceases to be the home does not wait for a fire that has not seen the mark.
    "ceases_without_waiting": (
        "core/waits/fired.c", "signal_cancel",
        "    while (ufp_load_pointer_seq_cst(&signal->queued)) {\n"
        "        ufi_take_elsewhere_early(pump);\n"
        "        if (ufp_load_pointer_seq_cst(&signal->queued)) ufp_spin_pause();\n"
        "    }\n",
        "    ufi_take_elsewhere_early(pump);\n"),
    # A thread reads who is at home, and claims the signal when that pump may be gone.
    "claimed_late": (
        "core/waits/signal.c", "signal_cancel",
        "        home = ufp_load_pointer_seq_cst(&signal->home);\n"
        "        if (ufi_is_present(home)) return home;\n",
        "        if (ufi_is_present(home)) return home;\n"),
    # The pump that has the signal ceases to be its home and is freed, and the fire pins it afterwards.
    "claimed_unpinned": (
        "core/waits/signal.c", "signal_free",
        "        if (!below && !pinned) {\n"
        "            ufi_pump_pin(home);\n"
        "            pinned = true;\n"
        "        }\n"
        "    } while (!ufp_compare_exchange_pointer_seq_cst(&home->fired_elsewhere, below, "
        "(unsigned char *)signal + 1));\n",
        "    } while (!ufp_compare_exchange_pointer_seq_cst(&home->fired_elsewhere, below, "
        "(unsigned char *)signal + 1));\n"
        "    if (!below) ufi_pump_pin(home);\n"),
    # The stack is taken before its message arrives, and the next fire sends the message again.
    "message_sent_twice": (
        "core/waits/fired.c", "signal_leave_two",
        "        sort_fired_elsewhere(pump, ufp_exchange_pointer_seq_cst(&pump->fired_elsewhere, UFI_EMPTY_STACK));\n",
        "        sort_fired_elsewhere(pump, ufp_exchange_pointer_seq_cst(&pump->fired_elsewhere, NULL));\n"),
    # A fire at home releases only the waiters at home.
    "others_forgotten_at_home": (
        "core/waits/signal.c", "signal_home_and_away",
        "    if (!ufp_load_seq_cst(&signal->others)) return true;\n",
        "    if (true) return true;\n"),
    # The arms are pushed on the stack of a pump that may then release them and be freed.
    "pushed_unpinned": (
        "core/waits/signal.c", "signal_free_two",
        "    ufi_pump_pin(pump);\n"
        "    do {\n"
        "        below = ufp_load_pointer(&pump->fired_elsewhere);\n"
        "        bottom->next = below;\n"
        "    } while (!ufp_compare_exchange_pointer_seq_cst(&pump->fired_elsewhere, below, top));\n",
        "    do {\n"
        "        below = ufp_load_pointer(&pump->fired_elsewhere);\n"
        "        bottom->next = below;\n"
        "    } while (!ufp_compare_exchange_pointer_seq_cst(&pump->fired_elsewhere, below, top));\n"
        "    ufi_pump_pin(pump);\n"),
    # Two fires push two signals on one stack, and one overwrites the other.
    "stack_pushed_by_store": (
        "core/waits/signal.c", "signal_two",
        "    } while (!ufp_compare_exchange_pointer_seq_cst(&home->fired_elsewhere, below, "
        "(unsigned char *)signal + 1));\n",
        "    } while (ufp_store_pointer_seq_cst(&home->fired_elsewhere, (unsigned char *)signal + 1), false);\n"),
    # The home does not clear that the signal is on its stack, alone or with others.
    "queued_for_ever": (
        "core/waits/fired.c", "signal_count",
        "    ufp_store_pointer_seq_cst(&signal->queued, NULL); /* before the word is read */\n"
        "    return signal;\n",
        "    return signal;\n"),
    "queued_for_ever_beside_another": (
        "core/waits/fired.c", "signal_two_in_a_round",
        "            ufp_store_pointer_seq_cst(&signal->queued, NULL); /* before the word is read */\n"
        "            if (signal->fired.next) continue;\n",
        "            if (signal->fired.next) continue;\n"),
    # An arm that waits again leaves the signal for a moment, and its owner destroys it.
    "rejoined_unpinned": (
        "core/waits/fired.c", "checkpoint_destroyed_under_arrival",
        "        if (arm->on_list) ufi_signal_rejoin(flow, arm);\n"
        "        else ufi_signal_enqueue(",
        "        ufi_signal_dequeue(flow, arm);\n"
        "        ufi_signal_enqueue("),
    # A pump that waits for another one does not hand on wake-ups meanwhile.
    "room_not_handed_on_early": (
        "core/waits/fired.c", "room_destroyed_into_wait",
        "    if (ufi_hands_on(pump)) {\n"
        "        pump->hand_on(pump);\n"
        "        any = true;\n"
        "    }\n",
        ""),
    # One counter for all fires of the program.
    "fires_counted_for_all": (
        "core/waits/signal.c", "counted_apart",
        "    enqueue_fired(ufp_load_pointer(&signal->home), signal);\n",
        "    static uint32_t fires;\n"
        "    ufp_add_fetch_seq_cst(&fires, 1);\n"
        "    enqueue_fired(ufp_load_pointer(&signal->home), signal);\n"),
    # A fire at home tells others that it is under way.
    "counted_at_home": (
        "core/waits/signal.c", "counted_fire",
        "    if (ufi_at_home(signal)) return fire_at_home(signal, word, fired);\n",
        ""),
}
