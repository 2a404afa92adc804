#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares flows on a Cortex-M3 in QEMU with the same programs as a hand-written switch and as an active object of
QP/C: the bytes of code, constants and memory that each adds to a program, its stack, the instructions per wait or per
second of a game, those per tick in which nothing is due, and the lines of the source. All must play a game alike.

usage: bare.py UFC [--update]

The flows are those of sizes/; bare/ has the rest. Figures are compared with bare.json: they may differ by 3 % or a few
bytes, and are only compared for the compiler of the figures. Exit status 0: equal; 1: different; 77: a tool is missing,
or the compiler is another one.
--update accepts the measured figures; then `document.py --update` copies them into docs/performance.md.
QPC_PATH in the environment: an unpacked QP/C. Without it, the figures of QP/C do not change."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

from run import json_of
from sizes import FEW, WITHIN

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../tests/bare"))
import images  # noqa: E402

FIGURES = os.path.join(HERE, "bare.json")
CYCLE_NS = 40  # of SysTick, which has 24 bits
GAME = "-DBARE_GAME"
# The timeout, the waits of three runs, and options. In a run of `typical` the first wait ends by its timeout, the
# second by the signal. A game has many waits, whose times are multiples of its "timeout".
FLOWS = {"three": (10, 30), "typical": (200, 6, "-DBARE_ANSWERS"), "moles": (10, None, GAME)}
COLUMNS = ("code", "memory", "stack", "wait", "tick", "lines")
OF_GAME = {"wait": "second"}
QPC = "qpc"
CONFIG = "config"  # that of the flow, see config_of()
AS_FIT = "--param=max-inline-insns-size=25"  # for core, as in uflow_fit()
IMPLEMENTATIONS = {
    "a hand-written `switch`, `-Os`": ("switch", "-Os"),
    "a hand-written `switch`, `-O2`": ("switch", "-O2"),
    "QP/C, `-Os`, without its assertions": (QPC, "-Os", "-DQ_UNSAFE"),
    "QP/C, `-Os`": (QPC, "-Os"),
    "QP/C, `-O2`": (QPC, "-O2"),
    "QP/C, `-Os -flto`, without its assertions": (QPC, "-Os", "-flto", "-DQ_UNSAFE"),
    "QP/C, `-Os -flto`": (QPC, "-Os", "-flto"),
    "uflow with a config, `-Os -flto`, `UF_WHEEL_BITS=0`": ("uflow", "-Os", "-flto", "-DUF_WHEEL_BITS=0", CONFIG),
    "the same with `UF_USES_REASONS`": ("uflow", "-Os", "-flto", "-DUF_WHEEL_BITS=0", CONFIG, "-DUF_USES_REASONS=1"),
    "the same with `UF_USES_NAMES`": ("uflow", "-Os", "-flto", "-DUF_WHEEL_BITS=0", CONFIG, "-DUF_USES_NAMES=1"),
    "uflow with a config, `-Os`, `UF_WHEEL_BITS=0`": ("uflow", "-Os", "-DUF_WHEEL_BITS=0", CONFIG),
    "the same, core with `--param=max-inline-insns-size=25`": ("uflow", "-Os", "-DUF_WHEEL_BITS=0", CONFIG, AS_FIT),
    "uflow, `-Os`, `UF_WHEEL_BITS=0`": ("uflow", "-Os", "-DUF_WHEEL_BITS=0"),
    "uflow, `-Os`": ("uflow", "-Os"),
    "uflow, `-O2`": ("uflow", "-O2"),
}
QPC_SOURCES = ("qf/qep_hsm", "qf/qf_act", "qf/qf_actq", "qf/qf_qact", "qf/qf_qeq", "qf/qf_time", "qv/qv")


class Bench:
    def __init__(self, ufc, qpc, work):
        self.qpc, self.work = qpc, work
        self.builders, self.nothing, self.played = {}, {}, {}
        for flow in FLOWS:
            images.call([ufc, f"{HERE}/sizes/{flow}.uflow", "-o", f"{work}/{flow}.c"])
            images.call([ufc, "--emit=config", f"{HERE}/sizes/{flow}.uflow", "-o", self.config_of(flow)])

    def config_of(self, flow):
        return f"{self.work}/{flow}_config.h"

    def sources(self, flow, kind):
        own = [f"{HERE}/bare/{flow}_{kind}.c"]
        if kind == "uflow": return [*own, f"{HERE}/bare/uflow_board.c", f"{self.work}/{flow}.c"]
        if kind == QPC:
            return [*own, f"{HERE}/bare/qpc_board.c", f"{self.qpc}/ports/arm-cm/qv/gnu/qv_port.c",
                    *(f"{self.qpc}/src/{name}.c" for name in QPC_SOURCES)]
        return own

    def image(self, sources, flow, options, tick):
        """A program whose ticks have this many milliseconds, and its builder."""
        timeout, _, *more = FLOWS[flow]
        if options not in self.builders:
            self.builders[options] = images.Builder("cortex-m3", os.path.join(self.work, str(len(self.builders))),
                                                    ("-DUF_NO_FLOAT", *(one for one in options if one != AS_FIT)),
                                                    of_core=[one for one in options if one == AS_FIT])
        builder = self.builders[options]
        headers = [f"{HERE}/bare", self.work]
        if self.qpc: headers += [f"{self.qpc}/include", f"{self.qpc}/ports/arm-cm/qv/gnu"]
        image = builder.link([f"{HERE}/bare/main.c", *sources], os.path.join(self.work, "image.elf"),
                             f"-DBARE_MS={tick}", f"-DBARE_IDLE_TICKS={timeout // tick - 1}", *more,
                             *(f"-I{path}" for path in headers))
        return builder, image

    def bytes_of(self, sources, flow, options):
        builder, image = self.image(sources, flow, options, FLOWS[flow][0])
        told = subprocess.run(["arm-none-eabi-size", image], capture_output=True, text=True, check=True).stdout.split()
        text, data, bss = map(int, told[6:9])
        return text + data, data + bss, self.run(builder, image, flow)[1]

    def run(self, builder, image, flow):
        """The instructions, the bytes of stack, the waits or ticks, and what was played."""
        shift = 5 if GAME in FLOWS[flow] else 10  # an instruction takes 2^shift nanoseconds
        told = builder.run(image, "-icount", f"shift={shift},sleep=off").split()
        cycles, count, stack, *played = map(int, told)
        return cycles * CYCLE_NS / (1 << shift), stack, count, played

    def instructions(self, sources, flow, options, tick):
        """Per wait, or per second of a game."""
        instructions, _, count, played = self.run(*self.image(sources, flow, options, tick), flow)
        if GAME in FLOWS[flow]:
            if self.played.setdefault(flow, played) != played:
                sys.exit(f"{sources[0]} plays {played}, and another one {self.played[flow]}")
            return instructions / (count * tick / 1000)
        if count != FLOWS[flow][1]: sys.exit(f"{sources[0]} waits {count} times")
        return instructions / count

    def figures(self, flow, kind, options):
        if (flow, options) not in self.nothing:
            self.nothing[flow, options] = self.bytes_of([f"{HERE}/bare/nothing.c"], flow, options)
        sources, timeout = self.sources(flow, kind), FLOWS[flow][0]
        added = zip(self.bytes_of(sources, flow, options), self.nothing[flow, options])
        few_ticks, more_ticks = (self.instructions(sources, flow, options, tick) for tick in (timeout, 1))
        added_ticks = 1000 - 1000 // timeout if GAME in FLOWS[flow] else timeout - 1
        return [*(mine - base for mine, base in added), round(few_ticks),
                round((more_ticks - few_ticks) / added_ticks), lines_of(flow, kind)]

    def rows(self):
        for flow in FLOWS:
            for name, (kind, *options) in IMPLEMENTATIONS.items():
                if kind == QPC and not self.qpc: continue
                given = tuple(f'-DUF_CONFIG_FILE="{self.config_of(flow)}"' if option == CONFIG else option
                              for option in options)
                columns = [OF_GAME.get(name, name) if GAME in FLOWS[flow] else name for name in COLUMNS]
                yield {"flow": flow, "implementation": name, **dict(zip(columns, self.figures(flow, kind, given)))}


def lines_of(flow, kind):
    """Lines of source besides the board, without comments and empty lines."""
    count = 0
    for path in [f"bare/{flow}_{kind}.c", *([f"sizes/{flow}.uflow"] if kind == "uflow" else [])]:
        with open(os.path.join(HERE, path), encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read(), flags=re.DOTALL)
        count += sum(bool(line.strip()) for line in text.splitlines())
    return count


def version_of(qpc):
    with open(f"{qpc}/include/qp.h", encoding="utf-8") as file:
        return re.search(r'QP_VERSION_STR\s+"([\d.]+)"', file.read())[1]


def differences(rows, expected):
    for key, row in rows.items():
        was = expected.get(key)
        for column in [name for name in row if name not in ("flow", "implementation")]:
            if was is None or abs(row[column] - was[column]) > (column != "lines" and max(WITHIN * was[column], FEW)):
                yield f"{' by '.join(key)}: {column} {row[column]}, was {was and was[column]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ufc")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    images.skip_if_missing()
    qpc = os.environ.get("QPC_PATH")
    with open(FIGURES, encoding="utf-8") as file: expected = json.load(file)
    known = {(row["flow"], row["implementation"]): row for row in expected["rows"]}
    compiler = subprocess.run([images.COMPILER, "--version"], capture_output=True, text=True,
                              check=True).stdout.splitlines()[0]
    if compiler != expected["compiler"] and not options.update:
        print(f"the figures are of {expected['compiler']}")
        return 77
    with tempfile.TemporaryDirectory() as work:
        rows = {(row["flow"], row["implementation"]): row for row in Bench(options.ufc, qpc, work).rows()}
    if options.update:
        order = [(flow, name) for flow in FLOWS for name in IMPLEMENTATIONS]
        run = {"compiler": compiler, "qpc": version_of(qpc) if qpc else expected["qpc"],
               "rows": [{**known, **rows}[key] for key in order]}
        with open(FIGURES, "w", encoding="utf-8") as file: file.write(json_of(run))
        return 0
    told = list(differences(rows, known))
    for line in told: print(line)
    if told: print("accept it with --update, and update docs/performance.md with document.py")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
