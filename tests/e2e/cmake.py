#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""target_uflow_sources() and add_uflow() in projects of their own, with Ninja and with Make: kinds of targets,
installed packages, and refused arguments. cmake_matrix.py tests when they run ufc.
"""
import os
import shlex
import shutil
import sys
import unittest

from cmake_project import CELL_MAIN, CMAKE, FIND, FOREIGN, GENERATORS, HEAD, Installed, Project, for_each_generator
from e2e import AXIS, CC, CFLAGS, GOOD, USES_AXIS, have, main

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


def write_cell_and_its_users(case):
    for name, text in (("axis.uflow", AXIS), ("cell.uflow", USES_AXIS), ("main.c", CELL_MAIN), ("run.c", CELL_RUN),
                       ("call.c", CALL_CELL), ("load.c", LOAD_CELL)):
        case.write(name, text)


class Kinds(Installed):
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
        self.write("CMakeLists.txt", FIND + "add_subdirectory(uses)\nadd_subdirectory(doors)\n")
        for unity in ("OFF", "ON"):
            self.configure(generator, f"-DCMAKE_UNITY_BUILD={unity}")
            self.build("--target", "clean")
            self.runs()
            self.build("-j16")
            for kind in ("static", "object", "shared", "plain"):
                self.must(f"build/uses/uses_{kind}")
            self.assertEqual(self.runs(), 7)
            shutil.rmtree(self.path("build"))

    def test_in_shared_libraries(self):
        write_cell_and_its_users(self)
        self.write("CMakeLists.txt", FIND + SHARED_LINES)
        for shared in ("OFF", "ON"):
            self.configure(GENERATORS[0], f"-DBUILD_SHARED_LIBS={shared}", "-DCMAKE_C_FLAGS=" + " ".join(CFLAGS))
            self.build()
            shutil.rmtree(self.path("build"))

    def test_public(self):
        self.write("a.uflow")
        self.write("empty.c", "typedef int nothing;\n")
        self.write("main.c", '#include "a.h"\nint main(void) { Door d; return sizeof d == 0; }\n')
        self.write("CMakeLists.txt", FIND + "add_library(a STATIC empty.c)\ntarget_uflow_sources(a PUBLIC a.uflow)\n"
                   "add_executable(main main.c)\ntarget_link_libraries(main a)\n")
        self.configure(GENERATORS[0])
        self.build()
        self.must("build/main")


class Headers(Installed):
    """What `#include` finds: headers of the system, generated ones, and those beside a .uflow file."""
    @for_each_generator
    def test_names_of_the_system(self, generator):
        """Generated headers do not hide <…>, in the target itself and in targets that link it."""
        for name in ("features", "signal", "string"):
            self.write(f"{name}.uflow", GOOD.replace("Door", name.capitalize()))
        uses = ('#include <features.h>\n#include <signal.h>\n#include <string.h>\n'
                '#include "features.h"\n#include "signal.h"\n#include "string.h"\nint main(void) '
                "{ Features f; Signal g; String s; return strlen(Features_type.name) + SIGINT != sizeof f * 0 + "
                "sizeof g * 0 + sizeof s * 0 + 10; }\n")
        self.write("main.c", uses)
        self.write("main.cc", uses.replace("sizeof f * 0", "sizeof f * 0u"))
        self.write("CMakeLists.txt", FIND.replace("machine C", "machine C CXX") +
                   "add_uflow(flows SOURCES features.uflow signal.uflow string.uflow OPTIONS -Werror)\n"
                   "add_executable(uses main.c)\ntarget_link_libraries(uses flows)\n"
                   "add_executable(uses_cxx main.cc)\ntarget_link_libraries(uses_cxx flows)\n"
                   "add_executable(own main.c)\n"
                   "target_uflow_sources(own PRIVATE features.uflow signal.uflow string.uflow)\n")
        self.configure(generator)
        said = self.build()
        self.assertNotIn(b"warning", said.out + said.err)
        for name in ("uses", "uses_cxx", "own"):
            self.must(f"build/{name}")

    @for_each_generator
    def test_headers_beside_the_flows(self, generator):
        """Each file finds its own neighbour; a neighbour that is named like a header of the system hides nothing."""
        for name in ("one", "two"):
            text = GOOD.replace("Door", name.capitalize())
            self.write(f"{name}/cell.uflow", f'source {{\n#include "local.h"\n#include <string.h>\n_Static_assert('
                       f'IS_{name.upper()}, "");\n}}\nheader {{\n#include "{name}/local.h"\n}}\n{text}')
            self.write(f"{name}/local.h", f"#define IS_{name.upper()} 1\n")
            self.write(f"{name}/string.h", "#error this is not that of the system\n")
        self.write("main.c", '#include "one/cell.h"\n#include "two/cell.h"\nint main(void) { One one; Two two; '
                   "return sizeof one + sizeof two + IS_ONE + IS_TWO == 0; }\n")
        self.write("CMakeLists.txt", FIND + "add_uflow(flows SOURCES one/cell.uflow two/cell.uflow)\n"
                   "add_executable(uses main.c)\ntarget_link_libraries(uses flows)\n")
        self.configure(generator)
        self.build()
        self.must("build/uses")

    @unittest.skipUnless(have("clang-tidy"), "needs clang-tidy")
    def test_only_the_users_files_are_linted(self):
        self.write("door.uflow")
        self.write("main.c", '#include "door.h"\nint main(void) { return 0; }\n')
        self.write("CMakeLists.txt", FIND + "add_executable(m main.c)\ntarget_uflow_sources(m PRIVATE door.uflow)\n")
        self.configure(GENERATORS[0], "-DCMAKE_C_CLANG_TIDY=clang-tidy;-checks=-*,misc-unused-parameters;"
                       "--warnings-as-errors=*")
        self.build()
        self.write("main.c", '#include "door.h"\nint main(int count, char **all) { return 0; }\n')
        self.assertIn(b"misc-unused-parameters", self.run_in_folder(CMAKE, "--build", "build").out)


class Sources(Project):
    """With the sources of uflow in the build."""
    def test_in_shared_libraries(self):
        write_cell_and_its_users(self)
        self.write("CMakeLists.txt", HEAD + SHARED_LINES)
        self.configure(GENERATORS[0], "-DBUILD_SHARED_LIBS=ON", "-DCMAKE_C_FLAGS=" + " ".join(CFLAGS))
        self.build()

    def test_settings_do_not_leak(self):
        """The warnings and directories of this project are its own; a file with its commands alone would mislead."""
        self.write("a.uflow")
        self.write("main.c", "int main() { int unused; return (char)1000 - (char)1000; }\n")
        self.write("CMakeLists.txt", HEAD + "add_executable(main main.c)\ntarget_uflow_sources(main PRIVATE a.uflow)\n"
                   "target_compile_options(main PRIVATE -Werror)\n")
        self.configure(GENERATORS[0])
        self.build()
        self.assertTrue(os.path.exists(self.path("build/main")))
        self.assertFalse(os.path.exists(self.path("build/compile_commands.json")))

    def test_it_is_not_installed_with_those_who_use_it(self):
        self.write("CMakeLists.txt", HEAD)
        self.configure(GENERATORS[0])
        self.must(CMAKE, "--install", "build", "--prefix", self.path("empty"))
        self.assertFalse(os.path.exists(self.path("empty")))


class Packages(Installed):
    """Programs that use an installed uflow, and its own ufc."""
    def test_links_of_documents(self):
        links = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "links.py")
        documents = os.path.join(self.prefix, "share", "doc", "uflow")
        self.must(sys.executable, "-EsB", links, "--installed", documents)

    def setUp(self):
        super().setUp()
        write_cell_and_its_users(self)

    @for_each_generator
    def test_find_package(self, generator):
        self.write("CMakeLists.txt", FIND + "add_executable(machine main.c)\n"
                   "target_uflow_sources(machine PRIVATE cell.uflow axis.uflow)\n")
        self.configure(generator, "-UUFLOW_UFC", "-DCMAKE_C_FLAGS=" + " ".join(CFLAGS))
        self.build()
        self.must("build/machine")

    @unittest.skipUnless(have("arm-none-eabi-gcc"), "needs arm-none-eabi-gcc")
    def test_for_another_machine(self):
        """The runtime is built from source, with the installed ufc."""
        self.write("CMakeLists.txt", HEAD + "add_uflow(a OBJECT SOURCES axis.uflow)\n")
        self.configure(GENERATORS[0], "-UUFLOW_UFC", "-DUFLOW_HOST_PATH=" + self.prefix, *FOREIGN)
        self.build()

    @unittest.skipUnless(have("pkg-config"), "needs pkg-config")
    def test_pkg_config(self):
        env = {**os.environ, "PKG_CONFIG_PATH": os.path.join(self.prefix, "lib/pkgconfig")}

        def ask(*questions):
            return shlex.split(self.must("pkg-config", *questions, "uflow", env=env).out.decode())
        for name in ("axis", "cell"):
            self.must(" ".join(ask("--variable=ufc")), name + ".uflow", "-o", name + ".c")
        self.must(CC, *CFLAGS, "main.c", "axis.c", "cell.c", *ask("--cflags", "--libs"), "-o", "machine")
        self.must("./machine")


class Types(Installed):
    def test_wrong_arguments_are_errors(self):
        self.write("a.uflow",
                   "flow A {\n  task T(int n) { step S { if (self->n) done; fail; } }\n}\nflow B {\n  flow A a;\n"
                   '  task T { step S { await run A.T(&flow->a, "three") -> done; } }\n}\n')
        self.write("CMakeLists.txt", FIND + "add_uflow(a SOURCES a.uflow)\n")
        self.configure(GENERATORS[0])
        said = self.run_in_folder(CMAKE, "--build", "build")
        self.assertNotEqual(said.status, 0)
        self.assertIn("a.uflow:6:", said.out.decode())


class Refusals(Installed):
    def refused_project(self, lines, says):
        self.write("CMakeLists.txt", FIND + lines)
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
