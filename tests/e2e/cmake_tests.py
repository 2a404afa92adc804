# SPDX-License-Identifier: MIT
"""add_uflow_tests(): a program, and an entry of ctest for each test."""
import json
import os
import shutil

from cmake_project import CMAKE, FIND, GENERATORS, MATRIX_GENERATORS, Installed, for_each_generator
from e2e import CC, CFLAGS, main

ONE = 'test "{}" {{ step Only {{ done; }} }}\n'
NAMES = {"plain": "plain", "a.b-c_d 1": "a.b-c_d 1", "größer → 5 µs": "gr__er _ 5 _s",
         "what; [if] $(x) ${y} 'z' #1 <&>?": "what_ _if_ __x_ __y_ _z_ _1 ____"}
LINES = FIND + "enable_testing()\n"
GREETING = """\
source {
#include <sys/socket.h>
#include <unistd.h>
}
test "cut" {
    int fd[2], reads;
    flow Reader reader(&flow->fd[1], &flow->reads);
    explore all { }
    sometimes (flow->reads > 1);
    on end { (void)close(flow->fd[1]); }
    step A {
        expect(socketpair(AF_UNIX, SOCK_STREAM, 0, flow->fd) == 0 && write(flow->fd[0], "hello", 5) == 5);
        (void)close(flow->fd[0]);
        await run Reader.Read(&flow->reader) -> done;
    }
}
flow Reader(const int *fd, int *reads) {
    task Read {
        step A {
            char bytes[9];
            if (read(*flow->fd, bytes, sizeof bytes) == 0) done;
            ++*flow->reads;
            next A;
        }
    }
}
"""


class Tests(Installed):
    def entries(self, *options, build="build"):
        """The entries of ctest: name to command and folder."""
        shown = json.loads(self.must("ctest", "--show-only=json-v1", *options, cwd=self.path(build)).out)
        return {test["name"]: (test.get("command", []), {p["name"]: p["value"] for p in test["properties"]})
                for test in shown["tests"]}

    def ctest(self, *options, build="build"):
        return self.must("ctest", "--output-on-failure", *options, cwd=self.path(build))

    @for_each_generator
    def test_names(self, generator):
        self.write("sub dir/a.uflow", "".join(ONE.format(name) for name in NAMES))
        self.write("CMakeLists.txt", LINES + 'add_uflow_tests(cell SOURCES "sub dir/a.uflow")\n')
        self.configure(generator)
        self.assertEqual(list(self.entries()), ["cell_not_built"])
        self.build()
        entries = self.entries()
        self.assertEqual(list(entries), ["cell." + name for name in NAMES.values()])
        for _, properties in entries.values():
            self.assertEqual(properties["WORKING_DIRECTORY"], self.path("sub dir"))
        self.ctest()

    @for_each_generator
    def test_same_names_and_changes(self, generator):
        self.write("a.uflow", ONE.format("x?") + ONE.format("x!"))
        self.write("b.uflow", "\n" + ONE.format("x?"))
        self.write("CMakeLists.txt", LINES + "add_uflow_tests(cell SOURCES a.uflow b.uflow)\n")
        self.configure(generator)
        self.build()
        self.assertEqual(list(self.entries()), ["cell.x_", "cell.x_.a.2", "cell.x_.b.2"])
        self.edit("b.uflow", ONE.format("new"))
        self.build()
        self.assertEqual(list(self.entries()), ["cell.x_", "cell.x_.a.2", "cell.new"])
        self.ctest()

    def test_a_failure_and_a_history(self):
        self.write("sub/a.uflow", 'test "h" { history "h.txt"; step A { await 1s -> B; } step B { done; } }\n'
                                  'test "f" { step A { fail "it fails"; } }\n')
        self.write("sub/h.txt", "1.000 s test A -> B\n1.000 s test B -> done\n")
        self.write("CMakeLists.txt", LINES + "add_uflow_tests(cell SOURCES sub/a.uflow)\n")
        self.configure(GENERATORS[0])
        self.build()
        said = self.run_in_folder("ctest", "--output-on-failure", cwd=self.path("build"))
        self.assertEqual(said.status, 8, said)
        self.assertIn(b'message: "it fails"', said.out)
        self.assertIn(b"cell.h", self.ctest("-R", "cell.h").out)

    def test_a_library_and_coverage(self):
        self.write("door.uflow", "flow Door { task Close { step A { await 1s -> B; } step B { done; } } }\n")
        self.write("t/door_test.uflow", 'import "door.uflow";\ntest "closes" {\n    flow Door door;\n'
                                        "    step A { await run Door.Close(&flow->door) -> done; }\n}\n")
        self.write("CMakeLists.txt", LINES + "add_uflow(doors SOURCES door.uflow COVERAGE)\n"
                   "add_uflow_tests(door_test SOURCES t/door_test.uflow IMPORT_DIRS . LINK doors COVERAGE)\n")
        self.configure(GENERATORS[0], "-DCMAKE_C_FLAGS=" + " ".join(CFLAGS))
        self.build()
        self.ctest()
        data = self.read("build/uflow.cov").decode()
        self.assertIn("door.uflow", data)

    def test_mutants(self):
        """They are in the flows of the files that are named, and the entries of ctest run the flows as they are."""
        self.write("door.uflow", "flow Door { task Close { step A { await 1s -> B; } step B { done; } } }\n")
        self.write("t/door_test.uflow", 'import "door.uflow";\ntest "closes" {\n    flow Door door;\n'
                                        "    step A { await run Door.Close(&flow->door) -> done; }\n}\n")
        self.write("CMakeLists.txt", LINES +
                   "add_uflow_tests(door_test SOURCES t/door_test.uflow door.uflow IMPORT_DIRS . MUTANTS)\n")
        self.configure(GENERATORS[0], "-DCMAKE_C_FLAGS=" + " ".join(CFLAGS))
        self.build()
        self.ctest()
        listed = self.must(self.path("build/door_test"), "--list-mutants").out
        self.assertIn(b"1 door.uflow:1 timeout `timeout 1s -> B` is never due\n", listed)

    def test_configurations(self):
        for generator in MATRIX_GENERATORS:
            if "Multi" not in generator: continue
            self.write("a.uflow", ONE.format("plain"))
            self.write("CMakeLists.txt", LINES + "add_uflow_tests(cell SOURCES a.uflow)\n")
            self.configure(generator)
            self.build("--config", "Release")
            self.assertIn("Release", self.entries("-C", "Release")["cell.plain"][0][0])
            self.assertEqual(list(self.entries("-C", "Debug")), ["cell_not_built"])
            self.ctest("-C", "Release")

    def test_a_network(self):
        """With each linker that is there; a compiler that cannot replace calls is refused."""
        self.write("a.uflow", GREETING)
        self.write("cc", f'#!/bin/sh\ncase "$*" in *--wrap*) exit 1;; esac\nexec {CC} "$@"\n')
        os.chmod(self.path("cc"), 0o755)
        self.write("CMakeLists.txt", LINES + "add_uflow_tests(cell SOURCES a.uflow NETWORK)\n")
        linkers = [linker for linker in ("bfd", "gold", "lld") if shutil.which("ld." + linker)]
        for linker in linkers or [None]:
            flags = [f"-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld={linker}"] if linker else []
            self.configure(GENERATORS[0], *flags, build=f"build {linker}")
            self.must(CMAKE, "--build", f"build {linker}")
            self.ctest(build=f"build {linker}")
        said = self.configure(GENERATORS[0], "-DCMAKE_C_COMPILER=" + self.path("cc"), build="other", status=1)
        self.assertIn("add_uflow_tests(cell): NETWORK needs Linux, and a linker that knows --wrap", said)

    def test_mistakes(self):
        self.write("a.uflow", ONE.format("plain"))
        for lines, says in (("add_uflow_tests(cell a.uflow)", "SOURCES is missing before: a.uflow"),
                            ("add_uflow_tests(cell)", "add_uflow_tests(cell): there are no SOURCES"),
                            ("add_uflow_tests(cell SOURCES b.uflow)", "b.uflow does not exist"),
                            ("add_uflow_tests(cell SOURCES a.uflow)\nadd_uflow_tests(cell SOURCES a.uflow)",
                             "there is a target of that name")):
            self.write("CMakeLists.txt", LINES + lines + "\n")
            self.assertIn(says, self.configure(GENERATORS[0], build=f"build {len(lines)}", status=1))


if __name__ == "__main__":
    main()
