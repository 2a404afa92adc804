# SPDX-License-Identifier: MIT
"""Spin checks every interleaving of a model: no error and no unreachable state. With each planted bug it must find an
error.

run.py SPIN CC WORK_DIRECTORY MODEL.pml [CONFIGURATION...] -- [BUG...]
A configuration, or a bug, is a list of macros joined by commas: CANCEL,FIRES=2. A bug is looked for in each
configuration until it is found."""
import os
import re
import subprocess
import sys


def verify(spin, compiler, work, model, macros):
    """Errors, states, and the lines of the unreachable ones."""
    directory = os.path.join(work, "-".join([os.path.basename(model)[:-4], *macros]).replace("=", "_"))
    os.makedirs(directory, exist_ok=True)
    subprocess.run([spin, "-a", *[f"-D{macro}" for macro in macros], model], cwd=directory, check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([compiler, "-O1", "-w", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=2000", "-o", "pan", "pan.c"],
                   cwd=directory, check=True)
    output = subprocess.run(["./pan", "-m100000"], cwd=directory, check=True, stdout=subprocess.PIPE,
                            universal_newlines=True).stdout
    if "max search depth too small" in output or "out of memory" in output:
        sys.exit(f"{model}: the search was cut short\n{output}")
    errors = int(re.search(r"errors: (\d+)", output).group(1))
    states = int(float(re.search(r"([0-9.e+]+) states, stored", output).group(1)))
    return errors, states, unreached_lines(model, output)


def unreached_lines(model, output):
    """Lines that say `unreached in PROCTYPE` are left out for that one."""
    lines, proctype, unreached = open(model, encoding="utf-8").read().splitlines(), "", set()
    for at, of, text in re.findall(r"^(?:unreached in (?:proctype )?|\t\S+:)(\w+)(?:, state (\d+), \"(.*)\")?$", output,
                                   re.MULTILINE):
        if not of:
            proctype = at
        elif text != "-end-" and f"unreached in {proctype}" not in lines[int(at) - 1]:
            unreached.add((at, text))
    return unreached


def main():
    spin, compiler, work, model, *rest = sys.argv[1:]
    configurations, bugs = rest[:rest.index("--")], rest[rest.index("--") + 1:]
    model, failed, never = os.path.abspath(model), False, None
    for configuration in configurations:
        errors, states, unreached = verify(spin, compiler, work, model, configuration.split(","))
        print(f"{configuration}: {states} states, {errors} errors, {len(unreached)} unreached")
        failed |= errors > 0
        never = unreached if never is None else never & unreached
    for line, text in sorted(never, key=lambda each: int(each[0])):
        print(f"{model}:{line}: never reached: {text}")
        failed = True
    for bug in bugs:
        found = next((c for c in configurations if verify(spin, compiler, work, model, [*c.split(","),
                                                                                        *bug.split(",")])[0]), None)
        print(f"{bug}: {'found with ' + found if found else 'NOT FOUND'}")
        failed |= found is None
    return failed


if __name__ == "__main__":
    sys.exit(main())
