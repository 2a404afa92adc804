#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the runtime, its tests and the examples for Windows with mingw-w64, and runs them with wine, if it is there.

mingw.py SOURCE_DIRECTORY UFC WORK_DIRECTORY. Exit status 77 (skipped) if there is no mingw-w64."""
import os
import re
import shutil
import subprocess
import sys

from run import run

COMPILER = "x86_64-w64-mingw32-gcc"
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
# These look at objects of a usual build, or run other programs.
NOT_RUN = r"^runtime\.(core_|settings|without_jobs)"
RUNS = 8


def find_wine():
    """Wine and its server, which Debian's package wine64 does not put into the PATH."""
    path = os.environ.get("PATH", "") + ":/usr/lib/wine"
    found = [shutil.which(name, path=path) for name in ("wine64", "wine")]
    servers = [shutil.which(name, path=path) for name in ("wineserver", "wineserver64")]
    return next(filter(None, found), None), next(filter(None, servers), None)


def helpers(source, work):
    """What the tests need in place of cmocka and of poll()."""
    directory, library = os.path.join(source, "tests/variants"), os.path.join(work, "libcmocka.a")
    poll = os.path.join(work, "poll.o")
    os.makedirs(work, exist_ok=True)
    run([COMPILER, *WARNINGS, "-c", f"{directory}/mingw/poll.c", "-o", poll])
    run(["ar", "rcs", library, poll])
    # Static, because a program that also uses winpthreads would have to find its DLL.
    return [f"-DUFLOW_CMOCKA_INCLUDE={directory}/cmocka", f"-DUFLOW_CMOCKA_LIBRARY={library}",
            f"-DCMAKE_C_STANDARD_INCLUDE_DIRECTORIES={directory}/cmocka;{directory}/mingw",
            f"-DCMAKE_EXE_LINKER_FLAGS=-L{work} -static", "-DCMAKE_C_STANDARD_LIBRARIES=-lcmocka -lws2_32 -pthread"]


def compile_amalgamation(source, work):
    for options in ([], ["--core"]):
        run([sys.executable, "-EsB", f"{source}/runtime/amalgamate.py", f"{work}/amalgamated", *options])
        run([COMPILER, *WARNINGS, "-O2", f"-I{work}/amalgamated", "-c", f"{work}/amalgamated/uflow.c", "-o",
             f"{work}/uflow.o"])


def check_coverage(source, ufc, work, wine):
    """Several processes, each with two flows, append their counts to one file at the same time."""
    hello, folder = os.path.join(source, "examples/01_hello"), os.path.join(work, "coverage")
    data, program = os.path.join(folder, "uflow.cov"), os.path.join(folder, "hello.exe")
    os.makedirs(folder, exist_ok=True)
    if os.path.exists(data): os.remove(data)
    run([ufc, "--coverage", f"{hello}/hello.uflow", "-o", f"{folder}/hello.c"])
    run([COMPILER, *WARNINGS, f"-I{source}/runtime/include", f"-I{folder}", f"{hello}/main.c", f"{folder}/hello.c",
         f"{work}/lib/libuflow.a", "-lws2_32", "-lsynchronization", "-o", program])
    started = [subprocess.Popen([wine, program], cwd=folder, stdout=subprocess.DEVNULL) for _ in range(RUNS)]
    statuses = [process.wait() for process in started]
    with open(data, encoding="utf-8") as file: counts = re.findall(r"^(\d+) \d+ \d+ flow ", file.read(), re.M)
    left = sorted(os.listdir(folder))
    if any(statuses) or counts != ["2"] * RUNS or len(left) != 4:
        sys.exit(f"coverage: statuses {statuses}, counts {counts}, files {left}")


def main():
    source, ufc, work = map(os.path.abspath, sys.argv[1:])
    wine, server = find_wine()
    if not shutil.which(COMPILER):
        print(f"there is no {COMPILER}")
        return 77
    run(["cmake", "-S", source, "-B", work, "-G", "Ninja", f"-DCMAKE_TOOLCHAIN_FILE={source}/cmake/mingw-w64.cmake",
         "-DCMAKE_BUILD_TYPE=Release", "-DUFLOW_WERROR=ON", "-DUFLOW_TEST_EFFORT=quick", f"-DUFLOW_UFC={ufc}",
         f"-DCMAKE_CROSSCOMPILING_EMULATOR={wine or ''}", *helpers(source, work)])
    run(["cmake", "--build", work])
    compile_amalgamation(source, work)
    if not wine or not server:
        print("compiled, but not run: there is no wine")
        return 0
    prefix = os.path.join(work, "wine")
    os.environ.update(WINEPREFIX=prefix, WINEDEBUG="-all")
    os.environ.pop("DISPLAY", None)
    os.makedirs(prefix, exist_ok=True)
    try:
        # Without a server that stays, each program would start one. It keeps its output open.
        subprocess.run([server, "-p"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run([wine, "wineboot"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        out = run(["ctest", "--test-dir", work, "--timeout", "300", "-E", NOT_RUN, "--output-on-failure",
                   "--no-tests=error"])
        print(re.search(r".*tests passed.*", out)[0])
        check_coverage(source, ufc, work, wine)
    finally:
        subprocess.run([server, "-k"], check=False)
        shutil.rmtree(prefix, ignore_errors=True)  # 700 MB
    return 0


if __name__ == "__main__":
    sys.exit(main())
