# SPDX-License-Identifier: MIT
"""Bugs of signals of the system, for plants.py."""

# name: (file, scenario that has to find the bug, original text, replacement)
CATCHES = {
    # A signal that comes between the end of a catch and the next one sends a message that is in the inbox.
    "catch_sent_twice": (
        "host/catch.c", "catch_uncatch",
        "    bool const is_sent = c && !c->under_way;\n", "    bool const is_sent = c != NULL;\n"),
    # The record is freed while its message is in the inbox.
    "catch_freed_on_its_way": (
        "host/catch.c", "catch_uncatch",
        "    if (!under_way) ufp_free(c);\n", "    (void)under_way;\n    ufp_free(c);\n"),
    # A signal that comes right after the fire counts as one that has fired.
    "catch_answered_late": (
        "host/catch.c", "catch_each",
        "    ufp_store_seq_cst(&came_at[c->number], 0);\n    (void)uf_signal_fire(c->signal);\n",
        "    (void)uf_signal_fire(c->signal);\n    ufp_store_seq_cst(&came_at[c->number], 0);\n"),
    # The runtime is freed while the dispatcher sends to it.
    "catch_not_kept": (
        "host/catch.c", "catch_free",
        "    ufp_critical_leave(catches);\n    if (!is_sent) return;\n    uf_pump *const pump = &c->runtime->pump;\n",
        "    if (is_sent) ufi_pump_unpin(&c->runtime->pump);\n    ufp_critical_leave(catches);\n"
        "    if (!is_sent) return;\n    uf_pump *const pump = &c->runtime->pump;\n    ufi_pump_pin(pump);\n"),
    # A signal that the ended catch was about to take keeps the next catch from firing.
    "catch_cleared_early": (
        "host/catch.c", "catch_uncatch",
        "        forget_arrivals(number);\n    }\n",
        "    }\n    ufp_critical_leave(catches);\n    ufp_critical_enter(catches);\n"),
}
