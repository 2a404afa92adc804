#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every kind of arm with every kind of outcome: taken, not taken, failed with and without `else`, with a condition that
is true and false. The counts are known, and an observer counts too.

matrix.py SOURCE BUILD WORK_DIRECTORY [--cc CC] [--cflags FLAGS]"""
import argparse
import os
import re
import subprocess
import sys

import counts

HERE = os.path.dirname(os.path.abspath(__file__))
OUTCOMES = {"Hit": "Hit", "done": "done 7", "fail": 'fail "as wanted"', "become Rest": "become Rest"}
READY, LATE, FAILS, ABSENT = range(4)  # modes
MODES = {"READY": READY, "LATE": LATE, "FAILS": FAILS}


class Arm:
    """`before` prepares the mode in the body; `members` belong to the task."""

    def __init__(self, text, before="", members="", fails=True, takes_condition=True):
        self.text, self.before, self.members = text, before, members
        self.fails, self.takes_condition = fails, takes_condition


ARMS = {
    "UNTIL": Arm("until (self->mode == 0)"),
    "TIMEOUT": Arm("timeout 1ms", takes_condition=False),
    "TIMEOUT_REAL": Arm("timeout real 1ms", takes_condition=False),
    "DEADLINE": Arm("deadline(self->mode == 0 ? 0 : UF_FOREVER)"),
    "RUN": Arm("run Part.Work(&flow->part, self->mode)"),
    "IDLE": Arm("idle(&flow->part)", "if (self->mode == 1) (void)Part_start_Work(&flow->part, 1);"),
    "SIGNAL": Arm("sig", "if (self->mode == 0) (void)uf_signal_fire(&flow->sig);"),
    "FIRED": Arm("fired(&flow->sig)", "if (self->mode == 0) (void)Part_start_Fire(&flow->part, &flow->sig);"),
    "CHECKPOINT": Arm("gate", "uf_checkpoint_resume(&flow->gate); "
                              "if (self->mode == 1) (void)uf_checkpoint_try_arm(&flow->gate);"),
    "ARRIVED": Arm("arrived(spot)", "uf_checkpoint_resume(&spot); (void)uf_checkpoint_try_arm(&spot); "
                                    "if (self->mode == 0) (void)Part_start_Park(&flow->part);"),
    "MAILBOX": Arm("box", "int i = 0; (void)Cell_box_receive(flow, &i); "
                          "if (self->mode == 0) (void)Cell_box_send(flow, i);"),
    "ROOM": Arm("room(self->mode == 2 ? NULL : &flow->box)",
                "int i = 0; (void)Cell_box_receive(flow, &i); if (self->mode == 1) (void)Cell_box_send(flow, i);"),
    "JOB": Arm("one", "submit one(self->mode);", "job one: work;"),
    "JOBS": Arm("all(many)", "for (int i = 0; i < 2; i++) submit many[i](self->mode);", "job many[2]: work;"),
    "ANY": Arm("any(many)", "for (int i = 0; i < 2; i++) submit many[i](self->mode);", "job many[2]: work;"),
    "READABLE": Arm("readable(self->mode == 2 ? -1 : 100)"),
    "WRITABLE": Arm("writable(self->mode == 2 ? -1 : 100)"),
    "STOPPING": Arm("stopping"),
    "VACANT": Arm("vacant(crew)", "if (self->mode == 1) { spawn crew.Work(1); }", fails=False),  # only during a stop
    "EMPTY": Arm("idle(crew)", "if (self->mode == 1) { spawn crew.Work(1); }"),
    "ENDED": Arm("ended(crew)", "if (self->mode == 0) { spawn crew.Work(0); }"),
    "ALL": Arm("all(deadline(0), sig)", "if (self->mode == 0) (void)uf_signal_fire(&flow->sig);"),
}

HEAD = """// Made by matrix.py.
checkpoint spot;
worker int work(int mode) { if (mode == 2) fail "broken"; return mode; }
flow Part {
    task Work(int mode) {
        step Work {
            if (self->mode == 2) fail "broken";
            if (self->mode == 1) await 1s -> done;
            done;
        }
    }
    task Fire(uf_signal *what) { step Now { (void)uf_signal_fire(self->what); done; } }
    task Park { step Here { await { spot -> done; timeout 5ms -> done; } } }
}
flow Cell {
    flow Part part;
    pool Part crew[1];
    signal sig;
    checkpoint gate;
    mailbox int box[1];
    task Rest { step Rest { done; } }
"""


def rows(source):
    """Kind -> can it fail?"""
    with open(os.path.join(source, "generator/support/arms.def"), encoding="utf-8") as file: text = file.read()
    found = re.findall(r"^(?:ARM|EVENT)\((\w+),(.*?)\)$", text.replace(",\n", ","), re.M | re.S)
    return {kind: "CAN_FAIL" in rest for kind, rest in found if kind != "NAME"}  # sema replaces NAME


def arm_task(kind, can_fail):
    arm = ARMS[kind]
    steps = list(OUTCOMES) + (["bare"] if can_fail else [])
    lines = [f"    task {kind.capitalize()}(int which, int mode) -> int {{", f"        {arm.members}",
             "        step Begin {"]
    lines += [f"            if (self->which == {i}) next Go{i};" for i in range(len(steps))]
    lines += ["            fail;", "        }"]
    for number, outcome in enumerate(steps):
        otherwise = " else Lost" if can_fail and outcome != "bare" else ""
        target = OUTCOMES.get(outcome, "Hit")
        condition = "if (self->mode != 3) " if arm.takes_condition else ""
        lines += [f"        step Go{number} {{", f"            {arm.before}", "            await {",
                  f"                {condition}{arm.text} -> {target}{otherwise};",
                  "                until (self->mode & 1) -> Late;", "            }", "        }"]
    lines += [f"        step {name} {{ done 0; }}" for name in ("Hit", "Late", "Lost")[:3 if can_fail else 2]]
    return "\n".join(lines + ["    }"])


MAIN = """/* Made by matrix.py. */
#include <stdio.h>
#include <stdlib.h>

#include "cells.h"

#define CHECK(x) do { if (!(x)) fprintf(stderr, "line %%d: %%s\\n", __LINE__, #x), exit(1); } while (0)
static uf_pump pump;

static void finish(void)
{
    CHECK(uf_simulate_until_idle(&pump, uf_pump_now(&pump) + UF_S(60)) == UF_OK);
}

int main(void)
{
    static uf_seeded_pool pool;
    static uf_work works[8];
    static Cell cell, stopped[%d];
    uf_stop_report report;
    CHECK(uf_pool_seeded(&pool, works, 8, 7, UF_MS(3)) == UF_OK);
    CHECK(uf_pump_init(&pump, &(uf_pump_config){.pool = &pool.pool}) == UF_OK);
    CHECK(Cell_init(&cell, &pump, "cell") == UF_OK);
%s
    CHECK(uf_simulate_stop(&pump, UF_S(1), &report) == UF_OK);
    return 0;
}
"""


def make(source, work):
    """Returns task -> step -> mode -> how often."""
    known = rows(source)
    missing = set(known) ^ set(ARMS)
    assert not missing, f"ARMS has no example of these kinds, or arms.def has no such kind: {missing}"
    runs, calls, waiting = {}, [], 0
    text = HEAD
    for kind, can_fail in known.items():
        task = kind.capitalize()
        text += arm_task(kind, can_fail) + "\n"
        for number in range(len(OUTCOMES) + can_fail):
            arm = ARMS[kind]
            modes = [READY, LATE] + [ABSENT] * arm.takes_condition + [FAILS] * (can_fail and arm.fails)
            runs[task, f"Go{number}"] = modes
            for mode in modes:
                if kind == "STOPPING" and mode == READY:
                    calls.append(f'CHECK(Cell_init(&stopped[{waiting}], &pump, "stopped") == UF_OK);')
                    calls.append(f"CHECK(Cell_start_{task}(&stopped[{waiting}], {number}, {mode}) == UF_OK);")
                    waiting += 1
                else:
                    if kind in ("READABLE", "WRITABLE") and mode == READY:
                        calls.append(f"CHECK(uf_pump_ready(&pump, 100, UF_{kind}) == UF_OK);")
                    calls.append(f"CHECK(Cell_start_{task}(&cell, {number}, {mode}) == UF_OK);")
                    calls.append("finish();")
    calls = [c for c in calls if "stopped" not in c] + [c for c in calls if "stopped" in c]
    text += "}\n"
    for name, content in (("cells.uflow", text),
                          ("main.c", MAIN % (waiting, "\n".join("    " + c for c in calls)))):
        with open(os.path.join(work, name), "w", encoding="utf-8") as file: file.write(content)
    return runs


def call(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)
    assert done.returncode == 0, f"{' '.join(command)}: status {done.returncode}\n{done.stdout.decode()}"


def check_steps(data, runs):
    """For each step, the required count of each edge."""
    number = 0
    for _, task in counts.tasks_of(data):
        for step in task["steps"]:
            modes = runs.get((task["name"], step["name"]))
            if modes is None: continue
            place = f"{task['name']}.{step['name']}"
            arm, *rest = [edge for edge in step["edges"] if not edge["label"].startswith("spawn")]
            assert arm["count"] == modes.count(READY), f"{place}: the arm was taken {arm['count']} times"
            absent = modes.count(ABSENT)
            conditions = (len(modes) - absent, absent) if absent else (None, None)
            assert (arm.get("true"), arm.get("false")) == conditions, f"{place}: {arm}"
            late = [edge["count"] for edge in rest if edge["target"] == "Late"]
            assert late == [1 + absent], f"{place}: the other arm was taken {late} times"
            failed = [edge["count"] for edge in rest if edge["on"] in ("else", "failure")]
            assert failed in ([], [modes.count(FAILS)]), f"{place}: it failed {failed} times"
            number += 1
    assert number == len(runs), f"{number} of {len(runs)} awaits are in the data"
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("source", "build", "work"): parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cflags", default="-O0")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    runs = make(options.source, options.work)
    ufc, library = os.path.join(options.build, "bin/ufc"), os.path.join(options.build, "lib/libuflow.a")
    strict = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes -Wundef -Werror"
    call([ufc, "--coverage", "cells.uflow"], cwd=options.work)
    include = ["-I.", "-I" + os.path.join(options.source, "runtime/include")]
    call([options.cc, "-std=c11", *strict.split(), *options.cflags.split(), *include, "-c", "cells.c"],
         cwd=options.work)
    call([options.cc, "-std=c11", *options.cflags.split(), *include, "main.c", "cells.o",
          os.path.join(HERE, "observer.c"), "-Wl,--wrap=uf_pump_init", library, "-pthread", "-o", "cells"],
         cwd=options.work)
    for name in ("counts", "observed"):
        if os.path.exists(os.path.join(options.work, name)): os.remove(os.path.join(options.work, name))
    call(["./cells"], cwd=options.work, env={**os.environ, "UFLOW_COVERAGE_FILE": "counts", "COV_OBSERVED": "observed"})
    data = counts.read(os.path.join(options.build, "bin/uflow-cov"), "--source-dir=" + options.work,
                       os.path.join(options.work, "counts"))
    number = check_steps(data, runs)
    found = counts.check(data, os.path.join(options.work, "observed"))
    print(f"{number} awaits, {found[0]} entries of steps, {found[2]} transitions, {found[3]} endings")


if __name__ == "__main__":
    sys.exit(main())
