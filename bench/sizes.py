#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the sizes of flows, and of code of core and of flows for a Cortex-M4 at -Os, with sizes.json.

usage: sizes.py UFC [--update]

The flows are those of sizes/. Bytes of memory must be equal. Code may differ by 3 % or a few bytes, and is only
compared for the compiler of the figures. Exit status 0: equal; 1: different; 77: there is no compiler for one of the
machines.
--update accepts the measured sizes; then `document.py --update` copies them into docs/performance.md."""
import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
FIGURES = os.path.join(HERE, "sizes.json")
WITHIN = 0.03
FEW = 12  # bytes, for small figures
HOST, SMALL = "64 bits", "Cortex-M4"
MACHINES = {HOST: (os.environ.get("CC", "cc"), []),
            SMALL: ("arm-none-eabi-gcc", ["-mcpu=cortex-m4", "-mthumb", "-DUF_NO_FLOAT"])}
TOOLS = "arm-none-eabi-"
FLOWS = ("Smallest", "Three", "Typical", "Large")
TYPES = ("uf_flow", "uf_arm", *FLOWS, "uf_pump", "uf_signal")
INCLUDE = [f"-I{ROOT}/runtime/{directory}" for directory in ("include", "core", "port")]
# The calls of a program with one flow and its own loop.
CALLED = ("uf_pump_init", "uf_pump_round")
OF_FLOW = ("{0}_init", "{0}_start_{1}", "{0}_type")
FIRST_TASK = {"Three": "Run", "Typical": "Ask"}
STOP = {"uf_pump_stop", "uf_pump_stopped"}
# Flows of what_flows_use.uflow: their parts besides steps and a timeout, and the calls of the program's other code.
FEATURES = {
    "Stays": ("`stay every`", ()),
    "Conditions": ("`until … for`", ()),
    "Stopping": ("`stopping`", ()),
    "Texts": ("`fail` with a text", ()),
    "Numbers": ("`fail` with a conversion", ()),
    "Runs": ("`run`", ()),
    "Companions": ("`with run`", ()),
    "Signals": ("a signal", ("uf_signal_fire",)),
    "Handlers": ("a signal and `on SIGNAL`", ("uf_signal_fire",)),
    "Mail": ("a mailbox", ("uf_mailbox_send",)),
    "Rooms": ("a mailbox and `room`", ("uf_mailbox_send", "uf_mailbox_init", "uf_mailbox_receive")),
    "Checkpoints": ("a checkpoint", ("uf_checkpoint_try_arm", "uf_checkpoint_resume"))}


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def compile_for(machine, source, output, *options):
    compiler, flags = MACHINES[machine]
    run([compiler, *flags, *options, "-std=c11", "-Os", "-ffreestanding", "-ffunction-sections", "-fdata-sections",
         *INCLUDE, f"-I{os.path.dirname(source)}", "-c", source, "-o", output])
    return output


def memory(machine, work, types=TYPES, *options):
    """The size of each type. It is read from the size of an array, so that cross-compilers can report it as well."""
    source = os.path.join(work, "memory.c")
    with open(source, "w", encoding="utf-8") as file:
        file.writelines(f'#include "{flow.lower()}.h"\n' for flow in FLOWS if flow in types)
        file.writelines(f"char size_of_{name}[sizeof({name})];\n" for name in types)
    told = run(["nm", "-S", compile_for(machine, source, os.path.join(work, "memory.o"), *options)])
    found = {name: int(size, 16) for size, name in re.findall(r"^\S+ (\S+) \S size_of_(\w+)$", told, re.M)}
    return {name: found[name] for name in types}


def fitted_memory(ufc, work):
    """The same with the config of all flows but the large one."""
    config = os.path.join(work, "uf_config.h")
    types = [name for name in TYPES if name != "Large"]
    flows = [f"{HERE}/sizes/{name.lower()}.uflow" for name in types if name in FLOWS]
    run([ufc, "--emit=config", *flows, "-o", config])
    return memory(SMALL, work, types, f'-DUF_CONFIG_FILE="{config}"', "-DUF_WHEEL_BITS=0")


def sections(objects, roots, output):
    """The bytes of code and read-only data that are linked if only `roots` are needed."""
    run([TOOLS + "gcc", *MACHINES[SMALL][1], "-nostdlib", "-r", "-Wl,--gc-sections",
         *(f"-Wl,-u,{root}" for root in roots), *objects,
         "-o", output])
    code = data = 0
    for name, size in re.findall(r"^\.(\w+)\S*\s+(\d+)\s", run([TOOLS + "size", "-A", output]), re.M):
        code += int(size) if name == "text" else 0
        data += int(size) if name in ("rodata", "data") else 0
    return code, data


def called(path):
    """The undefined symbols of the remaining code. The symbol table may also contain unused names."""
    missing = {line.split()[-1] for line in run([TOOLS + "nm", "-u", path]).splitlines()}
    return missing & set(re.findall(r"^[0-9a-f]+ R_\w+\s+(\w+)", run([TOOLS + "objdump", "-r", path]), re.M))


def objects_of_core(work, *options):
    return [compile_for(SMALL, path, os.path.join(work, os.path.basename(path)[:-1] + "o"), *options)
            for files in ("core/*/*.c", "recorder/*.c", "port/bare.c")
            for path in sorted(glob.glob(f"{ROOT}/runtime/{files}"))]


def smallest(work, flow):
    """The bytes of core without a timing wheel, for a flow that is compiled."""
    core = objects_of_core(work, "-DUF_WHEEL_BITS=0")
    own = {f"{name}_with_UF_WHEEL_BITS_0" if name == "uf_pump_init" else name for name in CALLED}
    return sum(sections(core, {*own, *called(os.path.join(work, f"{flow}_alone.o"))}, os.path.join(work, "core.o")))


def nameless(work):
    """The bytes of the tables of a flow without names."""
    path = compile_for(SMALL, os.path.join(work, "nameless.c"), os.path.join(work, "nameless.o"))
    return sections([path], [name.format("Three", FIRST_TASK["Three"]) for name in OF_FLOW],
                    os.path.join(work, "nameless_alone.o"))[1]


def with_flow(work, core, path, flow, task, *more):
    """The bytes of core that a program with one flow of a compiled file links."""
    only = os.path.join(work, "only.o")
    sections([path], [name.format(flow, task) for name in OF_FLOW], only)
    return sum(sections(core, {*CALLED, *called(only), *more}, os.path.join(work, "core.o")))


def features(work, core, least):
    """The bytes that each feature adds to a program whose core has `least` bytes."""
    path = compile_for(SMALL, os.path.join(work, "what_flows_use.c"), os.path.join(work, "what_flows_use.o"))
    added = {name: with_flow(work, core, path, flow, "Run", *calls) - least
             for flow, (name, calls) in FEATURES.items()}
    added["`uf_pump_stop()`"] = with_flow(work, core, path, "Stopping", "Run", *STOP) - least - added["`stopping`"]
    calls = {call for _, calls in FEATURES.values() for call in calls}
    everything = with_flow(work, core, path, "Everything", "Run", *STOP, *calls)
    return {"core, with every feature of the next table": everything}, added


def code(work):
    core = objects_of_core(work)
    everything = [line.split()[-1] for line in run([TOOLS + "nm", "-g", "--defined-only", *core]).splitlines()
                  if len(line.split()) == 3]
    flows = {}
    linked = {}
    for flow, task in FIRST_TASK.items():
        path = compile_for(SMALL, os.path.join(work, f"{flow.lower()}.c"), os.path.join(work, f"{flow}.o"))
        only = os.path.join(work, f"{flow}_alone.o")
        flows[flow] = sections([path], [name.format(flow, task) for name in OF_FLOW], only)
        linked[flow] = sections(core, {*CALLED, *called(only)}, os.path.join(work, "core.o"))
    whole = sections(core, everything, os.path.join(work, "core.o"))
    with_all, added = features(work, core, sum(linked["Three"]))
    return added, {
        "core, with a flow of three steps and a timeout": sum(linked["Three"]),
        "core, with a flow of three steps and a timeout, UF_WHEEL_BITS=0": smallest(work, "Three"),
        "core, with a typical flow": sum(linked["Typical"]),
        **with_all,
        "all of core, with observers, jobs, recorder and simulation": sum(whole),
        "a flow of three steps: its code": flows["Three"][0],
        "a flow of three steps: its names and tables": flows["Three"][1],
        "a flow of three steps: its tables with --no-names": nameless(work),
        "a typical flow: its code": flows["Typical"][0],
        "a typical flow: its names and tables": flows["Typical"][1],
    }


def measure(ufc):
    with tempfile.TemporaryDirectory() as work:
        for flow in (*FLOWS, "what_flows_use"):
            run([ufc, "--no-line", f"--file-prefix-map={HERE}/=", f"{HERE}/sizes/{flow.lower()}.uflow",
                 "-o", f"{work}/{flow.lower()}.c"])
        run([ufc, "--no-line", "--no-names", "--header=" + f"{work}/nameless.h", f"{HERE}/sizes/three.uflow",
             "-o", f"{work}/nameless.c"])
        added, linked = code(work)
        return {"compiler": run([MACHINES[SMALL][0], "--version"]).splitlines()[0],
                "memory": {**{machine: memory(machine, work) for machine in MACHINES},
                           f"{SMALL}, with a config": fitted_memory(ufc, work)},
                "code": linked, "added": added}


def compare(figures, expected):
    """The differences."""
    for machine, types in figures["memory"].items():
        for name, size in types.items():
            was = expected["memory"].get(machine, {}).get(name)
            if size != was:
                yield f"{name} on {machine}: {size} bytes, was {was}"
    if figures["compiler"] != expected["compiler"]:
        return
    for name, size in {**figures["code"], **figures["added"]}.items():
        was = {**expected["code"], **expected["added"]}.get(name)
        if was is None or abs(size - was) > max(WITHIN * was, FEW):
            yield f"{name}: {size} bytes, was {was}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ufc")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if not all(shutil.which(compiler) for compiler, _ in MACHINES.values()) or sys.maxsize < 1 << 32:
        print("there is no compiler for one of the machines")
        sys.exit(77)
    figures = measure(options.ufc)
    if options.update:
        with open(FIGURES, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)
            file.write("\n")
        return
    with open(FIGURES, encoding="utf-8") as file:
        differences = list(compare(figures, json.load(file)))
    for line in differences:
        print(line)
    if differences:
        sys.exit("accept it with --update, and update docs/performance.md with document.py")


if __name__ == "__main__":
    main()
