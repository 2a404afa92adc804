#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a .uflow file of about LINES lines, always the same one. Its flows have fields, tasks, steps, waits, user code
and comments in the proportions of hand-written files.

usage: generate.py LINES [FILE]
"""
import sys

FLOW = """
/* Machine {n}: moves, measures, and reports what it found. */
flow Machine{n}(int channel) {{
    int position, target = {n};
    double sum;          // of what was measured
    bool open = false;

    on init {{ flow->position = 10 * flow->channel; }}

    // Goes where it is told to, in small steps.
    task Move(int to) -> int {{
        int tries = 0;

        on exit {{ flow->open = false; }}

        step Begin {{
            if (self->to == flow->position) done flow->position;
            flow->target = self->to;
            next Open(self->to > flow->position ? 1 : -1);
        }}
        step Open(int direction) {{
            for (int i = 0; i < 4; i++) {{
                if (flow->open) break;
                flow->open = (i & 1) != 0;
            }}
            await {{
                until (flow->open) for 20ms -> Drive(direction);
                timeout 2s -> Retry("the brake does not open");
            }}
        }}
        step Drive(int direction) {{
            flow->position += direction;
            describe "at %d of %d", flow->position, flow->target;
            if (flow->position != flow->target) {{
                await 10ms -> Drive(direction);
            }}
            next Settle;
        }}
        step Settle {{
            stay every 5ms timeout 100ms -> done flow->position;
        }}
        step Retry(const char *why) {{
            if (++self->tries > 3) fail "channel %d: %s", flow->channel, why;
            next Begin;
        }}
    }}

    task Measure(int samples) -> double {{
        on enter {{ flow->sum = 0.0; }}

        step Sample {{
            if (self->samples-- == 0) next Report;
            flow->sum += 0.5 * (double)flow->position + {n}.25;
            await 1ms -> Sample;
        }}
        step Report {{
            switch (flow->target) {{
            case 0: fail "nothing to report";
            case 1: done flow->sum;
            default: break;
            }}
            done flow->sum / (double)(flow->target > 0 ? flow->target : 1);
        }}
    }}
}}
"""

HEAD = """// Made by generate.py, to see how fast ufc is.
header {
#include <stdbool.h>
}
"""


def text_of(lines):
    each = FLOW.count("\n")
    return HEAD + "".join(FLOW.format(n=n) for n in range(max(1, round((lines - HEAD.count("\n")) / each))))


if __name__ == "__main__":
    text = text_of(int(sys.argv[1]))
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)
