# SPDX-License-Identifier: MIT
"""A program and a library with different settings must not link, and the linker's message must name the setting.

settings.py COMPILER INCLUDE LIBRARY WORK_DIRECTORY"""
import os
import subprocess
import sys

PROGRAMS = {
    "UF_WHEEL_BITS=3": "uf_pump_init(&pump, NULL)",
    "UF_WHEEL_BITS=0": "uf_pump_init(&pump, NULL)",
    "UF_JOB_PAYLOAD=64": "uf_submit(NULL, NULL, NULL, NULL, 0), 0",
    "UF_NO_FLOAT": "uf_flow_fail(NULL, \"%s\", *argv)",
}


def main():
    compiler, include, library, work = sys.argv[1:]
    os.makedirs(work, exist_ok=True)
    source, wrong = os.path.join(work, "settings.c"), 0
    for setting, call in PROGRAMS.items():
        with open(source, "w", encoding="utf-8") as file:
            file.write(f'#include "uflow/generated.h"\n#include <stdlib.h>\nint main(int argc, char **argv)\n'
                       f"{{\n    static uf_pump pump;\n    (void)argv, (void)&pump;\n"
                       f"    return argc > 9 ? {call} : 0;\n}}\n")
        done = subprocess.run([compiler, "-std=c11", f"-D{setting}", f"-I{include}", source, library, "-pthread", "-o",
                               os.path.join(work, "settings")], capture_output=True, text=True)
        if done.returncode and f"with_{setting.replace('=', '_')}" in done.stderr: continue
        wrong += 1
        print(f"-D{setting}, against a library without: status {done.returncode}\n{done.stderr}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
