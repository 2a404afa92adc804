# SPDX-License-Identifier: MIT
"""Common parts of the tests of the CMake functions: projects in a directory of their own, and a ufc that counts its
runs."""
import functools
import os
import shutil
import stat
import subprocess
import tempfile
import time
import unittest

from e2e import CC, EFFORT, UFC, Case, have

CMAKE = os.environ.get("UFLOW_CMAKE", "cmake")  # to try another version
BUILD = os.environ.get("UFLOW_BUILD")
GENERATORS = [name for name, program in (("Ninja", "ninja"), ("Unix Makefiles", "make")) if have(program)]
MATRIX_GENERATORS = [name for name in ("Ninja", "Ninja Multi-Config", "Unix Makefiles") if name.split()[0] in
                     [generator.split()[0] for generator in GENERATORS]]
if EFFORT != "nightly":
    GENERATORS = GENERATORS[:1]
HEAD = """\
cmake_minimum_required(VERSION 3.20)
project(machine C)
add_subdirectory("$ENV{UFLOW_ROOT}" uflow EXCLUDE_FROM_ALL)
"""
FIND = "cmake_minimum_required(VERSION 3.20)\nproject(machine C)\nfind_package(uflow 0.1 REQUIRED)\n"
CELL_MAIN = """\
#include "cell.h"
int main(void)
{
    static uf_pump pump;
    static Cell cell;
    if (uf_pump_init(&pump, NULL) != UF_OK || Cell_init(&cell, &pump, "cell") != UF_OK) return 1;
    if (Cell_start_Run(&cell) != UF_OK) return 1;
    return uf_simulate_until_idle(&pump, UF_S(1)) != UF_OK || uf_flow_outcome(&cell.uf) != UF_DONE;
}
"""
FOREIGN = ["-DCMAKE_SYSTEM_NAME=Generic", "-DCMAKE_SYSTEM_PROCESSOR=arm",
           "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY", "-DCMAKE_C_FLAGS=-mcpu=cortex-m3 -mthumb",
           "-UCMAKE_C_COMPILER", "-DCMAKE_C_COMPILER=arm-none-eabi-gcc"]


class Project(Case):
    def setUp(self):
        super().setUp()
        self.script = self.write("count ufc", f'#!/bin/sh\necho run >> "{self.path("runs")}"\nexec "{UFC}" "$@"\n')
        os.chmod(self.script, stat.S_IRWXU)

    def runs(self):
        """The number of runs of ufc since the last call."""
        try:
            count = self.read("runs").count(b"run")
            os.remove(self.path("runs"))
            return count
        except FileNotFoundError:
            return 0

    prefix = ""  # where uflow is installed

    def configure(self, generator, *options, source=".", build="build", status=0, **more):
        result = self.run_in_folder(CMAKE, "-S", source, "-B", build, "-G", generator,
                                    f"-DCMAKE_C_COMPILER={CC}", f"-DUFLOW_UFC={self.script}",
                                    f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_BUILD_TYPE=Debug", *options, **more)
        self.assertEqual(result.status != 0, status != 0, result)
        return " ".join(result.err.decode().split())

    def build(self, *arguments, build="build", **options):
        return self.must(CMAKE, "--build", build, "-j8", *arguments, **options)

    def wait_for_the_clock(self, name):
        """Make compares times: the new file must be newer than the outputs."""
        newest = max(os.stat(os.path.join(d, f)).st_mtime_ns for d, _, files in os.walk(self.path(name)) for f in files)
        while True:
            self.write("clock", "")
            if os.stat(self.path("clock")).st_mtime_ns > newest:
                return
            time.sleep(0.001)

    def edit(self, name, text, build="build"):
        self.wait_for_the_clock(build)
        self.write(name, text)


def for_each_generator(test):
    @functools.wraps(test)
    def tests(self):
        for generator in GENERATORS:
            with self.subTest(generator=generator):
                self.runs()
                shutil.rmtree(self.path("build"), ignore_errors=True)
                test(self, generator)
    return tests


@unittest.skipUnless(BUILD, "UFLOW_BUILD says which build is to be installed")
class Installed(Project):
    """Without the sources: uses the files that `cmake --install` wrote below a prefix, which is then moved."""
    @classmethod
    def setUpClass(cls):
        folder = tempfile.mkdtemp(prefix="uflow-")
        cls.addClassCleanup(shutil.rmtree, folder, True)
        made, cls.prefix = os.path.join(folder, "made"), os.path.join(folder, "pre fix")
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", made], check=True, stdout=subprocess.DEVNULL)
        os.rename(made, cls.prefix)
