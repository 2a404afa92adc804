"""Checks the lengths of files and lines: sources have at most 500 lines, tests 700, and a line has at most 120 columns.

usage: sizes.py ROOT"""
import os
import sys

from sources import sources

SOURCE, TEST, COLUMNS = 500, 700, 120
LARGE_INPUTS = ("tests/corpus/", "tests/golden/")  # programs that are large, or have long lines, on purpose
# To be emptied: larger files that are about to be split, and directories with lines that are about to be shortened.
TOO_LONG = ("tests/runtime/stopping.c",)
TOO_WIDE = ("tests/howto/", "tests/docs/api.py",
    ".ci/run", "bench/CMakeLists.txt", "bench/document.py",
    "bench/programs.cmake", "bench/run.py", "dev", "docs/guides/event-loops/flows_in_poll.h",
    "examples/05_queue_drain/live.uflow", "examples/06_message_dispatch/live.uflow",
    "examples/06_message_dispatch/student.uflow", "examples/07_rendezvous/rendezvous.uflow",
    "examples/08_sidecar_feed/CMakeLists.txt", "examples/08_sidecar_feed/feed.uflow",
    "examples/08_sidecar_feed/tests/sidecar_test.py", "examples/CMakeLists.txt", "tests/corpus/CMakeLists.txt",
    "tests/corpus/slips.py", "tests/declarations/CMakeLists.txt", "tests/declarations/locals.py",
    "tests/declarations/macros.py", "tests/docs/CMakeLists.txt", "tests/docs/api.py", "tests/docs/check.py",
    "tests/e2e/CMakeLists.txt", "tests/e2e/bodies.py", "tests/e2e/cmake.py", "tests/e2e/names.py",
    "tests/e2e/scaling.py", "tests/embedding/CMakeLists.txt", "tests/fuzz/CMakeLists.txt",
    "tests/fuzz/seeds/shared.uflow", "tests/golden/emit/check.py", "tests/golden/errors/CMakeLists.txt",
    "tests/golden/errors/check.py", "tests/golden/ir/check.py", "tests/habits/CMakeLists.txt",
    "tests/host/CMakeLists.txt", "tests/host/jobber.c", "tests/host/jobber.h", "tests/host/listener.h",
    "tests/host/worker.h", "tests/models/run.py", "tests/random/compare.py", "tests/random/programs.py",
    "tests/runtime/CMakeLists.txt", "tests/runtime/awaits.py", "tests/runtime/calls.uflow",
    "tests/runtime/chains.uflow", "tests/runtime/core_bare.py", "tests/runtime/core_symbols.py",
    "tests/runtime/intents.uflow", "tests/runtime/interruptions.uflow", "tests/runtime/jobs.uflow",
    "tests/runtime/launch.uflow", "tests/runtime/outside.uflow", "tests/runtime/rulings.uflow",
    "tests/runtime/stopping.uflow", "tests/runtime/working.uflow", "tests/sched/CMakeLists.txt",
    "tests/sched/plants.py",)


def problems(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        lines = file.read().splitlines()
    limit = TEST if path.startswith("tests/") else SOURCE
    if len(lines) > limit and path not in TOO_LONG:
        yield f"{path}: {len(lines)} lines; at most {limit}: split the file by subject"
    if not path.startswith(TOO_WIDE):
        yield from (f"{path}:{at}: {len(line)} columns; at most {COLUMNS}" for at, line in enumerate(lines, 1)
                    if len(line) > COLUMNS)


def main():
    root = sys.argv[1]
    paths = [path for path in sources(root) if not (path.startswith(LARGE_INPUTS) and path.endswith(".uflow"))]
    found = [problem for path in paths for problem in problems(root, path)]
    print("\n".join(found[:100]) or f"{len(paths)} files")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
