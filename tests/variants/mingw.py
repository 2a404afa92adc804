#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles the runtime, its tests, the examples and ufc for Windows with mingw-w64, and runs them with wine, if it is
there.

mingw.py SOURCE_DIRECTORY UFC WORK_DIRECTORY. Exit status 77 (skipped) if there is no mingw-w64."""
import glob
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


def build_ufc(source, work, wine):
    """A ufc for Windows. The build runs it, so it needs wine."""
    run(["cmake", "-S", source, "-B", work, "-G", "Ninja", f"-DCMAKE_TOOLCHAIN_FILE={source}/cmake/mingw-w64.cmake",
         "-DCMAKE_BUILD_TYPE=Release", "-DUFLOW_WERROR=ON", "-DUFLOW_BUILD_TESTS=OFF", "-DUFLOW_BUILD_EXAMPLES=OFF",
         "-DUFLOW_CROSS_UFC=ON", f"-DCMAKE_CROSSCOMPILING_EMULATOR={wine}", "-DCMAKE_EXE_LINKER_FLAGS=-static"])
    run(["cmake", "--build", work, "--target", "ufc"])
    return f"{work}/bin/ufc.exe"


def check_ufc(source, ufc, windows_ufc, work, wine):
    """ufc for Windows writes what ufc writes, and knows names, line ends and arguments of Windows."""
    folder = os.path.join(work, "of_ufc")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder + "/parts")

    def windows(*arguments, status=0, says=""):
        done = subprocess.run([wine, windows_ufc, *arguments], cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        text = done.stderr.decode("utf-8").replace("\r\n", "\n")
        if done.returncode != status or says not in text:
            sys.exit(f"ufc.exe {' '.join(arguments)}: status {done.returncode}, {text}")
        return done.stdout

    def bytes_of(name):
        with open(os.path.join(folder, name), "rb") as file: return file.read()

    def put(name, data):
        with open(os.path.join(folder, name), "wb") as file: file.write(data)

    inputs = sorted(glob.glob(f"{source}/examples/*/*.uflow"))
    for path in inputs:
        shutil.copy(path, folder)
    for name in map(os.path.basename, inputs):
        for kind in ("c", "html"):
            own = subprocess.run([ufc, f"--emit={kind}", name, "-o", "-"], cwd=folder, stdout=subprocess.PIPE,
                                 check=True).stdout
            if windows(f"--emit={kind}", name, "-o", "-") != own:
                sys.exit(f"{name}: --emit={kind} differs")
    shutil.copy(f"{source}/examples/04_door/door.uflow", f"{folder}/parts")
    door = bytes_of("parts/door.uflow")

    # Separators, drives, dependency files; an output that is there is replaced, and one of a person is not.
    drive = "Z:" + folder.replace("/", "\\")
    windows("parts\\door.uflow", "-o", "parts\\door.c", "-MD")
    windows("parts\\door.uflow", "-o", "parts\\door.c", "-MD")
    if b'#include "door.h"' not in bytes_of("parts/door.c"): sys.exit("the header has the name of a directory in it")
    windows(f"{drive}\\parts\\door.uflow", "-o", f"{drive}\\parts\\again.c", "-MD")
    if not bytes_of("parts/again.d").startswith(b"Z:\\"): sys.exit(f"dependencies: {bytes_of('parts/again.d')}")
    put("parts/hand.c", b"int x;\n")
    windows("parts\\door.uflow", "-o", "parts\\hand.c", status=3, says="it was not made by ufc")
    windows("parts/door.uflow", "-o", "PARTS\\DOOR.UFLOW", status=2, says="is an input")
    windows("parts", status=3, says="it is a directory")
    windows("parts\\missing.uflow", status=3, says="No such file or directory")
    windows("parts/door.uflow", "-o", "NUL")

    # Imports by drives, line ends of Windows, response files, names that no code page has all characters of.
    put("parts/import.uflow", b'import "C:door.uflow";\r\n')
    windows("parts\\import.uflow", status=1, says="the path is absolute")
    put("parts/import.uflow", b'import "door.uflow";\r\nflow Gate {\r\n    flow Door d(NULL);\r\n'
                              b'    task Go { step Go { await run Door.Close(&flow->d) -> done; } }\r\n}\r\n')
    windows("parts\\import.uflow", "-o", "parts\\import.c")
    put("crlf.uflow", door.replace(b"\n", b"\r\n"))
    windows("--emit=json", "crlf.uflow", "-o", "crlf.json")
    put("arguments", b'parts/door.uflow\r\n-o "parts/a b.c"\r\n')
    windows("@arguments")
    put("tür 門.uflow", door)
    windows("tür 門.uflow", "-o", "tür 門.c")
    left = [name for name in os.listdir(folder) + os.listdir(folder + "/parts") if name.startswith(".ufc")]
    if not bytes_of("tür 門.c") or not bytes_of("parts/a b.c") or left: sys.exit(f"files that are left: {left}")
    print(f"ufc: {len(inputs)} files as elsewhere")


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
        check_ufc(source, ufc, build_ufc(source, f"{work}/for_ufc", wine), work, wine)
    finally:
        subprocess.run([server, "-k"], check=False)
        shutil.rmtree(prefix, ignore_errors=True)  # 700 MB
    return 0


if __name__ == "__main__":
    sys.exit(main())
