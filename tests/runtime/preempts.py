#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes preempts.uflow: a flow for each order of a task's handlers, which are for a signal, a timeout and a companion.

usage: preempts.py OUTPUT
"""
import itertools
import sys

HEAD = """// Made by preempts.py.
header {
#include "log.h"
enum { SIGNAL = 1, TIMEOUT = 2, COMPANION = 4, OF_FLOW = 8, ALL_CAUSES = 15 };
typedef enum moment {
    PARKED, POLLING, STAYING, STAYING_EVERY, IN_ALL, IN_A_RUN, IN_A_RUN_THAT_FIRES, AT_ENTRY, MOMENTS
} moment;
extern uf_signal *fired_at_exit;
}
flow Aide {
    signal give_up;
    task Help { step Wait { await give_up -> fail; } }
}
flow Child {
    task Work {
        on exit { log_note("-child"); if (fired_at_exit) (void)uf_signal_fire(fired_at_exit); }
        step Wait { await 1h -> done; }
    }
}
"""

HANDLERS = {
    "signal": "on drill -> Hit(\"signal\");",
    "timeout": "on timeout (self->after) ns -> Hit(\"timeout\");",
    "companion": "with run Aide.Help(&flow->aide) else Hit(\"companion\");",
}

FLOW = """
flow Order%(number)d {
    signal drill, alarm, never, neither;
    flow Aide aide;
    flow Child child;
    on alarm -> become Park;
    task Run(moment when, unsigned causes, uf_time after) {
        %(handlers)s
        on enter {
            log_note("enter");
            if (self->when == AT_ENTRY && self->causes & SIGNAL) (void)uf_signal_fire(&flow->drill);
            if (self->when == AT_ENTRY && self->causes & OF_FLOW) (void)uf_signal_fire(&flow->alarm);
        }
        step First {
            switch ((int)self->when) {
            case POLLING: await { until (uf_failing(&flow->uf)) -> Wrong; timeout 1h -> Wrong; }
            case STAYING: stay timeout 1h -> Wrong;
            case STAYING_EVERY: stay every 1h;
            case IN_ALL: await all(never, neither) -> Wrong;
            case IN_A_RUN:
            case IN_A_RUN_THAT_FIRES: await run Child.Work(&flow->child) -> Wrong;
            default: await never -> Wrong;
            }
        }
        step Hit(char const *what) { log_note("%%s", what); await never -> Wrong; }
        step Wrong { log_note("wrong"); done; }
    }
    task Park { step Begin { log_note("park"); done; } }
}
"""

with open(sys.argv[1], "w", encoding="utf-8") as out:
    out.write(HEAD)
    for number, order in enumerate(itertools.permutations(HANDLERS)):
        out.write(FLOW % {"number": number, "handlers": "\n        ".join(HANDLERS[name] for name in order)})
