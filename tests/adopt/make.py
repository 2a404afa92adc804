#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""uflow.mk with imports, beside each other, in a subdirectory and in a directory of -I: the first build makes every
header in time, whatever the order and the number of jobs; another build does nothing; after a change of an imported
file, of its size too, all that depends on it is made again, and nothing else; a deleted or renamed file is found.

make.py BUILD
"""
import os
import subprocess
import sys
import tempfile

MAIN = """\
#include <stdio.h>
#include "{at}cell.h"
unsigned cell_size(void);
int main(void)
{{
    if (cell_size() != sizeof(Cell)) puts("main.o and the flows differ");
    else printf("%d\\n", (int)sizeof(((Axis *)0)->places));
    return 0;
}}
"""
AXIS = """\
import "{motor}.uflow";
header {{ typedef char places[{places}]; }}
flow Axis {{
    places places = {{0}};
    flow Motor motor;
    task Move {{ step Go {{ await run Motor.Turn(&flow->motor) -> done; }} }}
}}
"""
MOTOR = "flow Motor { task Turn { step Go { done; } } }\n"
CELL = """\
import "axis.uflow";
source { unsigned cell_size(void); unsigned cell_size(void) { return sizeof(Cell); } }
flow Cell {
    flow Axis axis;
    task Run { step Go { await run Axis.Move(&flow->axis) -> done; } }
}
"""
ALONE = "flow Alone { task Run { step Go { done; } } }\n"


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file: file.write(text)


class Project:
    """Sources in the directory `at`, the most basic one in the directory `base`, which -I names."""

    def __init__(self, folder, environment, at, base, jobs, is_reversed):
        self.folder, self.environment, self.jobs, self.at, self.base = folder, environment, jobs, at, base
        self.is_reversed = is_reversed
        self.axis("motor", 8)
        write(folder, base + "motor.uflow", MOTOR)
        write(folder, at + "cell.uflow", CELL)
        write(folder, at + "alone.uflow", ALONE)
        write(folder, "main.c", MAIN.format(at=at))
        self.makefile("motor")

    def axis(self, motor, places):
        write(self.folder, self.at + "axis.uflow", AXIS.format(motor=motor, places=places))

    def makefile(self, motor):
        objects = ["main.o", *(self.at + name + ".o" for name in ("cell", "axis", "alone")), self.base + motor + ".o"]
        objects = " ".join(objects[::-1] if self.is_reversed else objects)
        options = f"UFCFLAGS = -I {self.base[:-1]}\nCPPFLAGS = -I{self.base[:-1]}\n" if self.base != self.at else ""
        write(self.folder, "Makefile", f"{options}include $(shell pkg-config --variable=makefile uflow)\n\n"
              f"machine: {objects}\n\t$(CC) $^ $(LDLIBS) -o $@\nmain.o: {self.at}cell.h\n")

    def make(self, ufc_runs, compilations, prints="8"):
        done = subprocess.run(["make", f"-j{self.jobs}"], cwd=self.folder, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, done.stdout
        ran = [line for line in done.stdout.splitlines() if "bin/ufc " in line]
        compiled = [line for line in done.stdout.splitlines() if " -c " in line]
        assert len(ran) == ufc_runs and len(compiled) in compilations, f"{ufc_runs}, {compilations}:\n{done.stdout}"
        printed = subprocess.run(["./machine"], cwd=self.folder, stdout=subprocess.PIPE, text=True, check=True).stdout
        assert printed == prints + "\n", printed

    def remove(self, *names):
        for name in names: os.remove(os.path.join(self.folder, name))

    def check(self):
        self.make(4, (5,))
        self.make(0, (0,))
        self.axis("motor", 16)
        self.make(2, (3,), "16")  # axis and cell, and main
        self.remove(self.at + "axis.h")
        self.make(2, (2, 3), "16")  # axis.c is touched, too: after its object was found to be new, or before
        self.make(0, (0, 1), "16")
        self.make(0, (0,), "16")
        self.remove(self.base + "motor.uflow", *(self.base + "motor" + end for end in (".c", ".h", ".o")))
        write(self.folder, self.base + "drive.uflow", MOTOR)
        self.axis("drive", 4)
        self.makefile("drive")
        self.make(3, (4,), "4")
        self.make(0, (0,), "4")


def main():
    with tempfile.TemporaryDirectory(prefix="uflow-") as folder:
        prefix = os.path.join(folder, "prefix")
        subprocess.run(["cmake", "--install", sys.argv[1], "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("CFLAGS", "CPPFLAGS", "LDFLAGS", "MAKEFLAGS", "MAKELEVEL", "UFC")}
        environment["PKG_CONFIG_PATH"] = os.path.join(prefix, "lib", "pkgconfig")
        count = 0
        for at, base in (("", ""), ("src/", "src/"), ("src/", "lib/"), ("deep/er/", "deep/er/")):
            for jobs, is_reversed in ((1, False), (8, True)):
                count += 1
                Project(os.path.join(folder, str(count)), environment, at, base, jobs, is_reversed).check()
    print(f"{count} projects")


if __name__ == "__main__":
    main()
