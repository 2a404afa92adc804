#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""File names: hostile ones in every output that contains them, and equal names in two folders."""
import json
import os
import re
import shutil
import urllib.parse

from e2e import AXIS, BAD, CC, CFLAGS, INCLUDE, Case, main

STRICT = [*CFLAGS, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", INCLUDE]
NAMES = ["plain", "a b", "  ", "it's", "back\\slash", "back\\", "\\x41", "star*", "*", "a;b", "colon:x", "$HOME", "$$",
         "hash#", "#", "a\\ b",
         "percent%s%n", "%", "<tag>&amp;", "(p)", "[x]", "{b}", "größe", "\U0001f642", "?", "a??", "-- x", "`x`", "\\",
         "line", "tab-", "!", "~", "|"]
# Not valid in an #include, but in all other places.
NO_HEADERS = ['quo"te', '"', "trigraph??<x", "??'", "tab\tx", "new\nline", "splice\\\nx", "\r", "bell\a\x1b[31m",
              "del\x7f"]
# The headers of C23 and POSIX 2024 in the include directories themselves.
STANDARD = """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
aio cpio dirent dlfcn endian fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen libintl monetary mqueue ndbm netdb
nl_types poll pthread pwd regex sched search semaphore spawn strings syslog tar termios ulimit unistd utmpx
wordexp""".split()
# Headers of compilers, the BSDs, macOS and Windows.
OTHERS = """alloca bitstring conio copyfile cpuid crtdbg curses direct emmintrin histedit intrin io malloc_np
md5 mm_malloc nlist omp process pthread_np sha share stropts tchar trace unwind util values vis windows winsock2
xlocale xmmintrin""".split()


def good(name):
    length = len(name.encode()) + 1
    check = f"_Static_assert(sizeof __FILE__ == {length}, \"\");"
    return f"flow Door {{\n    task Close {{ step Push {{ {check} done; }} }}\n}}\n"


def names_of_rule(text):
    """Targets and prerequisites of the first rule, as Make reads them."""
    rule = text.replace(" \\\n ", " ").split("\n")[0]
    names, name, i = [[], []], "", 0
    side = 0

    def end():
        nonlocal name
        if name:
            names[side].append(name)
        name = ""
    while i < len(rule):
        slashes = len(rule[i:]) - len(rule[i:].lstrip("\\"))
        after = rule[i + slashes] if i + slashes < len(rule) else ""
        if slashes and after in " ":
            name += "\\" * (slashes // 2) + (after if slashes % 2 else "")
            i += slashes + (1 if slashes % 2 else 0)
        elif slashes and after in "#:":
            name += "\\" * (slashes - 1) + after
            i += slashes + 1
        elif slashes:
            name += "\\" * slashes
            i += slashes
        elif rule.startswith("$$", i):
            name += "$"
            i += 2
        elif rule[i] == ":" and side == 0:
            end()
            side = 1
            i += 1
        elif rule[i] == " ":
            end()
            i += 1
        else:
            name += rule[i]
            i += 1
    end()
    return names


class Hostile(Case):
    def compiles(self, name):
        done = self.run_in_folder(CC, *STRICT, "-fsyntax-only", "./" + name)
        self.assertEqual(done.status, 0, done)

    def test_c_header_and_depfile(self):
        for name in NAMES:
            with self.subTest(name=name):
                self.write(name + ".uflow", good("./" + name + ".uflow"))
                self.good(f"./{name}.uflow", "-o", f"./{name}.c", "-MD", "-MF", "rule.d")
                self.compiles(name + ".c")
                rule = self.read("rule.d").decode()
                self.assertEqual(names_of_rule(rule), [[f"./{name}.c", f"./{name}.h"], [f"./{name}.uflow"]], rule)

    def test_imports(self):
        for name in NAMES:
            if "\\" in name:
                continue
            with self.subTest(name=name):
                self.write(name + ".uflow", AXIS)
                self.write("cell.uflow",
                           f'import "{name}.uflow";\nflow Cell {{\n    flow Axis x;\n    task Run {{ step Go {{ '
                                         "await run Axis.Home(&flow->x) -> done; } }\n}\n")
                self.good(f"./{name}.uflow", "-o", f"./{name}.c")
                self.good("cell.uflow", "-o", "cell.c")
                self.compiles("cell.c")
        for name in ("trigraph??/x", "back\\slash"):
            with self.subTest(name=name):
                self.write(name + ".uflow", AXIS)
                self.write("cell.uflow", f'import "{name}.uflow";\n' + AXIS.replace("Axis", "Cell"))
                self.refused(1, "cell.uflow", says=b"[UF0210]")

    def test_no_headers(self):
        for name in NO_HEADERS:
            with self.subTest(name=name):
                self.write(name + ".uflow")
                self.refused(2, f"./{name}.uflow", "-o", f"./{name}.c", says=b"a header cannot have this name")
                self.good(f"./{name}.uflow", "--check")
                self.good(f"./{name}.uflow", "-o", "door.c") # the name is in comments, strings and #line
                self.compiles("door.c")
                if "\n" in name:
                    self.refused(2, f"./{name}.uflow", "-o", "door.c", "-MD", says=b"a line end")

    def test_drawings_and_json(self):
        self.write("plain.uflow", good("plain.uflow"))
        expected = {kind: self.good("plain.uflow", f"--emit={kind}", "-o", "-").out for kind in ("dot", "mermaid")}
        for name in NAMES + NO_HEADERS:
            with self.subTest(name=name):
                self.write(name + ".uflow", good(name))
                for kind, plain in expected.items():
                    made = self.good(f"./{name}.uflow", f"--emit={kind}", "-o", "-").out
                    self.assertEqual(made.count(b"\n"), plain.count(b"\n"))
                    self.assertNotIn(b'"', re.sub(rb'"(?:\\.|[^"\\\n])*"', b"", made))
                made = json.loads(self.good(f"./{name}.uflow", "--emit=json", "-o", "-").out)
                self.assertIn(f"./{name}.uflow", [value for value in made.values() if isinstance(value, str)])

    def test_diagnostics(self):
        for name in NAMES + NO_HEADERS:
            with self.subTest(name=name):
                self.write(name + ".uflow", BAD)
                path = f"./{name}.uflow"
                said = self.refused(1, path, "--check").err
                self.assertEqual(len(re.findall(rb"(?m)^\./.*:2:\d+: error: .*\[UF0301\]$", said)), 1, said)
                self.assertNotRegex(said, rb"[\x00-\x08\x0b-\x1f\x7f]")
                reports = json.loads(self.ufc(path, "--check", "--diagnostics=json").err)
                self.assertEqual([one["file"] for one in reports], [path])
                sarif = json.loads(self.ufc(path, "--check", "--diagnostics=sarif").err)
                uri = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
                self.assertIn(urllib.parse.unquote(uri), (path, path[2:]))
                self.assertRegex(uri, r"^[A-Za-z0-9%._~!$&'()*+,;=:@/-]*$")


class Namesakes(Case):
    """Two folders with a file of one name in each."""

    def both(self, first, second, use, others=()):
        self.write("a/common.uflow", first)
        self.write("b/common.uflow", second)
        for name, text in others:
            self.write(name, text)
        self.write("main.uflow", 'import "a/common.uflow";\nimport "b/common.uflow";\n' + use)
        names = ["a/common", "b/common", "main", *(name[:-6] for name, _ in others)]
        for name in names:
            self.good(name + ".uflow", "-o", name + ".c")
        for name in names:
            done = self.run_in_folder(CC, *STRICT, "-I", ".", "-fsyntax-only", name + ".c")
            self.assertEqual(done.status, 0, done)

    def test_without_flows(self):
        self.both("header { typedef int of_a; }\n", "header { typedef int of_b; }\n",
                  "flow Main { of_a x = 1; of_b y = 2; task T { step S { if (flow->x < flow->y) done; fail; } } }\n")

    def test_with_flows(self):
        self.both(AXIS, AXIS.replace("Axis", "Belt"),
                  "flow Main { flow Axis x; flow Belt y; task T { step S {\n"
                  "await all(run Axis.Home(&flow->x), run Belt.Home(&flow->y)) -> done; } } }\n")

    def test_one_of_them_with_a_flow(self):
        self.both(AXIS, "header { typedef int of_b; }\n", "flow Main { flow Axis x; of_b y = 2; task T { step S {\n"
                  "await run Axis.Home(&flow->x) -> U; } step U { if (flow->y) done; fail; } } }\n")

    def test_signals(self):
        self.both("signal go;\n", "checkpoint held;\n",
                  "flow Main { task T { step S { await go -> U; } step U { await held -> done; } } }\n")

    def test_same_text_and_other_imports(self):
        text = 'import "part.uflow";\n'
        self.both(text, text, 'import "a/part.uflow";\nimport "b/part.uflow";\n'
                  "flow Main { of_a x = 1; of_b y = 2; task T { step S { if (flow->x < flow->y) done; fail; } } }\n",
                  (("a/part.uflow", "header { typedef int of_a; }\n"),
                   ("b/part.uflow", "header { typedef int of_b; }\n")))

    def test_same_text(self):
        text = "header { typedef struct of_both { int a; } of_both; }\n"
        self.both(text, text, "flow Main { of_both x = { 1 }; task T { step S { if (flow->x.a) done; fail; } } }\n")

    def test_guard_is_of_the_contents(self):
        self.write("a/common.uflow", "header { typedef int of_a; }\n")
        self.write("c/d/common.uflow", "header { typedef int of_a; }\n")
        guards = set()
        for path in ("a/common.uflow", self.path("a/common.uflow"), "c/d/common.uflow", "./c/../a/common.uflow"):
            made = self.good(path, "--emit=h", "-o", "-").out
            guards.add(re.search(rb"(?m)^#ifndef (\w+)$", made)[1])
        self.assertEqual(len(guards), 1, guards)


class OfHeaders(Case):
    """Macros without arguments from the headers that every generated header includes. As names, they would be
    replaced."""

    def test_each_is_refused(self):
        self.write("all.c", '#include "uflow/uflow.h"\n#include "uflow/generated.h"\n')
        done = self.run_in_folder(CC, *CFLAGS, "-I", INCLUDE, "-E", "-dM", "all.c")
        found = set(re.findall(r"(?m)^#define ([A-Za-z]\w*)(?: |$)", done.out.decode()))
        names = sorted(name for name in found if not name.startswith(("UF_", "UFLOW_")))
        self.assertIn("UINT8_MAX", names)
        for name in names:
            self.write("one.uflow", f"flow Door {{\n    int {name};\n    task Close {{ step Push {{ done; }} }}\n}}\n")
            said = self.refused(1, "--check", "one.uflow").err
            self.assertEqual(len(re.findall(rb"(?m)^one.uflow:2:9: error: .*\[UF0310\]$", said)), 1, said)


class SystemHeaders(Case):
    """A header with the name of a system header hides it. A warning says so, unless `--header` names another one."""

    def found_by_the_compiler(self):
        """The names of the standard headers, and of the headers beside them that they include."""
        self.write("all.c", "".join(f"#if __has_include(<{name}.h>)\n#include <{name}.h>\n#endif\n"
                                    for name in STANDARD))
        listed = self.must(CC, "-D_GNU_SOURCE", "-M", "-w", "all.c").out.decode().split()
        paths = [path for path in listed if path.endswith(".h")]
        folders = {os.path.dirname(path) for path in paths if os.path.basename(path)[:-2] in ("stdio", "stdarg")}
        return {os.path.basename(path)[:-2] for path in paths + self.of_the_c_library()
                if os.path.dirname(path) in folders and not os.path.basename(path).startswith("_")}

    def of_the_c_library(self):
        """All of its headers, where Debian's packages say so."""
        if not shutil.which("dpkg-query"): return []
        return [path for path in self.run_in_folder("dpkg-query", "-L", "libc6-dev").out.decode().splitlines()
                if path.endswith(".h")]

    def test_each_is_warned_of(self):
        found = self.found_by_the_compiler()
        self.assertTrue({"stdio", "stdarg", "features"} <= found, found)
        for name in sorted(found.union(STANDARD, OTHERS)):
            with self.subTest(name=name):
                self.write(f"{name}.uflow", AXIS)
                said = self.good(f"{name}.uflow").err.decode()
                self.assertRegex(said, rf"^{name}.uflow:1:1: warning: the header `{name}.h` .* \[UF0827 ")
                self.assertIn(f"`#include <{name}.h>`", said)
                self.assertEqual(self.good(f"{name}.uflow", "--header=axis.h").err, b"")

    def test_only_a_header_of_that_name_counts(self):
        self.write("axis.uflow", AXIS)
        for name in ("axis", "signals", "ignal", "signal.x", "x.signal", "signal-", "Signal", "stdi", "stdio_"):
            self.write(f"{name}.uflow", AXIS)
            self.assertEqual(self.good(f"{name}.uflow").err, b"")
        self.write("signal.uflow", AXIS)
        for arguments in (("-o", "axis.c"), ("--emit=dot",), ("-Wno-system-header",)):
            self.assertEqual(self.good("signal.uflow", *arguments).err, b"")
        for arguments in (("--check",), ("--emit=h",), ("--emit=c", "-o", "-")):
            self.assertIn(b"UF0827", self.good("signal.uflow", *arguments).err)
        for arguments in (("-o", "signal.c"), ("--header=signal.h",), ("--header=./signal.h", "-o", "-")):
            self.assertIn(b"UF0827", self.good("axis.uflow", *arguments).err)


if __name__ == "__main__":
    main()
