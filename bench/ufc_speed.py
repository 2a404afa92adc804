"""How fast ufc is, as a process: lines per second, peak memory a line, at three sizes of one input; beside its scanner alone."""
import os
import statistics
import subprocess
import tempfile
import time

import generate

# Where there are files in memory: it is not the disk that is measured.
SCRATCH = "/dev/shm" if os.path.isdir("/dev/shm") else None

SIZES = (1000, 10000, 100000)
LINES_PER_SECOND = 1e6  # the target, at the largest
MILLISECONDS = 5.0  # and at the smallest, the start of the process included


def run_once(command):
    """Seconds, and the peak of resident bytes."""
    began = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    took = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return took, usage.ru_maxrss * 1024


def rows(directory, compiler, repeat, width):
    made = []
    with tempfile.TemporaryDirectory(dir=SCRATCH) as scratch:
        for size in SIZES:
            source, out = os.path.join(scratch, "input.uflow"), os.path.join(scratch, "output.c")
            text = generate.text_of(size)
            lines = text.count("\n")
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
            took, peak, scan = [], [], []
            for _ in range(max(repeat, 15 if size < 100000 else repeat)):
                seconds, resident = run_once([os.path.join(directory, "ufc"), source, "-o", out])
                os.unlink(out)
                took.append(seconds * 1e9 / lines)
                peak.append(resident / lines)
                said = subprocess.run([os.path.join(directory, "ufc_scan"), source], stdout=subprocess.PIPE, text=True,
                                      check=True).stdout
                scan.append(float(said.split()[0]))
            median = statistics.median(took)
            target = {SIZES[0]: MILLISECONDS * 1e6 / lines, SIZES[-1]: 1e9 / LINES_PER_SECOND}.get(size)
            row = {"workload": "ufc", "what": f"a .uflow file of {lines} lines, per line", "compiler": compiler, "side": "uflow",
                   "unit": "ns", "median": median, "spread": width(took), "runs": took, "ms": median * lines / 1e6,
                   "lines_per_s": 1e9 / median}
            if size == SIZES[-1]:  # of a small one it is what the process that started it had
                row["peak_bytes_per_line"] = statistics.median(peak)
            if target:
                row["target"] = target
                row["met"] = True if max(took) <= target else False if min(took) > target else None
            made.append(row)
            ratios = [a / b for a, b in zip(took, scan)]
            spread = width(ratios)
            made.append({"workload": "ufc", "what": row["what"], "compiler": compiler, "side": "scan", "unit": "ns",
                         "median": statistics.median(scan), "spread": width(scan), "runs": scan,
                         "ratio": None if spread > 0.10 else statistics.median(ratios), "ratio_spread": spread})
    return made
