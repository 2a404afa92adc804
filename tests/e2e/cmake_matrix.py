#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""When the rules of add_uflow() and target_uflow_sources() run ufc, and which ufc: for every generator, with and
without unity builds.

One project stands for the layouts of users: spaces in the paths, two files of one name, imports, and a sibling
directory that includes the headers and is compiled before the one that makes them.
"""
import itertools
import os
import shutil
import stat
import unittest

from cmake_project import (CELL_MAIN, CMAKE, EFFORT, FIND,
                           FOREIGN, HEAD, MATRIX_GENERATORS, Installed, for_each_generator)
from e2e import AXIS, GOOD, UFC, USES_AXIS, have, main

CLEAN_BUILDS = 15 if EFFORT == "nightly" else 1
FLOWS = ["door.uflow", "sub/door.uflow", "the cell.uflow", "axis.uflow"]
USES_MAIN = CELL_MAIN.replace('#include "cell.h"', '#include "door.h"\n#include "sub/door.h"\n#include "the cell.h"')
OUTPUTS = "build/flows/flows.uflow/"


class Cell(Installed):
    """One cell of the matrix."""
    def write_project(self):
        self.write("my machine/CMakeLists.txt", FIND + 'add_subdirectory(uses)\nadd_subdirectory("the flows" flows)\n')
        self.write("my machine/uses/CMakeLists.txt",
                   "add_executable(uses main.c other.c)\ntarget_link_libraries(uses flows)\n")
        self.write("my machine/uses/main.c", USES_MAIN)
        self.write("my machine/uses/other.c", '#include "sub/door.h"\nint other(const Gate *g);\n'
                   "int other(const Gate *g) { return g->pushes; }\n")
        self.write_list(*FLOWS)
        self.write_flow("door.uflow", GOOD)
        self.write_flow("sub/door.uflow", GOOD.replace("Door", "Gate"))
        self.write_flow("the cell.uflow", USES_AXIS)
        self.write_flow("axis.uflow", AXIS)

    def write_list(self, *flows):
        names = " ".join(f'"{name}"' for name in flows)
        self.write_flow("CMakeLists.txt", f"add_uflow(flows SOURCES {names} OPTIONS -Werror)\n")

    def write_flow(self, name, text):
        if os.path.exists(self.path("build")):
            self.wait_for_the_clock("build")
        self.write("my machine/the flows/" + name, text)

    def expect(self, runs, *arguments, settled=True, then_run=True):
        self.build(*arguments)
        self.assertEqual(self.runs(), runs)
        if settled:
            self.build(*arguments)
            self.assertEqual(self.runs(), 0)
        if then_run:
            self.must(self.program)

    def start(self, generator, unity):
        several = "Multi-Config" in generator
        self.program = "build/uses/Debug/uses" if several else "build/uses/uses"
        self.write_project()
        self.configure(generator, f"-DCMAKE_UNITY_BUILD={unity}", source="my machine")
        self.runs()

    def check_imports(self):
        self.write_flow("axis.uflow", AXIS)  # the same text again: its importer also depends on it
        self.expect(2)
        self.write_flow("axis.uflow", AXIS.replace("Axis {", "Axis {\n    int turns = 0;\n    int more;").replace(
            "done;", "flow->turns += ++flow->more; done;"))
        self.expect(2)
        self.assertIn(b"turns", self.read(OUTPUTS + "axis.h"))
        os.rename(self.path("my machine/the flows/axis.uflow"), self.path("my machine/the flows/shaft.uflow"))
        self.write_flow("the cell.uflow", USES_AXIS.replace("axis.uflow", "shaft.uflow"))
        self.write_list(*FLOWS[:-1], "shaft.uflow")
        self.build()
        self.runs()
        self.expect(0)

    def check_deleted_outputs(self):
        for name in ("sub/door.h", "door.c"):
            os.remove(self.path(OUTPUTS + name))
            self.expect(1)
            self.assertTrue(os.path.exists(self.path(OUTPUTS + name)))

    def check_failing_input(self):
        old = [self.read(OUTPUTS + name) for name in ("door.c", "door.h")]
        self.write_flow("door.uflow", GOOD.replace("next Push;", "next Nowhere;"))
        for _ in range(2):
            result = self.run_in_folder(CMAKE, "--build", "build")
            self.assertNotEqual(result.status, 0)
            self.assertIn(b"door.uflow:10:", result.out + result.err)
            self.assertEqual([self.read(OUTPUTS + name) for name in ("door.c", "door.h")], old)
        self.runs()
        self.write_flow("door.uflow", GOOD)
        self.expect(1)

    def check_another_ufc(self):
        self.write_flow("../../count ufc", self.read("count ufc"))
        os.chmod(self.script, stat.S_IRWXU)
        self.expect(4)

    def check_clean_builds(self):
        for _ in range(CLEAN_BUILDS):
            self.build("--target", "clean")
            shutil.rmtree(self.path(OUTPUTS + "sub"))
            self.build("-j16")
            self.must(self.program)
            self.assertEqual(self.runs(), 4)

    def check_codegen(self):
        """The target for editors generates, and compiles nothing."""
        self.build("--target", "clean")
        self.build("--target", "uflow_codegen")
        self.assertEqual(self.runs(), 4)
        self.assertTrue(os.path.exists(self.path(OUTPUTS + "the cell.h")))
        self.assertFalse(os.path.exists(self.path(self.program)))

    def check_all(self, generator, unity):
        self.start(generator, unity)
        # Ninja runs the rules of files that were made at configure time, since its log does not know them. It learns
        # their imports from that, and may run some of them again if an import is newer.
        self.build("-j16")
        self.build()
        self.runs()
        self.expect(0)
        self.check_imports()
        self.check_deleted_outputs()
        self.check_failing_input()
        self.check_another_ufc()
        self.check_clean_builds()
        if "Multi-Config" in generator:
            self.expect(0, "--config", "Release")
            self.must("build/uses/Release/uses")
        self.check_codegen()


def add_cell(generator, unity):
    name = f"test_{generator.replace(' ', '_').replace('-', '_')}_unity_{unity}".lower()
    setattr(Cell, name, lambda self: self.check_all(generator, unity))


CELLS = list(itertools.product(MATRIX_GENERATORS, ("OFF", "ON")))
for cell in CELLS if EFFORT == "nightly" else CELLS[:1]:
    add_cell(*cell)


class Seeding(Installed):
    """Files that appear when CMake configures."""
    def test_before_the_first_build(self):
        self.write("a.uflow")
        self.write("bad.uflow", "flow {\n")
        self.write("CMakeLists.txt", FIND + "add_uflow(a SOURCES a.uflow)\nadd_uflow(b SOURCES bad.uflow)\n")
        self.configure(MATRIX_GENERATORS[0])
        self.assertEqual([name for name in self.files() if ".uflow/" in name],
                         ["build/a.uflow/a.c", "build/a.uflow/a.c.d", "build/a.uflow/a.h"])
        self.runs()
        self.configure(MATRIX_GENERATORS[0])
        self.assertEqual(self.runs(), 1)  # the bad one again

    @unittest.skipUnless(have("clangd"), "needs clangd")
    def test_clangd_is_quiet(self):
        self.write("a.uflow")
        main_c = self.write("main.c", '#include "a.h"\nint main(void) { Door d; return sizeof d == 0; }\n')
        self.write("CMakeLists.txt", FIND + "add_executable(a main.c)\ntarget_uflow_sources(a PRIVATE a.uflow)\n")
        self.configure(MATRIX_GENERATORS[0], "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        self.must("clangd", "--compile-commands-dir=" + self.path("build"), "--check=" + main_c)


class Places(Installed):
    """OUT_DIR, and several calls for one target."""
    @for_each_generator
    def test_out_dir(self, generator):
        self.write("a.uflow")
        self.write("sub/b.uflow", AXIS)
        self.write("main.c", '#include "a.h"\n#include "sub/b.h"\nint main(void) { Door d; Axis a; '
                   "return sizeof d + sizeof a == 0; }\n")
        self.write("CMakeLists.txt", FIND + "add_executable(main main.c)\n"
                   "target_uflow_sources(main PRIVATE a.uflow OUT_DIR made)\n"
                   "target_uflow_sources(main PRIVATE sub/b.uflow OUT_DIR ${CMAKE_CURRENT_SOURCE_DIR}/kept)\n")
        self.configure(generator)
        self.build()
        self.must("build/main")
        self.assertTrue(os.path.exists(self.path("build/made/a.h")))
        self.assertTrue(os.path.exists(self.path("kept/sub/b.h")))
        self.build("--target", "clean")
        self.runs()
        self.build("--target", "main_uflow")
        self.assertEqual(self.runs(), 2)

    @for_each_generator
    def test_options_of_a_configuration(self, generator):
        self.write("a.uflow", GOOD.replace("{", "{ int unused;", 1))
        self.write("CMakeLists.txt", FIND + "add_uflow(a SOURCES a.uflow OPTIONS $<$<CONFIG:Release>:-Werror>)\n")
        self.configure(generator)
        self.build()
        self.configure(generator, "-DCMAKE_BUILD_TYPE=Release")
        result = self.run_in_folder(CMAKE, "--build", "build")
        self.assertIn(b"a.uflow:1:17: error:", result.out + result.err)

    def test_early_pass(self):
        """ESP-IDF runs the lists as a script first, in which there are no targets."""
        self.write("early.cmake", f'set(CMAKE_BUILD_EARLY_EXPANSION 1)\ninclude("{self.prefix}/lib/cmake/uflow/'
                   'uflow.cmake")\nadd_uflow(a SOURCES a.uflow)\ntarget_uflow_sources(a PRIVATE b.uflow)\n')
        self.must(CMAKE, "-P", "early.cmake")


class Precedence(Installed):
    """Which ufc runs: each step of the search is shadowed by the one before."""
    def ufc_named(self, place):
        """A ufc that says its name in the C file's neighbour, and its directory."""
        path = self.write(place + "/bin/ufc", f'#!/bin/sh\necho {place} >> "{self.path("ran")}"\nexec "{UFC}" "$@"\n')
        os.chmod(path, stat.S_IRWXU)
        return self.path(place)

    def ran(self, *options, env=None, **more):
        shutil.rmtree(self.path("build"), ignore_errors=True)
        self.script = ""
        self.write("ran", "")
        self.configure(MATRIX_GENERATORS[0], *options, env={**os.environ, **(env or {})}, **more)
        self.build("--target", "a_uflow")
        return set(self.read("ran").decode().split()) or {"other"}

    def test_installed(self):
        """Without the sources."""
        self.write("a.uflow")
        self.write("CMakeLists.txt", FIND + "add_uflow(a OBJECT SOURCES a.uflow)\n")
        named, host, path = (self.ufc_named(name) for name in ("named", "host", "path"))
        in_path = {"PATH": path + "/bin:" + os.environ["PATH"]}
        self.assertEqual(self.ran(f"-DUFLOW_UFC={named}/bin/ufc", f"-DUFLOW_HOST_PATH={host}", env=in_path), {"named"})
        self.assertEqual(self.ran(f"-DUFLOW_HOST_PATH={host}", env=in_path), {"host"})
        self.assertEqual(self.ran(env=in_path), {"other"})  # that of the package
        if have("arm-none-eabi-gcc"):
            self.write("CMakeLists.txt", FIND.replace("find_", "set(CMAKE_SIZEOF_VOID_P 8)\nfind_")
                       + "add_uflow(a OBJECT SOURCES a.uflow)\n")  # any package of a runtime will do
            self.assertEqual(self.ran(*FOREIGN, env=in_path), {"path"})  # not the package's, for another machine

    def test_missing(self):
        self.write("a.uflow")
        self.write("CMakeLists.txt", HEAD + "add_uflow(a OBJECT SOURCES a.uflow)\n")
        for option in ("-DUFLOW_UFC=" + self.path("nowhere"), "-DUFLOW_HOST_PATH=" + self.path("nowhere")):
            said = self.configure(MATRIX_GENERATORS[0], "-UUFLOW_UFC", option, status=1)
            self.assertIn("there is no ufc that runs on this machine", said)
            self.assertIn(self.path("nowhere"), said)

    @unittest.skipUnless(have("arm-none-eabi-gcc"), "needs arm-none-eabi-gcc")
    def test_host_build(self):
        """With the sources, a build for another machine makes its own ufc, whatever the environment says."""
        self.write("a.uflow")
        self.write("CMakeLists.txt", HEAD + "add_uflow(a OBJECT SOURCES a.uflow)\n")
        hostile = {"CC": "arm-none-eabi-gcc", "CFLAGS": "-mcpu=cortex-m3 -mthumb", "LDFLAGS": "-nostdlib",
                   "CPPFLAGS": "-DNDEBUG=nonsense(", "C_INCLUDE_PATH": self.folder, "CMAKE_GENERATOR": "Nonsense",
                   "PATH": self.ufc_named("path") + "/bin:" + os.environ["PATH"]}
        self.script = ""
        for generator in MATRIX_GENERATORS if EFFORT == "nightly" else MATRIX_GENERATORS[-1:]:
            with self.subTest(generator=generator):
                shutil.rmtree(self.path("build"), ignore_errors=True)
                self.write("ran", "")
                env = {**os.environ, **hostile}
                self.configure(generator, *FOREIGN, env=env)
                self.build(env=env, timeout=600)
                self.assertEqual(self.read("ran"), b"")
                self.assertTrue(os.path.exists(self.path("build/uflow/host/bin/ufc")))
                self.assertNotIn(b" ufc a.uflow", self.build(env=env).out)
                os.utime(self.path("build/uflow/host/bin/ufc"))
                self.assertIn(b" ufc a.uflow", self.build(env=env).out)

    @for_each_generator
    def test_ufc_of_the_build(self, generator):
        """Without UFLOW_UFC, the project builds ufc, and a change of ufc regenerates everything."""
        self.write("a.uflow")
        self.write("CMakeLists.txt", HEAD + "add_uflow(a OBJECT SOURCES a.uflow)\n")
        self.script = ""
        if generator != MATRIX_GENERATORS[0] and EFFORT != "nightly":
            return
        self.configure(generator)
        self.build("--target", "a", timeout=600)
        self.assertNotIn(b" ufc a.uflow", self.build("--target", "a").out)
        self.wait_for_the_clock("build")
        os.utime(self.path("build/uflow/bin/ufc"))
        self.assertIn(b" ufc a.uflow", self.build("--target", "a").out)
        self.assertNotIn(b" ufc a.uflow", self.build("--target", "a").out)


if __name__ == "__main__":
    main()
