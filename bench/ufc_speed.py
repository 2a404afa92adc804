# SPDX-License-Identifier: MIT
"""Times ufc as a process, per line of its input, beside the C compiler on ufc's output."""
import os
import subprocess
import tempfile
import time

import generate
from cases import UFC

SCRATCH = "/dev/shm" if os.path.isdir("/dev/shm") else None  # files in memory, so that the disk is not measured
SIZES = (1000, 100000)
COMPILED = 1000  # the size whose output the C compiler compiles as well


def run_once(command):
    """Nanoseconds, and the peak of resident bytes."""
    began = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    took = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return took * 1e9, usage.ru_maxrss * 1024


def measure(directory, compiler, size, repeat, scratch):
    """Nanoseconds per line of each implementation in each run, and further figures of uflow's."""
    source, out = os.path.join(scratch, "input.uflow"), os.path.join(scratch, "output.c")
    text = generate.text_of(size)
    lines = text.count("\n")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    include = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "runtime", "include")
    compile_output = [compiler, "-std=c11", "-O0", "-w", f"-I{include}", "-c", out, "-o", os.devnull]
    figures, more = {"uflow": []}, {"uflow": []}
    for _ in range(repeat):
        took, peak = run_once([os.path.join(directory, "ufc"), source, "-o", out, "--touch"])
        figures["uflow"].append(took / lines)
        more["uflow"].append({"peak_bytes_per_line": peak / lines, "lines_per_s": 1e9 * lines / took})
        if size == COMPILED:
            figures.setdefault("compiler", []).append(run_once(compile_output)[0] / lines)
            more.setdefault("compiler", []).append({})
    return figures, more


def rows(directory, compiler, repeat, rows_of):
    with tempfile.TemporaryDirectory(dir=SCRATCH) as scratch:
        for size in SIZES:
            figures, more = measure(directory, compiler, size, max(repeat, 9), scratch)
            yield rows_of(UFC[0], f"{UFC[1]}: {size} lines", "ns", compiler, figures, more)
