# SPDX-License-Identifier: MIT
"""Bugs of pauses, for plants.py."""

# name: (file, scenario that has to find the bug, original text, replacement)
PAUSES = {
    # A record whose message is in the inbox is free, so that it is sent again.
    "record_free_on_its_way": (
        "core/runs/pause.c", "pause_pause",
        "    return hold->is_wanted || hold->is_in_effect || hold->is_sent;\n",
        "    return hold->is_wanted || hold->is_in_effect;\n"),
    # Two threads resume, and both get the answer that they have ended the pause.
    "resumed_twice": (
        "core/runs/pause.c", "pause_pause",
        "    ufp_critical_enter(pump);\n    bool const is_paused = hold->is_wanted, sends",
        "    bool const is_paused = hold->is_wanted;\n    ufp_critical_enter(pump);\n    bool const sends"),
    # The pump looks at a record that came before its start again and again, and the starting thread gets no CPU.
    "start_awaited_in_rounds": (
        "core/runs/pause.c", "pause_start",
        "    else if (!hold->flow || !comes_before_start(pump, hold)) carry_out(pump, hold, true);\n",
        "    else if (hold->flow && ufp_load(&hold->flow->state) & UF_STATE_CLAIMED) ufi_inbox_send(pump, message);\n"
        "    else carry_out(pump, hold, true);\n"),
    # A pause that came before the start of its run is forgotten.
    "early_pause_forgotten": (
        "core/runs/pause.c", "pause_start",
        "    if (early) carry_out(flow->pump, early, false);\n", "    (void)early;\n"),
    # A pause that comes too late hits the next run, or nobody ends it.
    "pause_any_run": (
        "core/runs/pause.c", "pause_next_run",
        "    if (is_over) hold->is_wanted = false;\n", "    (void)is_over;\n"),
}
