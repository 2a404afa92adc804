# SPDX-License-Identifier: MIT
"""Bugs for plants.py: something of the whole process in operations that share nothing. Each kind gets one counter."""


def counted_for_all(path, scenario, before):
    return path, scenario, before, before + "    static uint32_t all;\n    ufp_add_fetch_seq_cst(&all, 1);\n"


# name: (file, scenario that has to find the bug, original text, replacement)
APART = {
    "texts_counted_for_all": counted_for_all(
        "core/flows/introspect.c", "counted_texts",
        "static void describe(uf_flow *flow, const char *text)\n{\n"),
    "reasons_counted_for_all": counted_for_all(
        "host/waiter.c", "counted_texts",
        "    ufi_copy_reason(flow, outcome, waiter->end.reason);\n"),
    "callbacks_counted_for_all": counted_for_all(
        "core/waits/signal.c", "counted_callbacks",
        "    bool const closed = ufi_signal_closed(signal), joined = !closed && ufi_signal_join(signal, since);\n"),
    "threads_counted_for_all": counted_for_all(
        "host/signal_wait.c", "counted_threads",
        "    signal_waiter waiter = {.done = false};\n"),
    "guests_counted_for_all": counted_for_all(
        "core/waits/fired.c", "counted_guests",
        "static void append_foreign(uf_signal *signal, uf_arm *arm)\n{\n"),
    "wakes_for_room_counted_for_all": counted_for_all(
        "core/waits/room.c", "counted_rooms",
        "static woken wake_waiter(uf_arm *arm)\n{\n"),
    "members_counted_for_all": counted_for_all(
        "core/runs/members.c", "counted_spawns",
        "    ufp_critical_enter(pool);\n    bool const is_full = has_none(pool);\n"),
    "posts_counted_for_all": counted_for_all(
        "host/post.c", "counted_posts",
        "static post *allocate_post(void)\n{\n"),
    "ends_of_runs_counted_for_all": counted_for_all(
        "host/waiter.c", "counted_starts",
        "    uf_outcome const outcome = (uf_outcome)flow->outcome;\n"),
    "jobs_counted_for_all": counted_for_all(
        "host/pool.c", "counted_jobs",
        "    uf_work *work = p->closed ? NULL : p->free;\n"),
    "destroys_counted_for_all": counted_for_all(
        "core/waits/signal.c", "counted_ends",
        "    released found = {.pumps = NULL};\n\n    if (!signal) return;\n"),
    # A thread that may have a loop looks through the loops of all threads.
    "loops_searched": (
        "host/loops.c", "counted_loops",
        "    if (!is_valid(slots)) {\n        ufp_critical_enter(&ufh_links);\n",
        "    {\n        ufp_critical_enter(&ufh_links);\n"),
    # A thread does not notice that its runtime was freed, or polled, by another thread.
    "lost_loop_kept": (
        "host/loops.c", "loop_moves",
        "    else ufp_add_fetch_seq_cst(&losses, 1);\n", ""),
}
