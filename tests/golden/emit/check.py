#!/usr/bin/env python3
"""Compares the outputs of ufc for each construct with the expected ones, and compiles them.

ufc compiles every NAME.uflow of this directory. NAME.c.expected and NAME.h.expected are the expected outputs. Other
outputs are compared if NAME.KIND.expected exists: dot, mmd, json, sizes.c, plain.c, which is made with --no-line,
counted.c, which is made with --coverage too, tests.c and tests.plain.c, which are made with --tests, and mutants.c and
mutants.plain.c, which are made with --mutants.
All C must compile with warnings as errors, with --no-line, --coverage and --mutants under the first compiler, the
headers also as C++17. The second line of a program may list further
definitions to compile it with: `// with -DFAST, -DSLOW`.

usage: check.py --ufc UFC --include DIR [--cc COMPILER...] [--cxx COMPILER...] [--update] [NAME...]

--update writes the present output
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../.."))
from chosen import chosen  # noqa: E402
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Wsign-conversion",
            "-Wswitch-enum", "-Werror"]
C = ["-std=c11", "-O1", "-Wmissing-prototypes", "-Wstrict-prototypes", *WARNINGS]
KINDS = {
    "c": ["NAME.uflow", "-o", "NAME.c"],
    "h": None,  # written in the same run
    "plain.c": ["--no-line", "--emit=c", "--header=NAME.h", "NAME.uflow", "-o", "NAME.plain.c"],
    "counted.c": ["--coverage", "--no-line", "--emit=c", "--header=NAME.h", "NAME.uflow", "-o", "NAME.counted.c"],
    "tests.c": ["--tests", "--emit=c", "--header=NAME.h", "NAME.uflow", "-o", "NAME.tests.c"],
    "tests.plain.c": ["--tests", "--no-line", "--emit=c", "--header=NAME.h", "NAME.uflow", "-o", "NAME.tests.plain.c"],
    "mutants.c": ["--mutants", "--emit=c", "--header=NAME.h", "NAME.uflow", "-o", "NAME.mutants.c"],
    "mutants.plain.c": ["--mutants", "--no-line", "--emit=c", "--header=NAME.h", "NAME.uflow", "-o",
                        "NAME.mutants.plain.c"],
    "dot": ["--emit=dot", "NAME.uflow", "-o", "NAME.dot"],
    "mmd": ["--emit=mermaid", "NAME.uflow", "-o", "NAME.mmd"],
    "json": ["--emit=json", "NAME.uflow", "-o", "NAME.json"],
    "config": ["--emit=config", "NAME.uflow", "-o", "NAME.config"],
    "sizes.c": ["--sizes", "NAME.uflow"],
}
ALWAYS = ("c", "h")
COMPILED = ("plain.c", "counted.c", "mutants.c")  # even if they are not compared


def run(command, cwd):
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def difference(expected, path):
    """The first line that differs."""
    wanted, made = (expected or b"").split(b"\n"), (read(path) or b"").split(b"\n")
    for number, (a, b) in enumerate(zip(wanted + [b"(end)"], made + [b"(end)"]), 1):
        if a != b:
            return f"line {number}:\n- {a.decode(errors='replace')}\n+ {b.decode(errors='replace')}"
    return "the length differs"


def make(kind, name, options, folder):
    """Runs ufc. Returns its diagnostics, or None."""
    arguments = KINDS[kind]
    if arguments is None:
        return None
    status, said = run([options.ufc, *(a.replace("NAME", name) for a in arguments)], folder)
    if kind == "sizes.c":
        with open(os.path.join(folder, f"{name}.sizes.c"), "wb") as file:
            file.write(said)
        return None if status == 0 else said
    return said if status or said else None


def check_outputs(name, options, folder, failures):
    for kind in KINDS:
        expected_path = os.path.join(HERE, f"{name}.{kind}.expected")
        expected = read(expected_path)
        if expected is None and kind not in ALWAYS:
            if kind in COMPILED:
                make(kind, name, options, folder)
            continue
        complaint = make(kind, name, options, folder)
        if complaint is not None:
            failures.append(f"{name}: ufc says:\n{complaint.decode(errors='replace')}")
            return
        made = os.path.join(folder, f"{name}.{kind}")
        if options.update:
            shutil.copyfile(made, expected_path)
        elif read(made) != expected:
            failures.append(f"{name}.{kind}: is not as expected (--update accepts it), {difference(expected, made)}")


def check_compiles(name, options, folder, failures):
    include = ["-I" + options.include, "-I."]
    second_line = (read(os.path.join(folder, name + ".uflow")) + b"\n\n").split(b"\n")[1].decode()
    settings = [[], *([s] for s in second_line[8:].split(", ") if second_line.startswith("// with "))]
    jobs = [[cc, *C, *setting, *include, "-c", f"{name}.{kind}", "-o", os.devnull]
            for cc in options.cc for kind in (("c", *COMPILED) if cc == options.cc[0] else ("c",))
            for setting in settings]
    jobs += [[cxx, "-std=c++17", *WARNINGS, *include, "-fsyntax-only", "-x", "c++", f"{name}.h"] for cxx in options.cxx]
    for kind in ("sizes.c", "tests.c", "tests.plain.c", "mutants.c", "mutants.plain.c"):
        if not os.path.exists(os.path.join(folder, f"{name}.{kind}")):
            continue
        jobs += [[cc, *C, *include, "-c", f"{name}.{kind}", "-o", os.devnull] for cc in options.cc]
    for job in jobs:
        status, said = run(job, folder)
        if status:
            failures.append(f"{name}: {' '.join(job)}\n{said.decode(errors='replace')}")
            return


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ufc", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--cc", action="append", default=[])
    parser.add_argument("--cxx", action="append", default=[])
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.ufc, options.include = os.path.abspath(options.ufc), os.path.abspath(options.include)

    failures = []
    every = sorted(name[:-6] for name in os.listdir(HERE) if name.endswith(".uflow"))
    names = chosen(options.names, every)
    with tempfile.TemporaryDirectory() as folder:
        for name in every:
            shutil.copyfile(os.path.join(HERE, name + ".uflow"), os.path.join(folder, name + ".uflow"))
        for name in every:
            make("c", name, options, folder)  # they include each other's headers
        for name in names:
            check_outputs(name, options, folder, failures)
            check_compiles(name, options, folder, failures)
    if not options.names:
        failures += [f"{name}: there is no such program" for name in sorted(os.listdir(HERE))
                     if name.endswith(".expected") and name.split(".")[0] not in every]
    for failure in failures:
        print(failure, end="\n\n")
    print(f"{len(names)} programs, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
