#!/usr/bin/env python3
"""However often a ring has lapped: every reader knows for each flow its step, since when, and what it waits for.

laps.py UFLOW_TRACE LAPS_PROGRAM WORK_DIRECTORY SEEDS"""
import glob
import json
import os
import re
import subprocess
import sys

import decode

TOOL, PROGRAM, WORK, SEEDS = sys.argv[1:5]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def by_path(trace):
    """What the running flows do: path -> (step, since), and path -> (kinds of arms, since). Numbers of names differ
    between recorders, so of the arms only those of the kind are compared that hold no number."""
    steps = {trace.paths[number]: step for number, step in trace.now.items() if step}
    waits = {trace.paths[number]: ([kind for kind, _ in wait[0]], wait[1])
             for number, wait in trace.waits.items() if wait and trace.now.get(number)}
    return steps, waits


def truth_of(path, trace):
    """The truth that the program tells: it agrees with the trace that has all events."""
    names = {trace.paths[number]: trace.types[kind]["steps"] for number, kind in trace.type_of.items()}
    told = {flow: (step, int(since)) for flow, step, since in map(str.split, read(path).decode().splitlines())}
    steps, waits = by_path(trace)
    got = {flow: (names[flow][step][0], since) for flow, (step, since) in steps.items()}
    assert got == told, f"{path}: {differences([got], [told])}"
    return steps, waits


def show(form, path, *options):
    done = subprocess.run([TOOL, *options, "-f", form, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    assert done.returncode == 0, f"{form} {path}: {done.stderr.decode()}"
    return done.stdout


def replayed(path):
    """The same, of the replay that uflow-trace writes."""
    data = json.loads(show("replay", path))
    paths, kinds, time, steps, waits = {number: name for number, _, name in data["flows"]}, data["kinds"], 0, {}, {}
    for kind, passed, flow, a, _, *_ in data["events"]:
        time += passed
        if kind in (kinds["STARTED"], kinds["STEP"], kinds["ENDED"]):
            steps[paths[flow]] = (a & 0xffff, time + int(data["start"])) if kind != kinds["ENDED"] else None
            waits.pop(paths[flow], None)
        if kind == kinds["WAIT"]:
            waits[paths[flow]] = time + int(data["start"])
        if kind == kinds["WOKEN"]:
            waits.pop(paths[flow], None)
    return {flow: step for flow, step in steps.items() if step}, waits


def check_tool(path, trace, steps, waits):
    """The text has each event that the other reader has. The summary has all waits, and slices nest."""
    text = show("text", path).decode().splitlines()
    assert len(text) == len(trace.events), f"{path}: {len(text)} lines, {len(trace.events)} events"
    for line, event in zip(text, trace.events):
        time, flow = line.split()[:2]
        assert time == f"{event.time // 10**9}.{event.time % 10**9:09}" and flow == event.path, f"{path}: {line}"
        assert event.still == bool(re.search("  still |  has ended ", line)), f"{path}: {line}"
    assert f"\nstill waits ({len(waits)}), in ms\n" in show("summary", path).decode(), path
    got = replayed(path)
    assert got == (steps, {flow: since for flow, (_, since) in waits.items()}), path
    times = [time for time, *_ in decode.perfetto(show("perfetto", path))[1]]
    assert times == sorted(times), path
    json.loads(show("chrome", path))


def agrees(got, wanted, is_late):
    """A recorder that was added during a wait does not know when it began, but no earlier than its step."""
    if is_late:
        got = got[0], {flow: (kinds, wanted[1][flow][1] if got[0][flow][1] <= since <= wanted[1][flow][1] else since)
                       for flow, (kinds, since) in got[1].items() if flow in wanted[1]}
    return got == wanted


def check(seed):
    for old in glob.glob(os.path.join(WORK, "*")):
        os.remove(old)
    subprocess.run([PROGRAM, str(seed), WORK], check=True)
    checked = 0
    for path in sorted(glob.glob(os.path.join(WORK, "*.all"))):
        wanted = truth_of(path[:-3] + "truth", decode.Trace(read(path)))
        for name in sorted(glob.glob(path[:-3] + "*.trace") + glob.glob(path[:-3] + "*.img")):
            trace = decode.Trace(read(name))
            is_late = name.split(".")[-2] in ("7", "8")
            got = by_path(trace)
            assert agrees(got, wanted, is_late), f"seed {seed}, {name}: {differences(got, wanted)}"
            if checked % 7 == seed % 7:
                check_tool(name, trace, *got)
            checked += 1
    for name in glob.glob(os.path.join(WORK, "*.stream")):
        trace = decode.Trace(read(name))
        got, is_late = by_path(trace), name.split(".")[-2] in ("7", "8")
        assert agrees(got, wanted, is_late), f"seed {seed}, {name}: {differences(got, wanted)}"
        if seed % 4 == 0:
            text = show("text", name).decode().splitlines()
            assert len(text) == len(trace.events), f"{name}: {len(text)} lines, {len(trace.events)} events"
            show("perfetto", name)
    assert checked > 70


def differences(got, wanted):
    return [(one.get(flow), other.get(flow), flow) for one, other in zip(got, wanted)
            for flow in sorted(set(one) | set(other)) if one.get(flow) != other.get(flow)]


def main():
    os.makedirs(WORK, exist_ok=True)
    for seed in range(int(SEEDS)):
        check(seed)


if __name__ == "__main__":
    main()
