#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes pending.uflow: a flow for each set of places that handle `abort`, for each way to leave the first task, and
for each task that comes next.

usage: pending.py OUTPUT
"""
import itertools
import sys

HEAD = """// Made by pending.py.
header {
#include "log.h"
typedef enum moment { BEFORE, AT_EXIT, AT_ENTRY, AFTER, MOMENTS } moment;
#define ALL_FLOWS(X) %s
}
"""

FLOW = """
flow %(name)s {
    signal pause, abort;
    moment when = MOMENTS;
    int entries = 0;
    %(of_flow)s
    group Outer {
    %(of_outer)s
    group Inner {
    %(of_inner)s
    task Work {
        %(by_handler)s
        %(of_work)s
        on enter { if (flow->entries++ == 1 && flow->when == AT_ENTRY) (void)uf_signal_fire(&flow->abort); }
        on exit { if (flow->when == AT_EXIT) (void)uf_signal_fire(&flow->abort); }
        step Wait { await { %(by_arm)s timeout 1h -> done; } }
    }
    }
    task Rest {
        %(of_rest)s
        on enter { if (flow->when == AT_ENTRY) (void)uf_signal_fire(&flow->abort); }
        step Wait { await 1h -> done; }
    }
    }
    task Drain { step Note { log_note("drain"); done; } }
}
"""

ABORT = "on abort -> become Drain;"

with open(sys.argv[1], "w", encoding="utf-8") as out:
    out.write(HEAD % " ".join(f"X({number})" for number in range(128)))
    for number, (outer, inner, flow, work, rest, arm, again) in enumerate(itertools.product((0, 1), repeat=7)):
        leave = f"pause -> become {'Work' if again else 'Rest'};"
        out.write(FLOW % {
            "name": f"Flow{number}",
            "of_flow": ABORT * flow,
            "of_outer": ABORT * outer,
            "of_inner": ABORT * inner,
            "of_work": ABORT * work,
            "of_rest": ABORT * rest,
            "by_handler": ("on " + leave) * (not arm),
            "by_arm": leave * arm,
        })
