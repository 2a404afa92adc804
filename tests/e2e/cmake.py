#!/usr/bin/env python3
"""target_uflow_sources() and add_uflow() in projects of their own, with Ninja and with Make: what they generate and
when,
and what they refuse.

UFLOW_UFC names a script that counts the runs of ufc. So only one test builds ufc itself.
"""
import functools
import os
import shutil
import stat
import time
import unittest

from e2e import AXIS, CC, CFLAGS, GOOD, ROOT, UFC, USES_AXIS, Case, have, main

GENERATORS = [name for name, program in (("Ninja", "ninja"), ("Unix Makefiles", "make")) if have(program)]
BUILD = os.environ.get("UFLOW_BUILD")
HEAD = """\
cmake_minimum_required(VERSION 3.20)
project(machine C)
add_subdirectory("$ENV{UFLOW_ROOT}" uflow EXCLUDE_FROM_ALL)
"""
USE_DOOR = '#include "%s"\nint main(void) { return Door_type.uf_abi == 0; }\n'
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
# The same on the runtime's own thread, as a function, and programs that call it.
CELL_RUN = """\
#include "cell.h"
#include "uflow/runtime.h"
int cell_run(void);
int cell_run(void)
{
    static Cell cell;
    uf_runtime *runtime;
    uf_call_info end;
    if (uf_runtime_new(&runtime, NULL) != UF_OK) return 1;
    if (Cell_init(&cell, uf_runtime_pump(runtime), "cell") != UF_OK) return 1;
    if (Cell_call_Run(&cell, UF_S(60), &end) != UF_OK || uf_runtime_stop(runtime, UF_S(60), NULL) != UF_OK) return 2;
    return uf_runtime_free(runtime) == UF_OK ? 0 : 3;
}
"""
CALL_CELL = "int cell_run(void);\nint main(void) { return cell_run(); }\n"
LOAD_CELL = """\
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    union { void *symbol; int (*run)(void); } cell;
    void *const plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!plugin) return printf("%s\\n", dlerror()), 4;
    cell.symbol = dlsym(plugin, "cell_run");
    return cell.symbol ? cell.run() : 5;
}
"""
# A library that may become part of a shared library. `flows` is the target made of the .uflow files.
SHARED_LINES = """
add_uflow(flows_shared SHARED SOURCES cell.uflow axis.uflow)
add_executable(by_hand main.c)
target_link_libraries(by_hand PRIVATE flows_shared)
add_executable(hosted run.c call.c)
target_link_libraries(hosted PRIVATE flows_shared)

add_library(own SHARED run.c)
target_uflow_sources(own PRIVATE cell.uflow axis.uflow)
add_executable(in_own call.c)
target_link_libraries(in_own PRIVATE own)

foreach(kind IN ITEMS STATIC OBJECT)
    add_uflow(flows_${kind} ${kind} SOURCES cell.uflow axis.uflow)
    set_property(TARGET flows_${kind} PROPERTY POSITION_INDEPENDENT_CODE ON)
    add_library(around_${kind} SHARED run.c)
    target_link_libraries(around_${kind} PRIVATE flows_${kind})
    add_executable(in_${kind} call.c)
    target_link_libraries(in_${kind} PRIVATE around_${kind})
endforeach()

add_uflow(plugin MODULE SOURCES cell.uflow axis.uflow)
target_sources(plugin PRIVATE run.c)
add_executable(load load.c)
target_link_libraries(load PRIVATE ${CMAKE_DL_LIBS})
add_custom_target(run_all ALL
    COMMAND by_hand COMMAND hosted COMMAND in_own COMMAND in_STATIC COMMAND in_OBJECT COMMAND load
    $<TARGET_FILE:plugin>)
add_dependencies(run_all by_hand hosted in_own in_STATIC in_OBJECT load plugin)
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

    def configure(self, generator, *options, source=".", build="build", status=0):
        result = self.run_in_folder("cmake", "-S", source, "-B", build, "-G", generator,
                                    f"-DCMAKE_C_COMPILER={CC}", f"-DUFLOW_UFC={self.script}",
                                    "-DCMAKE_BUILD_TYPE=Debug",
                                    *options)
        self.assertEqual(result.status != 0, status != 0, result)
        return " ".join(result.err.decode().split())

    def build(self, *arguments, build="build", **options):
        return self.must("cmake", "--build", build, "-j8", *arguments, **options)

    def wait_for_the_clock(self, name):
        """Make compares times: the new file must be newer than the outputs."""
        newest = max(os.stat(os.path.join(d, f)).st_mtime_ns for d, _, files in os.walk(self.path(name)) for f in files)
        while True:
            self.write("clock", "")
            if os.stat(self.path("clock")).st_mtime_ns > newest:
                return
            time.sleep(0.001)

    def write_cell_and_its_users(self):
        for name, text in (("axis.uflow", AXIS), ("cell.uflow", USES_AXIS), ("main.c", CELL_MAIN), ("run.c", CELL_RUN),
                           ("call.c", CALL_CELL), ("load.c", LOAD_CELL)):
            self.write(name, text)

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


class Rebuilding(Project):
    def cell(self):
        self.write("CMakeLists.txt", HEAD + "add_executable(machine main.c)\n"
                   "target_uflow_sources(machine PRIVATE cell.uflow axis.uflow)\n")
        self.write("main.c", CELL_MAIN)
        self.write("cell.uflow", USES_AXIS)
        self.write("axis.uflow", AXIS)

    @for_each_generator
    def test_what_runs_when(self, generator):
        self.cell()
        self.configure(generator)
        self.build()
        self.assertEqual(self.runs(), 2)
        self.must("build/machine")
        for _ in range(3):
            self.build()
            self.assertEqual(self.runs(), 0)

        self.edit("axis.uflow", AXIS)  # the same text again: its importer also depends on it
        self.build()
        self.assertEqual(self.runs(), 2)
        self.build()
        self.assertEqual(self.runs(), 0)

        self.edit("cell.uflow", USES_AXIS + "\n")
        self.build()
        self.assertEqual(self.runs(), 1)
        self.build()
        self.assertEqual(self.runs(), 0)

        os.remove(self.path("build/machine.uflow/cell.h"))
        self.build()
        self.assertGreater(self.runs(), 0)
        self.build()
        self.assertEqual(self.runs(), 0)

        self.edit("count ufc", self.read("count ufc"))  # another ufc
        os.chmod(self.script, stat.S_IRWXU)
        self.build()
        self.assertEqual(self.runs(), 2)
        self.must("build/machine")

    @for_each_generator
    def test_import_renamed(self, generator):
        self.cell()
        self.configure(generator)
        self.build()
        self.wait_for_the_clock("build")
        os.rename(self.path("axis.uflow"), self.path("shaft.uflow"))
        self.edit("cell.uflow", USES_AXIS.replace("axis.uflow", "shaft.uflow"))
        self.write("CMakeLists.txt", self.read("CMakeLists.txt").replace(b"axis.uflow", b"shaft.uflow"))
        self.build()
        self.must("build/machine")
        self.runs()
        self.build()
        self.assertEqual(self.runs(), 0)
        os.remove(self.path("shaft.uflow"))

    @for_each_generator
    def test_failing_input_keeps_the_old_output(self, generator):
        self.cell()
        self.configure(generator)
        self.build()
        old = self.read("build/machine.uflow/axis.c")
        self.edit("axis.uflow", AXIS.replace("done;", "next Nowhere;"))
        for _ in range(2):
            result = self.run_in_folder("cmake", "--build", "build")
            self.assertNotEqual(result.status, 0)
            self.assertIn(b"axis.uflow:2:", result.out + result.err)
            self.assertEqual(self.read("build/machine.uflow/axis.c"), old)
        self.edit("axis.uflow", AXIS)
        self.build()
        self.must("build/machine")

    @for_each_generator
    def test_ufc_itself(self, generator):
        """Without UFLOW_UFC, the project builds ufc, and a change of ufc regenerates everything."""
        self.cell()
        self.script = ""
        self.configure(generator)
        self.build("--target", "machine")
        self.must("build/machine")
        self.assertNotIn(b" ufc cell.uflow", self.build("--target", "machine").out)
        self.wait_for_the_clock("build")
        os.utime(self.path("build/uflow/bin/ufc"))
        self.assertIn(b" ufc cell.uflow", self.build("--target", "machine").out)
        self.assertNotIn(b" ufc cell.uflow", self.build("--target", "machine").out)


class Layouts(Project):
    @for_each_generator
    def test_libraries(self, generator):
        """Targets of every kind, used from a sibling directory that is compiled at the same time, with and without a
        unity build."""
        self.write("doors/door.uflow", GOOD)
        self.write("doors/sub/door.uflow", GOOD.replace("Door", "Gate"))
        self.write("doors/doors_hal.h", "#define HAL 1\n")
        self.write("doors/CMakeLists.txt", "".join(
            f"add_uflow(doors_{kind.lower()} {kind} SOURCES door.uflow sub/door.uflow OPTIONS -Werror LINK m)\n"
                for kind in ("STATIC", "OBJECT", "SHARED"))
            + "add_uflow(doors_plain SOURCES door.uflow BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/..)\n")
        uses = '#include "door.h"\n#include "sub/door.h"\nint main(void) { return Door_type.name == Gate_type.name; }\n'
        self.write("uses/uses.c", uses)
        self.write("uses/plain.c", '#include "doors/door.h"\nint main(void) { Door d; return sizeof d == 0; }\n')
        self.write("uses/CMakeLists.txt", "".join(
            f"add_executable(uses_{kind} uses.c)\ntarget_link_libraries(uses_{kind} PRIVATE doors_{kind})\n"
                for kind in ("static", "object", "shared"))
            + "add_executable(uses_plain plain.c)\ntarget_link_libraries(uses_plain doors_plain)\n")
        self.write("CMakeLists.txt", HEAD + "add_subdirectory(uses)\nadd_subdirectory(doors)\n")
        for unity in ("OFF", "ON"):
            self.configure(generator, f"-DCMAKE_UNITY_BUILD={unity}")
            for _ in range(2):
                self.build("-j16")
                for kind in ("static", "object", "shared", "plain"):
                    self.must(f"build/uses/uses_{kind}")
                self.assertEqual(self.runs(), 7)
                self.build()
                self.assertEqual(self.runs(), 0)
                self.build("--target", "clean")
            shutil.rmtree(self.path("build"))

    @for_each_generator
    def test_in_shared_libraries(self, generator):
        """Also with BUILD_SHARED_LIBS."""
        self.write_cell_and_its_users()
        self.write("CMakeLists.txt", HEAD + SHARED_LINES)
        for shared in ("OFF", "ON"):
            self.configure(generator, f"-DBUILD_SHARED_LIBS={shared}", "-DCMAKE_C_FLAGS=" + " ".join(CFLAGS))
            self.build()
            shutil.rmtree(self.path("build"))

    def test_codegen_target(self):
        self.write("a.uflow")
        self.write("CMakeLists.txt", HEAD + "add_uflow(a SOURCES a.uflow)\n")
        self.configure(GENERATORS[0])
        self.build("--target", "a_uflow")
        self.assertTrue(os.path.exists(self.path("build/a.uflow/a.c")))
        self.assertFalse(os.path.exists(self.path("build/liba.a")))

    @for_each_generator
    def test_spaces(self, generator):
        self.write("my machine/axis.uflow", AXIS)
        self.write("my machine/flows/the cell.uflow", USES_AXIS)
        self.write("my machine/main.c", CELL_MAIN.replace("cell.h", "flows/the cell.h"))
        self.write("my machine/CMakeLists.txt", HEAD
                   + "add_executable(machine main.c)\ntarget_link_libraries(machine m)\n"
                   'target_uflow_sources(machine PRIVATE "flows/the cell.uflow" axis.uflow IMPORT_DIRS .)\n')
        self.configure(generator, source="my machine", build="build")
        self.build()
        self.must("build/machine")
        self.runs()
        self.build()
        self.assertEqual(self.runs(), 0)
        self.edit("my machine/axis.uflow", AXIS)
        self.build()
        self.assertEqual(self.runs(), 2)

    @unittest.skipUnless(have("ninja"), "needs Ninja")
    def test_several_configurations(self):
        self.write("a.uflow")
        self.write("main.c", '#include "a.h"\nint main(void) { Door d; return sizeof d == 0; }\n')
        self.write("CMakeLists.txt", HEAD + "add_executable(main main.c)\ntarget_uflow_sources(main PRIVATE a.uflow)\n")
        self.configure("Ninja Multi-Config")
        for configuration in ("Debug", "Release", "Debug"):
            self.build("--config", configuration)
            self.must(f"build/{configuration}/main")
        self.assertEqual(self.runs(), 1)

    @unittest.skipUnless(have("arm-none-eabi-gcc"), "needs arm-none-eabi-gcc")
    @for_each_generator
    def test_foreign_target(self, generator):
        """Cross-compiling: the target machine cannot run ufc, so the project names a ufc of this machine."""
        self.write("a.uflow")
        self.write("CMakeLists.txt", HEAD + "add_uflow(a OBJECT SOURCES a.uflow)\n")
        self.script, script = self.path("nowhere"), self.script
        self.assertIn("there is no ufc that runs on this machine", self.configure(generator, *FOREIGN, status=1))
        self.script = script
        shutil.rmtree(self.path("build"))
        self.configure(generator, *FOREIGN)
        self.build()
        self.assertEqual(self.runs(), 1)
        self.assertFalse(os.path.exists(self.path("build/uflow/generator")))

    def test_public(self):
        self.write("a.uflow")
        self.write("empty.c", "typedef int nothing;\n")
        self.write("main.c", '#include "a.h"\nint main(void) { Door d; return sizeof d == 0; }\n')
        self.write("CMakeLists.txt", HEAD + "add_library(a STATIC empty.c)\ntarget_uflow_sources(a PUBLIC a.uflow)\n"
                   "add_executable(main main.c)\ntarget_link_libraries(main a)\n")
        self.configure(GENERATORS[0])
        self.build()
        self.must("build/main")

    def test_settings_do_not_leak(self):
        """The warnings and directories of this project are its own."""
        self.write("a.uflow")
        self.write("main.c", "int main() { int unused; return (char)1000 - (char)1000; }\n")
        self.write("CMakeLists.txt", HEAD + "add_executable(main main.c)\ntarget_uflow_sources(main PRIVATE a.uflow)\n"
                   "target_compile_options(main PRIVATE -Werror)\n")
        self.configure(GENERATORS[0])
        self.build()
        self.assertTrue(os.path.exists(self.path("build/main")))


@unittest.skipUnless(BUILD, "UFLOW_BUILD says which build is to be installed")
class Installed(Project):
    """Without the sources: uses the files that `cmake --install` wrote below a prefix, which is then moved."""
    FIND = "cmake_minimum_required(VERSION 3.20)\nproject(machine C)\nfind_package(uflow 0.1 REQUIRED)\n"

    def setUp(self):
        super().setUp()
        self.must("cmake", "--install", BUILD, "--prefix", self.path("made"))
        os.rename(self.path("made"), self.path("prefix"))
        self.write_cell_and_its_users()

    def test_find_package_in_shared_libraries(self):
        self.write("CMakeLists.txt", self.FIND + SHARED_LINES)
        for shared in ("OFF", "ON"):
            build = "shared_" + shared
            self.configure(GENERATORS[0], "-DCMAKE_PREFIX_PATH=" + self.path("prefix"), "-UUFLOW_UFC",
                           f"-DBUILD_SHARED_LIBS={shared}", "-DCMAKE_C_FLAGS=" + " ".join(CFLAGS), build=build)
            self.build(build=build)

    def test_find_package(self):
        self.write("CMakeLists.txt", self.FIND + "add_executable(machine main.c)\n"
                   "target_uflow_sources(machine PRIVATE cell.uflow axis.uflow)\n")
        for generator in GENERATORS:
            with self.subTest(generator=generator):
                self.configure(generator, "-DCMAKE_PREFIX_PATH=" + self.path("prefix"), "-UUFLOW_UFC",
                               "-DCMAKE_C_FLAGS=" + " ".join(CFLAGS), build=generator)
                self.build(build=generator)
                self.must(f"{generator}/machine")

    @unittest.skipUnless(have("arm-none-eabi-gcc"), "needs arm-none-eabi-gcc")
    def test_for_another_machine(self):
        """The runtime is built from source, with the installed ufc."""
        self.write("CMakeLists.txt", HEAD + "add_uflow(a OBJECT SOURCES axis.uflow)\n")
        self.configure(GENERATORS[0], "-UUFLOW_UFC", "-DUFLOW_HOST_PATH=" + self.path("prefix"), *FOREIGN)
        self.build()

    def test_it_is_not_installed_with_those_who_use_it(self):
        self.write("CMakeLists.txt", HEAD)
        self.configure(GENERATORS[0])
        self.must("cmake", "--install", "build", "--prefix", self.path("empty"))
        self.assertFalse(os.path.exists(self.path("empty")))

    @unittest.skipUnless(have("pkg-config"), "needs pkg-config")
    def test_pkg_config(self):
        found = os.path.join(self.path("prefix"), "lib/pkgconfig")
        def ask(*questions):
            return self.must("pkg-config", *questions, "uflow",
                             env={**os.environ, "PKG_CONFIG_PATH": found}).out.decode().split()
        for name in ("axis", "cell"):
            self.must(*ask("--variable=ufc"), name + ".uflow", "-o", name + ".c")
        self.must(CC, *CFLAGS, "main.c", "axis.c", "cell.c", *ask("--cflags", "--libs"), "-o", "machine")
        self.must("./machine")


class Types(Project):
    def test_wrong_arguments_are_errors(self):
        self.write("a.uflow",
                   "flow A {\n  task T(int n) { step S { if (self->n) done; fail; } }\n}\nflow B {\n  flow A a;\n"
                   '  task T { step S { await run A.T(&flow->a, "three") -> done; } }\n}\n')
        self.write("CMakeLists.txt", HEAD + "add_uflow(a SOURCES a.uflow)\n")
        self.configure(GENERATORS[0])
        said = self.run_in_folder("cmake", "--build", "build")
        self.assertNotEqual(said.status, 0)
        self.assertIn("a.uflow:6:", said.out.decode())


class Refusals(Project):
    def refused_project(self, lines, says):
        self.write("CMakeLists.txt", HEAD + lines)
        said = self.configure(GENERATORS[0], status=1)
        self.assertIn(says, said)
        shutil.rmtree(self.path("build"))

    def test_wrong_calls(self):
        self.write("a.uflow")
        self.write("sub/CMakeLists.txt", "target_uflow_sources(x PRIVATE ../a.uflow BASE_DIR ..)\n")
        self.write("x.c", "int x;\n")
        library = "add_library(x STATIC x.c)\n"
        for lines, says in (
                ("target_uflow_sources(x PRIVATE a.uflow)", "there is no such target"),
                (library + "target_uflow_sources(x a.uflow)", "PRIVATE or PUBLIC is missing"),
                (library + "target_uflow_sources(x PRIVATE)", "no .uflow file"),
                (library + "target_uflow_sources(x PRIVATE b.uflow)", "b.uflow does not exist"),
                (library + "target_uflow_sources(x PRIVATE x.c)", "is no .uflow file"),
                (library + "target_uflow_sources(x PRIVATE a.uflow a.uflow)", "is named twice"),
                (library + "target_uflow_sources(x PRIVATE a.uflow BASE_DIR sub)", "lies outside of"),
                (library + "target_uflow_sources(x PRIVATE a.uflow BASE_DIR nowhere)", "is not a directory"),
                (library + "add_subdirectory(sub)", "call it in the directory that creates the target"),
                (library + "add_uflow(x SOURCES a.uflow)", "there is a target of that name"),
                ("add_uflow(x a.uflow)", "SOURCES is missing"),
                ("add_uflow(x STATIC)", "there are no SOURCES")):
            with self.subTest(lines=lines):
                self.refused_project(lines + "\n", says)

    def test_no_ufc(self):
        self.script = self.path("nowhere/ufc")
        self.write("a.uflow")
        self.refused_project("add_uflow(x SOURCES a.uflow)\n", "there is no ufc that runs on this machine")


if __name__ == "__main__":
    main()
