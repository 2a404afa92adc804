#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tests of the runtime on the library in another form, or made by another compiler.

run.py SOURCE_DIRECTORY WORK_DIRECTORY VARIANT. Exit status 77 (skipped) if the compiler cannot make it."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys

# The definitions for CMake. All but those of the host's own cmocka use the one of variants/cmocka.
VARIANTS = {
    "amalgamated": ["-DUFLOW_AMALGAMATED=ON"],
    "m32": ["-DCMAKE_C_FLAGS=-m32"],
    "unsigned-char": ["-DCMAKE_C_FLAGS=-funsigned-char"],
    "gnu17": ["-DCMAKE_C_STANDARD=17", "-DCMAKE_C_EXTENSIONS=ON"],
    # Other compilers, with all warnings as errors.
    **{name: [f"-DCMAKE_C_COMPILER={name}", "-DUFLOW_WERROR=ON"] for name in ("gcc-11", "clang-16", "clang-19")},
    "short-enums": ["-DCMAKE_C_FLAGS=-fshort-enums"],  # the calls of cmocka have no enums
    "lto": ["-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON"],
    # A test, its log and its generated C in one file. For the test of the library, it is the amalgamation.
    "unity": ["-DUFLOW_TEST_UNITY=ON", "-DUFLOW_AMALGAMATED=ON"],
    "darwin": ["-DCMAKE_C_FLAGS=-include {source}/tests/variants/darwin/darwin.h"],  # as far as it can be imitated
}
# The required parts of the command that compiles a test, so that a variant is one.
EVIDENCE = {"m32": "-m32", "lto": "-flto", "darwin": "darwin.h", "gnu17": "-std=gnu17", "unity": "unity_0_c",
            "amalgamated": "amalgamated", "unsigned-char": "-funsigned-char", "short-enums": "-fshort-enums",
            **{name: f"/{name} " for name in ("gcc-11", "clang-16", "clang-19")}}
OWN_CMOCKA = ("m32",)
# These run other programs, or look at objects of a usual build, or replace a file of the library.
NOT_RUN = r"^runtime\.(core_|settings|without_jobs|parked|pool_flat|beside|helgrind|drd)|by_poll"
NEED_LINUX = ("system_calls", "descriptors_kept", "interrupted")


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0: return done.stdout
    print(f"{' '.join(command[:6])}: status {done.returncode}")
    failed = re.search(r"FAILED:|CMake Error|error:|\*\*\*Failed", done.stdout + done.stderr)
    text = done.stdout + done.stderr
    print(text[max(0, failed.start() - 200):][:3000] if failed else "", text[-2000:], sep="\n...\n")
    sys.exit(1)


def can_compile(work, definitions, flags):
    os.makedirs(work, exist_ok=True)
    chosen = [option.partition("=")[2] for option in definitions if "C_COMPILER" in option]
    compiler = chosen[0] if chosen else os.environ.get("CC", "cc")
    probe = os.path.join(work, "probe")
    return shutil.which(compiler) and subprocess.run([compiler, *flags, "-x", "c", "-", "-o", probe],
                          input="#include <stdlib.h>\nint main(void) { return 0; }\n", text=True,
                          capture_output=True).returncode == 0


def own_cmocka(source, work):
    """Definitions for the header of variants/cmocka, and an empty library."""
    directory = os.path.join(source, "tests/variants/cmocka")
    library = os.path.join(work, "libcmocka.a")
    run(["ar", "rcs", library])
    return [f"-DUFLOW_CMOCKA_INCLUDE={directory}", f"-DUFLOW_CMOCKA_LIBRARY={library}",
            f"-DCMAKE_C_STANDARD_INCLUDE_DIRECTORIES={directory}", f"-DCMAKE_EXE_LINKER_FLAGS=-L{work}"]


def check_commands(work, variant):
    with open(os.path.join(work, "compile_commands.json"), encoding="utf-8") as file: commands = json.load(file)
    tests = [entry["command"] for entry in commands if "test_runtime_mail.dir" in entry["command"]]
    if not tests or not all(EVIDENCE[variant] in command for command in tests):
        sys.exit(f"{variant}: tests are compiled without {EVIDENCE[variant]}:\n" + "\n".join(tests))


def check_unity(work):
    """Most tests are one file, which includes generated C."""
    files = glob.glob(os.path.join(work, "tests/runtime/CMakeFiles/test_runtime_*.dir/Unity/unity_0_c.c"))
    joined = 0
    for path in files:
        with open(path, encoding="utf-8") as file: joined += ".uflow/" in file.read()
    if joined < 40: sys.exit(f"only {joined} of {len(files)} unity files include generated C")


def main():
    source, work, variant = sys.argv[1:]
    definitions = [definition.format(source=source) for definition in VARIANTS[variant]]
    flags = [flag for option in definitions if "C_FLAGS" in option for flag in option.partition("=")[2].split()]
    if not can_compile(work, definitions, flags):
        print(f"there is no compiler for {variant}")
        return 77
    if variant in OWN_CMOCKA: definitions += own_cmocka(source, work)
    run(["cmake", "-S", source, "-B", work, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DUFLOW_BUILD_EXAMPLES=OFF",
         "-DUFLOW_TEST_EFFORT=quick", *definitions])
    known = run(["ninja", "-C", work, "-t", "targets", "all"])
    targets = re.findall(r"^(test_runtime_\w+|runtime\.\w+): phony", known, re.M)
    check_commands(work, variant)
    if variant == "unity": check_unity(work)
    left_out = ("_by_poll", *(NEED_LINUX if variant == "darwin" else ()))
    # The runner of tests beside flows has a network, which only Linux has.
    beside_flows = [name for name in targets if name.startswith("runtime.") and variant == "darwin"]
    not_run = "|".join((NOT_RUN, *(name.replace("_k", ".k") for name in left_out), *beside_flows))
    built = [name for name in targets if not name.endswith(left_out) and name not in beside_flows]
    run(["cmake", "--build", work, "--target", *built])
    run(["ctest", "--test-dir", work, "-R", r"^runtime\.", "-E", not_run, "-j2", "--output-on-failure",
         "--no-tests=error"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
