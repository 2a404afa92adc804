#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs flows under real interrupts on emulated machines: the tick of a clock, a handler that fires a signal, one that
sends into a mailbox, and sleep by WFI. Nothing may be lost, and only work may cause rounds.

live.py UFC WORK_DIRECTORY MAILS [--few] MACHINE... --few: only a build for each machine. Exit status 77 (skipped)
without a cross compiler or an emulator."""
import glob
import os
import re
import sys

import images

# One instruction takes 1024 ns of emulated time, so a SysTick cycle is a known part of an instruction. A tick takes 40
# ms, so that it does not fill the time of the CPU.
MEASURE = ("-icount", "shift=10,sleep=off")
INSTRUCTION_NS = 1024
TICK = "-DBOARD_CYCLES_PER_MS=1000000u"
CYCLE_NS = {"cortex-m3": 40, "cortex-m0": 62.5, "riscv32": 100}
MOST_BOUND = 1100  # bytes, by stack.awk: the deepest chain of calls that the program has
MOST_STACK = 320  # bytes, of the main loop and nested interrupt handlers
MOST_MASKED = {"cortex-m3": 50, "cortex-m0": 60, "riscv32": 25}  # instructions
# Instructions from a handler to the step that it releases: fire, sleep, round, and the step's other arm, a timeout.
BASEPRI = "-DUFP_BASEPRI=0x40"
MOST_TO_STEP = {("cortex-m3", "-O2"): 410, ("cortex-m3", "-O2", BASEPRI): 416, ("cortex-m3", "-Os"): 630,
                ("cortex-m0", "-Os"): 840, ("riscv32", "-Os"): 770, ("riscv32", "-O2"): 530}
# The flow takes an event in one round and awaits the next one in another; so does a nap, of which there are 8. The
# quick run has hundreds of ticks without an event.
ROUNDS_PER_EVENT, OTHER_ROUNDS = 2, 2 * 8 + 4


STACK_OF_HANDLERS = 2 * (32 + 64)  # two nested ones: the registers that the machine saves, and a fire

# With this, masked sections measure themselves. That takes time too, so it does not measure the way to a step.
MEASURED = '-DUFP_INTERRUPTS="measured.h"'
TICKS = {"riscv32": "-DBOARD_CYCLES_PER_MS=400000u"}
BUILDS = {"cortex-m3": [("-Os",), ("-Os", MEASURED), ("-O2",), ("-O2", BASEPRI)],
          "cortex-m0": [("-Os",), ("-Os", MEASURED)], "riscv32": [("-Os",), ("-Os", MEASURED), ("-O2",)]}


def build(machine, work, ufc, options, mails):
    options = (*options, TICKS.get(machine, TICK), f"-DMAILS={mails}", "-fcallgraph-info=su")
    builder = images.Builder(machine, work, options, by_file=True)
    flows = os.path.join(work, "live_flows.c")
    images.call([ufc, f"{images.HERE}/live.uflow", "-o", flows])
    return builder, builder.link([f"{images.HERE}/live.c", flows], os.path.join(work, "live.elf"), f"-I{work}")


def bound_of_stack(builder, image, ufc):
    """The result of tools/stack for the flows and core together."""
    work = builder.work
    with open(f"{work}/program.nm", "wb") as file: file.write(images.call([builder.tool("nm"), image]))
    told = images.call(["awk", "-f", f"{images.ROOT}/tools/stack/stack.awk", f"{work}/program.nm",
                        *sorted(glob.glob(f"{work}/*.ci"))]).decode()
    flows = re.findall(r"^flow (\w+): \d+ bytes$", told, re.M)
    if sorted(flows) != ["Counter", "Reader", "Sleeper"]: raise SystemExit(f"stack.awk knows other flows:\n{told}")
    together = int(re.search(r"^together: (\d+) bytes$", told, re.M)[1])
    if max(stack_by_sizes(builder, ufc)) != together: raise SystemExit(f"`ufc --sizes` tells other stacks:\n{told}")
    return together


def stack_by_sizes(builder, ufc):
    """The stack for each flow, as the program of `ufc --sizes` tells on the machine."""
    work = builder.work
    stack, into = f"{work}/stack.h", f"{work}/sizes"
    os.makedirs(into, exist_ok=True)
    with open(stack, "wb") as file:
        file.write(images.call(["awk", "-v", "define=1", "-f", f"{images.ROOT}/tools/stack/stack.awk",
                                f"{work}/program.nm", *sorted(glob.glob(f"{work}/*.ci"))]))
    flows, sizes = f"{into}/live.c", f"{into}/sizes.c"
    images.call([ufc, f"{images.HERE}/live.uflow", "-o", flows])
    images.call([ufc, "--sizes", f"{images.HERE}/live.uflow", "-o", sizes])
    image = builder.link([sizes], f"{into}/sizes.elf", f"-I{into}", f'-DUF_STACK_FILE="{stack}"', into=into)
    return list(map(int, re.findall(r"stack of the main loop, at most +(\d+)", builder.run(image).decode())))


def complaints(machine, options, mails, bound, printed):
    if not re.match(f"pulses 40, mails {mails}, naps 8, starts refused [1-9]", printed): yield "it lost events"
    rounds, events = map(int, re.search(r"rounds (\d+) for (\d+) events", printed).groups())
    if rounds > ROUNDS_PER_EVENT * events + OTHER_ROUNDS: yield "rounds without work"
    stack = int(re.search(r"stack (\d+)", printed)[1])
    print(f"{machine}: {stack} bytes of stack; at most {bound} without interrupts")
    if not stack - STACK_OF_HANDLERS <= bound <= MOST_BOUND: yield "the bound of the stack is wrong"
    if stack > MOST_STACK: yield f"more than {MOST_STACK}"
    if MEASURED in options:
        masked = int(re.search(r"masked (\d+)", printed)[1]) * CYCLE_NS[machine] / INSTRUCTION_NS
        print(f"{machine}: interrupts are masked for at most {masked:.0f} instructions")
        if masked > MOST_MASKED[machine]: yield f"more than {MOST_MASKED[machine]}"
        return
    latency = int(re.search(r"latency (\d+)", printed)[1]) * CYCLE_NS[machine] / INSTRUCTION_NS
    most = MOST_TO_STEP[machine, *options]
    print(f"{machine} {' '.join(options)}: {latency:.0f} instructions from an interrupt to its step")
    if latency > most: yield f"more than {most}"


def main():
    ufc, work, mails, *machines = sys.argv[1:]
    few = "--few" in machines
    machines = [machine for machine in machines if machine != "--few"]
    images.skip_if_missing(*machines)
    wrong = 0
    for machine in machines:
        for number, options in enumerate(BUILDS[machine][:1] if few else BUILDS[machine]):
            builder, image = build(machine, os.path.join(work, f"{machine}_{number}"), ufc, options, mails)
            printed = builder.run(image, *MEASURE).decode()
            bound = bound_of_stack(builder, image, ufc)
            for complaint in complaints(machine, options, mails, bound, printed):
                print(f"{machine} {' '.join(options)}: {complaint}:\n{printed}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
