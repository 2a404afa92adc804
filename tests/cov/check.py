#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Data files and uflow-cov: merging, files that cannot be written, cut or foreign files, other texts of a source, and
the outputs for genhtml and gcovr.

check.py SOURCE BUILD PROGRAM WORK_DIRECTORY CASES"""
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time

import counts

SOURCE, BUILD, PROGRAM, WORK = map(os.path.abspath, sys.argv[1:5])
CASES = int(sys.argv[5])
HERE = os.path.dirname(os.path.abspath(__file__))
TOOL, UFC = os.path.join(BUILD, "bin/uflow-cov"), os.path.join(BUILD, "bin/ufc")
FLOWS = os.path.join(HERE, "loop.uflow")
ROUNDS = 10
FORMATS = ("text", "json", "lcov", "gcovr", "gcovr5", "data")
IS_SANITIZED = "SANITIZED" in os.environ  # sanitizers need memory of their own
LEAST, PER_BYTE = 128 << 20, 64  # of memory: the former is more than Python has, which a new process begins with
CONTROLS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
DATA = os.path.join(WORK, "data")


def run(threads, runs, *how, path=DATA, status=0, cwd=WORK, **environment):
    done = subprocess.run([PROGRAM, str(threads), str(runs), *how], cwd=cwd, capture_output=True, check=False,
                          env={**os.environ, "UFLOW_COVERAGE_FILE": path, **environment})
    assert done.returncode == status, f"{how}: status {done.returncode}: {done.stderr.decode()}"
    return done.stdout.decode(), done.stderr.decode()


def cov(*arguments, status=0, cwd=WORK):
    done = subprocess.run([TOOL, *arguments], cwd=cwd, capture_output=True, check=False)
    assert done.returncode == status, f"{arguments}: status {done.returncode}: {done.stderr.decode()}"
    return done.stdout.decode(errors="replace"), done.stderr.decode()


def fresh():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)


def read(path=DATA):
    with open(path, "rb") as file: return file.read()


def write(path, content):
    with open(path, "wb") as file: file.write(content)


def expect(runs, inits, path=DATA):
    """The counts after this many runs, of which every second one fails if a thread makes more than one."""
    data = json.loads(cov("--format=json", path)[0])
    (flow,) = data["files"][0]["flows"]
    (task,) = flow["tasks"]
    done, failed = runs
    total = done + failed
    assert (flow["count"], task["count"]) == (inits, total), (flow["count"], task["count"], inits, total)
    assert task["endings"] == {"done": done, "failed": failed, "cancelled": 0, "became": 0}, task["endings"]
    assert [h["count"] for h in flow["handlers"]] == [inits, total], flow["handlers"]
    assert [(h["label"], h["count"]) for h in task["handlers"]] == \
        [("on enter", total), ("on exit", total), ("on stop", 0)], task["handlers"]
    count, fail = task["steps"]
    assert (count["count"], count["runs"]) == (ROUNDS * total, ROUNDS * total), count
    assert [edge["count"] for edge in count["edges"]] == [(ROUNDS - 1) * total, failed, done], count
    assert (count["edges"][1]["true"], count["edges"][1]["false"]) == (failed, done), count
    assert (fail["count"], fail["edges"][0]["count"]) == (failed, failed), fail
    return data


def check_merging():
    """20 processes at once, and threads in a process; a child is not counted twice."""
    fresh()
    running = [subprocess.Popen([PROGRAM, "1", "10"], env={**os.environ, "UFLOW_COVERAGE_FILE": DATA})
               for _ in range(20)]
    assert [process.wait() for process in running] == [0] * 20
    expect((100, 100), 20)
    assert os.listdir(WORK) == ["data"], os.listdir(WORK)
    folded = cov("-f", "data", DATA)[0].encode()
    assert folded.count(b"uflow-coverage") == 1, "there is more than one record of a text"
    write(DATA, folded)
    expect((100, 100), 20)

    fresh()
    run(8, 20000)
    expect((80000, 80000), 8)

    fresh()
    run(1, 2, "fork")
    expect((2, 1), 2)
    assert run(1, 2, "write", "write", "_exit")[0] == "", "_exit() writes no output"
    expect((3, 2), 3)
    run(1, 2, "_exit")  # its counts are lost, and nothing else
    expect((3, 2), 3)

    fresh()
    chance, ended = random.Random(1), 0
    for _ in range(30):
        process = subprocess.Popen([PROGRAM, "1", "1"], env={**os.environ, "UFLOW_COVERAGE_FILE": DATA})
        time.sleep(chance.random() / 100)
        process.kill()  # perhaps it has ended before
        ended += process.wait() == 0
    run(1, 1)
    (flow,) = json.loads(cov("--format=json", DATA)[0])["files"][0]["flows"]
    assert ended + 1 <= flow["count"] <= 31, f"{ended} processes ended, and {flow['count'] - 1} are in the data"


def check_paths():
    fresh()
    run(1, 2, "chdir", path="data")
    expect((1, 1), 1)
    run(1, 2, path="")
    expect((1, 1), 1)
    assert os.listdir(WORK) == ["data"], os.listdir(WORK)
    os.mkdir(os.path.join(WORK, "elsewhere"))
    link = os.path.join(WORK, "elsewhere/link")
    os.symlink(DATA + ".new", link)  # to a file that does not exist yet
    run(1, 2, path="elsewhere/link")
    expect((1, 1), 1, DATA + ".new")
    assert os.path.islink(link), "the link was replaced"
    os.remove(link)
    os.symlink(DATA, link)
    os.chmod(DATA, 0o640)
    run(1, 2, path="elsewhere/link")
    assert os.path.islink(link), "the link was replaced"
    assert os.stat(DATA).st_mode & 0o777 == 0o640, "the mode has changed"
    expect((2, 2), 2)
    default = os.path.join(BUILD, "uflow.cov")  # of COVERAGE in CMake; programs of other tests may write it too
    before = os.stat(default).st_mtime_ns if os.path.exists(default) else 0
    environment = {name: value for name, value in os.environ.items() if name != "UFLOW_COVERAGE_FILE"}
    subprocess.run([PROGRAM], cwd=WORK, env=environment, check=True)
    assert os.stat(default).st_mtime_ns > before and b"loop.uflow\n" in read(default)
    shown, _ = run(1, 2, path="/dev/stdout")
    assert shown.startswith("\nuflow-coverage 2 "), shown


def check_failures():
    """One line says why; the program's exit status is its own."""
    fresh()
    run(1, 2)
    before = read()
    for path, reason in (("/dev/full", "No space left on device"), ("missing/data", "No such file or directory"),
                         (WORK, "Is a directory")):
        _, error = run(1, 2, path=path)
        assert error.count("\n") == 1 and reason in error and path in error, error
    assert run(1, 2, "write", path="/dev/full")[0] == "not written\n"
    write(os.path.join(WORK, "foreign"), b"int main(void)\n")
    _, error = cov("foreign", status=1)
    assert "is no coverage data" in error, error
    if os.geteuid() != 0:
        os.chmod(WORK, 0o555)
        _, error = run(1, 2)
        os.chmod(WORK, 0o755)
        assert "Permission denied" in error, error
    assert read() == before
    # A limit on the size of files stands for a disk that is full in the middle of a write.
    for kilobytes in (0, 1):
        done = subprocess.run(["bash", "-c", f'trap "" XFSZ; ulimit -f {kilobytes}; exec "$@"', "-", PROGRAM, "1", "2"],
                              env={**os.environ, "UFLOW_COVERAGE_FILE": DATA}, capture_output=True, check=False)
        assert done.returncode == 0 and b"File too large" in done.stderr, done
        assert read().startswith(before) and len(read()) == max(len(before), 1024 * kilobytes), len(read())
    assert len(before) < 1024 < 2 * len(before), "the limit cuts no record"
    assert "damaged" in cov(DATA)[1]
    run(1, 2)
    expect((2, 2), 2)
    for wrong in (("--format=xml",), ("--fail-under=200",), ("--nonsense",)): cov(*wrong, DATA, status=2)
    cov("missing", status=1)
    cov("--output=/dev/full", DATA, status=1)
    write(os.path.join(WORK, "empty"), b"")
    assert "no counts" in cov("empty", status=1)[1]
    write(os.path.join(WORK, "newer"), before.replace(b"uflow-coverage 2", b"uflow-coverage 3"))
    assert "version 3" in cov("newer", status=1)[1]
    write(os.path.join(WORK, "other"), (record("z", failures([2], 1)) + record("z", failures([2], 2))).encode())
    assert "contradict" in cov("other", status=1)[1]


def check_damage():
    """A file that is cut anywhere loses the record that is cut, and no run after that is lost."""
    fresh()
    run(1, 2)
    whole = read()
    cut = os.path.join(WORK, "cut")
    every = 1 if CASES > 100 else 23
    for end in range(0, len(whole) - 1, every):
        write(cut, whole[:end])
        cov(cut, status=1)
        run(1, 2, path=cut)
        expect((1, 1), 1, cut)
    write(cut, whole[:-1])  # only the end of the last line is missing
    run(1, 2, path=cut)
    expect((2, 2), 2, cut)
    chance = random.Random(1)
    for _ in range(CASES):
        damaged = bytearray(whole + whole.replace(b"loop.uflow", chance.choice((b"loop.uflow", b"other.uflow"))))
        for _ in range(chance.choice((1, 3, 30))):
            damaged[chance.randrange(len(damaged))] = chance.choice((0, 9, 10, 0x2d, 0x30, 0xff, chance.randrange(256)))
        write(cut, damaged)
        for form in FORMATS:
            done = subprocess.run([TOOL, "-f", form, cut], capture_output=True, timeout=60, check=False)
            assert done.returncode in (0, 1), f"{form}: {done.returncode}: {done.stderr.decode()}"
            if done.returncode == 0 and form in ("json", "gcovr", "gcovr5"): json.loads(done.stdout)
            expect_printable(done.stdout, form)
            expect_printable(done.stderr, form)
            if done.returncode == 0 and form == "data":
                write(os.path.join(WORK, "folded"), done.stdout)
                assert cov("-f", "data", "folded")[0].encode() == done.stdout, f"{done.stdout!r} cannot be read again"
        done = subprocess.run([PROGRAM, "1", "2"], env={**os.environ, "UFLOW_COVERAGE_FILE": cut}, timeout=60,
                              capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()


def expect_printable(output, what):
    found = CONTROLS.search(output.decode())
    assert not found, f"{what}: {found} in {output!r}"


def record(name, points, checksum=1):
    lines = [f"1 {place} {line} {kind} x\n" for place, line, kind in points]
    return f"uflow-coverage 2 {checksum:016x} {name}\n{''.join(lines)}end\n"


def failures(places, line=1):
    return [(0, 1, "flow"), (1, 1, "task"), *((place, line, "failure") for place in places)]


GROWING = {
    "names": lambda count: [record(f"z{count - i:06}", []) for i in range(count)],
    "texts": lambda count: [record("z", [], checksum) for checksum in range(count)],
    "reversed": lambda count: [record("z", failures(range(2, 4 * count)[::step])) for step in (1, -1)],
    "lines": lambda count: [record("z", [(0, 1, "flow"), (1, 1, "task"), (2, 1, "step"), (3, 1, "again"),
                                         *((i + 4, i + 2, "await") for i in range(count))])],
    "apart": lambda count: [record("z", failures([i + 2])) for i in range(count)],
    "before": lambda count: [record("z", failures([count + 2])),
                             *(record("z", failures([i + 2, count + 2])) for i in range(count))],
}


def seconds_of(form, path):
    """The time of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([TOOL, "-f", form, path], capture_output=True, check=False)
    assert done.returncode == 0, f"{path}, {form}: {done.stderr[:1000].decode()}"
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def check_growth():
    """Eight times as many records, or points, take less than thirty times as long: the square would be 64. A busy
    machine makes only some of the attempts slower."""
    fresh()
    for what, records in GROWING.items():
        for path, count in (("few", 4000), ("many", 32000)):
            write(os.path.join(WORK, path), "".join(records(count)).encode())
        for form in FORMATS if what in ("names", "reversed", "lines") else ("data",):  # reading is the same
            for _ in range(3):
                few, many = (seconds_of(form, os.path.join(WORK, path)) for path in ("few", "many"))
                if many <= 30 * max(few, 0.02): break
            else:
                raise AssertionError(f"{what}, {form}: {few} s, and {many} s for eight times as much")


def check_memory():
    """A reader takes memory in proportion to the file."""
    fresh()
    long = "n" * 100000
    crafted = {"long": [record(long, failures(range(2, 5000))).replace("flow x", "flow " + long)],
               "numbers": [record("z", [(0, 2**32 - 1, "flow"), (1, 2**32 - 1, "task"), (2**32 - 1, 1, "step")])],
               **{what: records(20000) for what, records in GROWING.items()}}
    for what, records in crafted.items():
        data = "".join(records).encode()
        write(DATA, data)
        for form in FORMATS:
            process = subprocess.Popen([TOOL, "-f", form, DATA], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, _, used = os.wait4(process.pid, 0)
            process.returncode = 0
            taken = used.ru_maxrss * 1024
            assert IS_SANITIZED or taken < LEAST + PER_BYTE * len(data), f"{what}, {form}: {len(data)} bytes: {taken}"


def check_hostile():
    """No name in the data reaches a terminal unchanged. Only names of regular files are opened."""
    fresh()
    run(1, 2)
    name = read().split(b"\n")[1].split(b" ", 3)[3]
    pipe = os.path.join(WORK, "pipe")
    os.mkfifo(pipe)
    for source in ("/dev/zero", "/dev/stdin", "/proc/kmsg", pipe, WORK):
        write(DATA, read().replace(name, source.encode()))
        name = source.encode()
        for form in FORMATS:
            done = subprocess.run([TOOL, "-f", form, DATA], stdin=subprocess.PIPE, capture_output=True, timeout=60,
                                  check=False)
            assert done.returncode == 0, f"{source}, {form}: {done.stderr.decode()}"
    good = read()
    for evil in (b"\x1b]0;owned\x07\x1b[31m", "\x9b31m".encode(), "a\u202eb".encode(), b"\xff\xc0\x9b", b"a\rb\x7f",
                 "\u00e9".encode() * 99):
        for place in (name, b"Loop", b"Count", b"on exit", b"fail"):
            write(DATA, good.replace(place, place[:1] + evil + place[1:]))
            for form in FORMATS:
                done = subprocess.run([TOOL, "-f", form, DATA], capture_output=True, timeout=60, check=False)
                assert done.returncode in (0, 1), done.stderr.decode()
                expect_printable(done.stderr, form)
                expect_printable(done.stdout, form)
                if form in ("json", "gcovr", "gcovr5") and done.returncode == 0: json.loads(done.stdout)


def check_texts():
    """Counts of another text of a source are kept apart, and shown if the source has that text."""
    fresh()
    run(1, 2)
    name = read().split(b"\n")[1].split(b" ", 3)[3].decode()
    flows = os.path.join(WORK, "loop.uflow")
    local = read().replace(name.encode(), b"loop.uflow")
    other = re.sub(rb" [0-9a-f]{16} ", b" 0123456789abcdef ", local).replace(b"Count", b"Older")
    write(DATA, local + other)
    shutil.copy(FLOWS, flows)
    shown, error = cov(DATA)
    assert "Count" in shown and "Older" not in shown and "another text are left out" in error, (shown, error)
    write(flows, b"\xef\xbb\xbf" + read(FLOWS))  # a byte order mark is no part of the text
    assert "Count" in cov(DATA)[0]
    write(flows, read(FLOWS) + b"// changed\n")
    shown, error = cov(DATA)
    assert "Older" in shown and "has changed" in error, (shown, error)  # the last one
    os.remove(flows)
    assert "Older" in cov(DATA)[0]
    assert "Count" in cov("--source-dir=" + HERE, DATA)[0]
    # The same text, but the preprocessor leaves out an arm in one of the programs.
    lines = local.split(b"\n")
    without = [line for line in lines if not line.split(b" ")[3:4] in ([b"true"], [b"false"])]
    for both in ((local, b"\n".join(without)), (b"\n".join(without), local)):
        for name, content in zip(("a", "b"), both): write(os.path.join(WORK, name), content)
        data = json.loads(cov("-f", "json", "--source-dir=" + HERE, "a", "b")[0])
        (step, _) = data["files"][0]["flows"][0]["tasks"][0]["steps"]
        assert [edge["count"] for edge in step["edges"]] == [36, 2, 2] and step["edges"][1]["true"] == 1, step


def check_outputs():
    fresh()
    run(1, 1)
    data = expect((1, 0), 1)
    shown, _ = cov(DATA)
    assert "Loop.Run.Fail\n" in shown and "was never true" in shown and f"{FLOWS}:15: Loop.Run: on stop -> fail" in \
        shown, shown
    missed = [int(line.split(":")[1]) for line in shown.split("never taken:\n")[1].splitlines()]
    assert missed == sorted(missed) and data["percent"] < 100
    cov(f"--fail-under={data['percent'] - 1}", DATA)
    assert "were taken" in cov(f"--fail-under={data['percent'] + 1}", DATA, status=3)[1]
    again = cov("-f", "data", DATA)[0].encode()
    write(os.path.join(WORK, "again"), again)
    assert cov("-f", "data", "again")[0].encode() == again, "the data file changes when it is written again"
    assert sorted(again.splitlines()) == sorted(read().splitlines()[1:]), "it has other points"
    assert cov(DATA, DATA, "-f", "data")[0].count("uflow-coverage") == 1

    info = os.path.join(WORK, "loop.info")
    cov("--format=lcov", "-o", info, DATA)
    done = subprocess.run(["genhtml", "--branch-coverage", "--quiet", "-o", os.path.join(WORK, "html"), info],
                          capture_output=True, check=False)
    assert done.returncode == 0 and not done.stderr, done.stderr.decode()
    summary = subprocess.run(["lcov", "--rc", "lcov_branch_coverage=1", "--summary", info], capture_output=True,
                             check=True).stdout.decode()
    text = read(info).decode()
    counts.check_lcov(text)
    for kind, short in (("lines", "L"), ("functions", "FN"), ("branches", "BR")):
        hit, found = (text.split(f"{short}{which}:")[1].split("\n")[0] for which in "HF")
        assert f"{hit} of {found} " in summary and int(hit) < int(found), (kind, summary)
    with open(os.path.join(WORK, "html", [d for d in os.listdir(os.path.join(WORK, "html")) if os.path.isdir(
            os.path.join(WORK, "html", d))][0], "loop.uflow.gcov.html"), encoding="utf-8") as file:
        assert re.search('class="(?:lineNoCov|tlaUNC)"', file.read()), "genhtml shows no line that was never reached"

    kinds = [line.split(" ")[3] for line in read().decode().splitlines()[2:-1]]  # as docs/uflow-cov.md has them
    assert text.count("\nFN:") == sum(kinds.count(kind) for kind in ("step", "handler"))
    assert text.count("\nBRDA:") == sum(
        kinds.count(kind) for kind in ("preempt", "await", "timeout", "else", "true", "false"))

    trace = os.path.join(WORK, "gcovr.json")
    version = subprocess.run(["gcovr", "--version"], capture_output=True, check=True).stdout
    form = {b"5": "gcovr5", b"7": "gcovr"}.get(version.split()[1].split(b".")[0])  # each reads only its own format
    if not form:
        print("gcovr 5 or 7 is not there: their formats are not checked")
        return
    cov(f"--format={form}", "-o", trace, DATA)
    done = subprocess.run(["gcovr", "-r", HERE, "-a", trace, "--csv", "-"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    row = done.stdout.decode().splitlines()[1].split(",")
    lines = [line.split(":")[1].split(",") for line in text.splitlines() if line.startswith("DA:")]
    assert row[0] == "loop.uflow" and [int(row[1]), int(row[2])] == \
        [len(lines), sum(count != "0" for _, count in lines)], row


def check_unchanged():
    """Without the option, the C file has no counters."""
    for options, wanted in (([], False), (["--coverage"], True)):
        done = subprocess.run([UFC, *options, "-o", "-", FLOWS], stdout=subprocess.PIPE, check=True)
        assert (b"uf_count" in done.stdout) == wanted, options


def main():
    for check in (check_unchanged, check_merging, check_paths, check_failures, check_damage,
                  check_hostile, check_memory, check_growth, check_texts, check_outputs):
        check()
        print(check.__name__[6:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
