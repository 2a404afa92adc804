#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that cancelled.c uses every public function for any thread, except those that only read or compute.

usage: cancelled.py cancelled.c PUBLIC.h..."""
import pathlib
import re
import sys

# Functions that change nothing, and others that share all of their code with one that is there.
PURE = re.compile(r"_text$|^uf_recorder_|" # the C library may be cancelled where a recorder writes
                  r"^uf_(version|duration|time_add|real_now|call_make|start_claim|work_over|work_run|job_cancelled)|"
                  r"^uf_flow_(outcome|name|row|task|step|line|ordinal|step_elapsed|now|pump|set_parent)$|"
                  r"^uf_(pump|runtime)_(stopping|scale|frozen|real_now|pump|configuration|index|is_own_thread)$|"
                  r"^uf_(runtime_new_observed|post_at|post_wait_at|pool_inline)$|"
                  r"^uf_mailbox_(send|send_wait|destroy)$|"
                  r"^uf_flow_(pause|resume)$|" # they send a message, as uf_flow_cancel() does
                  r"^uf_runtime_(catch|uncatch|configure)$|" # the runtime does it, as a post
                  r"^uf_store_(restore|release|forget|wake)$|" # they are posts, and a message
                  r"^uf_run_wait_kept$|" # it waits as uf_run_wait() does
                  r"^uf_store_slots_(open|erase)$|"
                  r"^uf_(sqlite_open|store_(init|attach|close|memory_open))$|" # no flow runs then
                  r"^uf_(runtime_driver_index|timer_start_real|text_of)$")
DECLARATION = re.compile(r"Thread: any(?:(?!\*/).)*\*/\s*(?:#define |static inline )?[\w ]*?\*?(uf_\w+)\(", re.S)

source = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
names = {name for path in sys.argv[2:] for name in DECLARATION.findall(pathlib.Path(path).read_text(encoding="utf-8"))}
missing = sorted(name for name in names if not PURE.search(name) and not re.search(rf"\b{name}\b", source))
if len(names) < 60:
    sys.exit(f"only {len(names)} functions were found")
if missing:
    sys.exit(f"{sys.argv[1]} does not use {', '.join(missing)}")
