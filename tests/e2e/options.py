#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every option of ufc, the usage errors and the exit statuses."""
import itertools
import json
import os
import re
import shutil

from e2e import AXIS, BAD, CC, EMIT_ALL, GOOD, INCLUDE, KINDS, OLD, ROOT, UFC, USES_AXIS, WARNED, Case, main


class Answers(Case):
    def test_help_fits_a_terminal(self):
        self.assertLessEqual(max(map(len, self.good("--help").out.decode().splitlines())), 110)

    def test_answers_need_no_input_and_check_their_output(self):
        for option in ("--help", "--version", "--explain=UF0301"):
            with open("/dev/full", "wb") as full:
                result = self.ufc(option, stdout=full)
            self.assertEqual(result.status, 3, result)
            self.assertIn(b"standard output", result.err)

    def test_explain(self):
        self.assertTrue(self.good("--explain", "UF0301").out.startswith(b"UF0301: "))
        self.assertIn(b"-Wno-unused-field", self.good("--explain", "unused-field").out)
        self.assertEqual(self.ufc("--explain=UF9999").status, 2)

    def test_every_code_can_be_explained(self):
        with open(os.path.join(ROOT, "generator/support/diag_codes.def"), encoding="utf-8") as file:
            codes = re.findall(r"^DIAG\((\d+)", file.read(), re.M)
        self.assertGreater(len(codes), 30)
        for code in codes:
            lines = self.good("--explain", "UF" + code).out.decode().splitlines()
            self.assertTrue(lines[0].startswith(f"UF{code}: "))
            self.assertGreaterEqual(len(lines), 3)

    def test_explain_has_the_samples_of_the_document(self):
        with open(os.path.join(ROOT, "docs/errors.md"), encoding="utf-8") as file:
            sections = re.findall(r"^### (UF\d+)(.*?)(?=^### |\Z)", file.read(), re.M | re.S)
        self.assertGreater(len(sections), 30)
        for code, section in sections:
            samples = re.findall(r"^```\w*\n(.*?)^```$", section, re.M | re.S)
            shown = "".join("\n" + re.sub(r"(?m)^(?=.)", "    ", sample) for sample in samples)
            self.assertTrue(self.good("--explain", code).out.decode().endswith("\n" + shown), code)


class Usage(Case):
    def test_wrong_use_is_status_2(self):
        self.write("a.uflow")
        for arguments, says in (
                ([], "no input"),
                (["a.uflow", "b.uflow"], "one file"),
                (["--emti=c", "a.uflow"], "--emit"),
                (["--nonsense", "a.uflow"], "unknown option --nonsense"),
                (["-x", "a.uflow"], "unknown option -x"),
                (["--emit=c,foo", "a.uflow"], "`foo`"),
                (["--emit=", "a.uflow"], "--emit"),
                (["--dump=foo", "a.uflow"], "`foo`"),
                (["--color=red", "a.uflow"], "`red`"),
                (["--diagnostics=xml", "a.uflow"], "`xml`"),
                (["-fdiagnostics-format=xml", "a.uflow"], "`xml`"),
                (["-fdiagnostics-colour=auto", "a.uflow"], "-fdiagnostics-colour"),
                (["--touch=1", "a.uflow"], "--touch"),
                (["-Wfoo", "a.uflow"], "-Wfoo"),
                (["-Wno-unused-feild", "a.uflow"], "unused-field"),
                (["-Werror=nope", "a.uflow"], "nope"),
                (["-Wno-error=unused-feild", "a.uflow"], "unused-field"),
                (["-Weverything", "a.uflow"], "all warnings are on"),
                (["@nowhere"], "nowhere"),
                (["a.uflow", "-o"], "missing"),
                (["a.uflow", "-MD", "-MF"], "missing"),
                (["a.uflow", "-MX"], "-MX"),
                (["a.uflow", "-MF", "x.d"], "-MD"),
                (["--dump=ast", "a.uflow", "-MF", "x.d"], "need -MD"),
                (["a.uflow", "-MD", "-o", "-"], "-MT"),
                (["a.uflow", "--emit=c,h", "-o", "-"], "one file"),
                (["a.uflow", "-o", "-", "--header", "-"], "one file"),
                (["a.uflow", "-o", "x.c", "--header", "x.c"], "same file"),
                (["a.uflow", "-o", "x.c", "-MD", "-MF", "x.c"], "same file"),
                (["a.uflow", "--blocking=,,,"], "--blocking"),
                (["a.uflow", "--blocking="], "--blocking"),
                (["a.uflow", "--blocking=read,"], "`read,`"),
                (["--", "a.uflow", "-o"], "one file")):
            with self.subTest(arguments=arguments):
                self.refused(2, *arguments, says=says)

    @staticmethod
    def options():
        """Each option of the table, as words of a command."""
        arguments = {"DIR": "parts", "OLD=NEW": "a=b", "CODE": "UF0301", "FORM": "json", "WHEN": "never",
                     "KIND,...": "c", "STAGE,...": "ast", "OLD.json": "old.json"}
        options = {}
        with open(os.path.join(ROOT, "generator/command/options.def"), encoding="utf-8") as file:
            rows = re.sub(r'(?s)^SECTION\("Layout"\).*?(?=^SECTION)', "", file.read(), flags=re.M) # of fmt: fmt.py
            for kind, name, argument in re.findall(r'^(LONG\(\w+,|SHORT\() ?"([^"]*)", " ?([^"]*)"', rows, re.M):
                dashes, joint = ("--", "=") if kind.startswith("LONG") else ("", "")
                given = arguments.get(argument, f"given{len(options)}")
                value = {"-W": "unused-field", "-Wno-": "unused-field", "-Werror=": "unused-field",
                         "-Wno-error=": "unused-field", "blocking": "slow"}.get(name, given)
                options[dashes + name] = [dashes + name + (joint + value if argument else "")]
        return options

    def test_pairs(self):
        """Every two options: both count, or the message names both."""
        options, refused = self.options(), 0
        ways = {"--check", "--sizes", "--dump", "--emit", "--list-tests", "--compare"}
        without_files = {"--dump", "--list-tests", "--compare"}
        self.assertLess(ways, set(options))
        self.write("a.uflow")
        self.good("--emit=json", "-o", "old.json", "a.uflow")
        for first, second in itertools.combinations(options, 2):
            with self.subTest(first=first, second=second):
                has_files = not without_files & {first, second}
                beside = ["-MD", "-MT", "target"] if "-M" in first + second and has_files else []
                file = "old.json" if "--compare" in (first, second) else "a.uflow"
                result = self.ufc(*options[first], *options[second], *beside, file)
                if {first, second} <= ways: self.assertEqual(result.status, 2, result)
                if result.status == 2 and not (second.startswith("-M") and first in without_files):
                    self.assertIn(first.encode(), result.err)
                    self.assertIn(second.encode(), result.err)
                    refused += 1
                elif result.status != 2: self.assertEqual(result.status, 0, result)
        self.assertGreater(refused, 6)

    def outcome(self, *command):
        """All that a command does where the outputs of another one are, which are old."""
        for name in self.files(): os.utime(self.path(name), (1, 1))
        result = self.ufc(*command)
        made = {name: (self.read(name), os.stat(self.path(name)).st_mtime) for name in self.files()}
        return result, (result.status, result.out, result.err, {n: (text, t == 1) for n, (text, t) in made.items()})

    def test_every_option_counts(self):
        """Each option beside all that ufc makes: it changes something, or is refused, and the message names both."""
        makers = [[], ["--sizes"], *([f"--dump={stage}"] for stage in ("tokens", "ast")),
                  *([f"--emit={word}"] for word in (*KINDS, "config"))]
        source = ('import "axis.uflow";\nsource { void slow(void); }\n' +
                  USES_AXIS.split("\n", 1)[1].replace("step Go {", "step Go { slow();") +
                  'test "a" { step Go { done; } }\n')
        messages = ("-W", "-f", "--color", "--diagnostics", "--stdin-filename") # there may be no message
        named = ("--check", "--sizes", "--dump", "--emit", "--list-tests", "--compare") # see test_pairs
        counted = refused = 0
        for maker, (name, option) in itertools.product(makers, self.options().items()):
            if name.startswith(messages) or name in named: continue
            with self.subTest(maker=maker, option=name):
                shutil.rmtree(self.folder)
                self.write("a.uflow", source)
                self.write("parts/axis.uflow", AXIS)
                is_dump = maker and "dump" in maker[0]
                base = [*maker, "a.uflow", *(["-MD"] if name in ("-MF", "-MT", "-MP") else []),
                        *([] if is_dump or name == "-I" else ["-I", "parts"]),
                        *([] if is_dump or name == "-o" else ["-o", "made.out"])]
                self.ufc(*base)
                _, without = self.outcome(*base)
                result, outcome = self.outcome(*base, *option)
                if result.status != 2:
                    self.assertTrue(without != outcome, "it changes nothing")
                    counted += 1
                else:
                    self.assertIn(maker[0].split("=")[0].encode(), result.err)
                    self.assertIn((name if name[:2] != "-M" else "-MD").encode(), result.err)
                    refused += 1
        self.assertGreater(counted, 60)
        self.assertGreater(refused, 30)

    def test_arguments_from_files(self):
        self.write("a b.uflow")
        self.write("more", "'a b.uflow'\t-o \"x\\\"y.c\"\n@rest\n")
        self.write("rest", "  --no-line\\\n")                     # the newline is quoted, so it is part of the word
        self.refused(2, "@more", says="--no-line")
        self.write("rest", "\n--no-line --header=plain.h ''\n")
        self.refused(2, "@more", says="one file")                  # the empty word is an argument
        self.write("rest", "\n--no-line --header=plain.h")
        self.good("@more")
        self.assertEqual(self.files(), ["a b.uflow", "more", "plain.h", "rest", 'x"y.c'])
        self.assertNotIn(b"#line", self.read('x"y.c'))
        self.refused(3, "--check", "--", "@more", says="@more")    # then read as a file name
        for text, says in (("'open", "'"), ("@self", "too many"), (b"a\0b", "NUL"), ("@nowhere", "nowhere")):
            with self.subTest(text=text):
                self.write("self", text)
                self.refused(2, "@self", says=says)

    def test_options_may_follow_the_file_and_be_joined(self):
        self.write("a.uflow")
        self.good("a.uflow", "-ob.c", "-MD", "-MFb.d", env={**os.environ, "POSIXLY_CORRECT": "1"})
        self.assertEqual(self.files(), ["a.uflow", "b.c", "b.d", "b.h"])


class Names(Case):
    def written(self, *arguments, **options):
        before = set(self.files())
        self.good(*arguments, **options)
        return [name for name in self.files() if name not in before]

    def test_default_is_the_current_directory(self):
        self.write("sub/task.uflow")
        self.assertEqual(self.written("sub/task.uflow"), ["task.c", "task.h"])

    def test_output_names_the_c_file_and_the_rest(self):
        self.write("task.uflow")
        self.write("out/keep", "")
        self.assertEqual(self.written("task.uflow", "-o", "out/x.c"), ["out/x.c", "out/x.h"])
        self.assertIn(b'#include "x.h"', self.read("out/x.c"))

    def test_a_dot_in_a_directory_is_no_extension(self):
        self.write("task.uflow")
        self.write("v1.2/keep", "")
        self.assertEqual(self.written("task.uflow", "-o", "v1.2/x"), ["v1.2/x", "v1.2/x.h"])

    def test_header(self):
        self.write("task.uflow")
        self.write("include/keep", "")
        self.assertEqual(self.written("task.uflow", "-o", "x.c", "--header", "include/y.h"), ["include/y.h", "x.c"])
        self.assertIn(b'#include "y.h"', self.read("x.c"))

    def test_emit(self):
        self.write("task.uflow")
        self.assertEqual(self.written("task.uflow", EMIT_ALL),
                         sorted(f"task.{extension}" for extension in KINDS.values()))
        self.assertEqual(self.written("task.uflow", "--emit=h", "-o", "only.hpp"), ["only.hpp"])
        self.assertEqual(self.written("task.uflow", "--emit=dot", "-o", "only.dot"), ["only.dot"])

    def test_a_drawing_goes_to_standard_output(self):
        self.write("task.uflow")
        self.assertIn(b"digraph", self.good("task.uflow", "--emit=dot").out)
        self.assertIn(b"stateDiagram", self.good("task.uflow", "--emit=mermaid").out)
        json.loads(self.good("task.uflow", "--emit=json").out)
        self.assertEqual(self.files(), ["task.uflow"])

    def test_standard_output(self):
        self.write("task.uflow")
        c = self.good("task.uflow", "-o", "-").out
        self.assertIn(b'#include "task.h"', c)
        self.assertEqual(self.files(), ["task.uflow"])
        self.good("task.uflow", "-o", "task.c")
        self.assertEqual(c.replace(b"<stdout>", b"task.c"), self.read("task.c"))
        self.assertEqual(self.written("task.uflow", "-o", "-", "--header", "other.h", "--emit=c,h"), ["other.h"])

    def test_standard_input(self):
        result = self.good("-", input=GOOD.encode())
        self.assertIn(b"Door_init", result.out)
        self.assertEqual(self.files(), [])
        self.assertEqual(self.written("-", "-o", "x.c", input=GOOD.encode()), ["x.c", "x.h"])
        result = self.ufc("-", input=BAD.encode())
        self.assertEqual(result.status, 1)
        self.assertTrue(result.err.startswith(b"<stdin>:2:"), result)

    def test_stdin_filename(self):
        self.write("cell/axis.uflow", AXIS)
        self.assertEqual(self.ufc("-", input=USES_AXIS.encode()).status, 1)
        self.good("-", "--stdin-filename", "cell/cell.uflow", input=USES_AXIS.encode())
        result = self.ufc("-", "--stdin-filename=cell/x.uflow", input=BAD.encode())
        self.assertTrue(result.err.startswith(b"cell/x.uflow:2:"), result)

    def test_odd_names(self):
        for name in ('a b', 'quote"d', "d$llar", "h#sh", "back\\slash", "über", "new\nline", "-dash", "trigraph??/"):
            with self.subTest(name=name):
                self.write(name + ".uflow")
                self.good("-o", "out.c", "--", name + ".uflow")
                self.must(CC, "-std=c11", "-fsyntax-only", "-I", INCLUDE, "out.c")


class Modes(Case):
    def test_check_writes_nothing(self):
        self.write("a.uflow")
        self.good("--check", "a.uflow", "-o", "a.c")
        self.assertEqual(self.files(), ["a.uflow"])

    def test_dump(self):
        self.write("a.uflow")
        self.assertIn(b"Push", self.good("--dump=tokens", "a.uflow").out)
        self.assertIn(b"Push", self.good("--dump=ast", "a.uflow").out)
        self.good("--dump=tokens,ast", "a.uflow")
        self.assertEqual(self.files(), ["a.uflow"])

    def test_dump_of_what_has_errors(self):
        self.write("a.uflow", BAD)
        self.assertIn(b"Nowhere", self.good("--dump=tokens,ast", "a.uflow").out)

    def test_sizes(self):
        self.write("a.uflow")
        program = self.good("--sizes", "a.uflow").out
        self.assertEqual(self.files(), ["a.uflow"])
        self.good("a.uflow")
        self.write("sizes.c", program)
        self.must(CC, "-std=c11", "-I", INCLUDE, "sizes.c", "-o", "sizes")
        self.assertRegex(self.must("./sizes").out, rb"(?m)^flow Door +\d+$")

    def test_sizes_in_a_file(self):
        self.write("a.uflow")
        printed = self.good("--sizes", "a.uflow").out
        self.assertEqual(self.good("--sizes", "a.uflow", "-o", "-").out, printed)
        self.assertEqual(self.good("--sizes", "-o", "s.c", "a.uflow", "-MD").out, b"")
        self.assertEqual(self.read("s.c"), printed)
        self.assertTrue(self.read("s.d").startswith(b"s.c:"))
        self.assertEqual(self.files(), ["a.uflow", "s.c", "s.d"])
        self.good("--sizes", "a.uflow", "-o", "b.c", "--header=other.h")
        self.assertIn(b'#include "other.h"', self.read("b.c"))
        # Like other C files, it replaces only what ufc has made.
        self.write("mine.c", "int mine;\n")
        self.assertNotEqual(self.ufc("--sizes", "a.uflow", "-o", "mine.c").status, 0)
        self.assertEqual(self.read("mine.c"), b"int mine;\n")
        self.refused(3, "--sizes", "a.uflow", "-o", "nowhere/s.c", says="nowhere")
        self.refused(2, "--sizes", "a.uflow", "--emit=dot", says="--sizes and --emit ")

    def test_no_line(self):
        self.write("a.uflow")
        self.good("a.uflow")
        self.assertRegex(self.read("a.c"), rb'(?m)^#line \d+ "a\.uflow"$')
        self.good("a.uflow", "--no-line")
        self.assertNotRegex(self.read("a.c"), rb"(?m)^#line")

    def test_no_names(self):
        self.write("a.uflow", "flow A { task Work { step First { await 1s -> Last; } step Last { done; } } }\n")
        self.good("a.uflow", "--no-names")
        self.must(CC, "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", INCLUDE, "-c", "a.c", "-o", "a.o")
        made = self.read("a.o")
        for name in (b"First", b"Work", b"a.uflow"): self.assertNotIn(b"\0" + name + b"\0", made)

    def test_blocking(self):
        self.write("a.uflow", "source { void slow(void); }\nflow A { task T { step S { slow(); done; } } }\n")
        self.good("--check", "a.uflow")
        self.refused(1, "--check", "a.uflow", "--blocking=fast,slow", says="slow")


class Diagnostics(Case):
    def test_status_1_and_nothing_written(self):
        self.write("a.uflow", BAD)
        self.write("a.c", OLD)
        result = self.refused(1, "a.uflow", says="a.uflow:2:")
        self.assertRegex(result.err, rb"\[UF\d{4}\]")
        self.assertEqual(self.read("a.c"), OLD.encode())

    def test_warnings(self):
        self.write("a.uflow", WARNED)
        self.assertIn(b"unused-field", self.good("a.uflow").err)
        self.assertEqual(self.good("-Wno-unused-field", "a.uflow").err, b"")
        os.remove(self.path("a.c"))
        self.refused(1, "-Werror", "a.uflow", says="error")
        self.refused(1, "-Werror=unused-field", "a.uflow", says="error")
        self.good("-Werror=unused-parameter", "a.uflow")
        self.assertEqual(self.good("-Werror", "-Wno-unused-field", "a.uflow").err, b"")
        self.assertIn(b"unused-field", self.good("-Wall", "-Wextra", "a.uflow").err)
        self.assertEqual(self.good("-Wno-unused-field", "-Wall", "a.uflow").err, b"")
        self.assertIn(b"warning", self.good("-Werror", "-Wno-error=unused-field", "a.uflow").err)

    def test_color(self):
        self.write("a.uflow", BAD)
        environment = {**os.environ, "TERM": "xterm"}
        environment.pop("NO_COLOR", None)
        self.assertNotIn(b"\x1b[", self.ufc("a.uflow", env=environment).err)
        self.assertNotIn(b"\x1b[", self.ufc("--color=never", "a.uflow", env=environment).err)
        self.assertIn(b"\x1b[", self.ufc("--color=always", "a.uflow", env=environment).err)
        for changed, colored in (({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True),
                                 ({"TERM": "dumb"}, False)):
            terminal, other = os.openpty()
            self.ufc("a.uflow", env={**environment, **changed}, stderr=other)
            os.close(other)
            said = os.read(terminal, 65536)
            os.close(terminal)
            self.assertEqual(b"\x1b[" in said, colored, changed)

    def test_json(self):
        self.write("a.uflow", BAD)
        result = self.ufc("--diagnostics=json", "a.uflow")
        self.assertEqual(result.status, 1)
        json.loads(result.err)
        self.write("a.uflow")
        json.loads(self.good("--diagnostics=json", "a.uflow").err or "[]")

    def test_spellings_of_gcc(self):
        self.write("a.uflow", BAD)
        for gcc, own in (("-fdiagnostics-format=json", "--diagnostics=json"),
                         ("-fdiagnostics-color=always", "--color=always")):
            self.assertEqual(self.ufc(gcc, "a.uflow").err, self.ufc(own, "a.uflow").err)


class Status3(Case):
    def test_what_cannot_be_read(self):
        os.mkdir(self.path("folder.uflow"))
        os.mkfifo(self.path("pipe.uflow"))
        for name, says in (("missing.uflow", "No such file"), ("folder.uflow", "directory"), ("pipe.uflow", "pipe"),
                           ("/dev/zero", "device"), ("x" * 300, "too long")):
            with self.subTest(name=name):
                self.refused(3, name, says=says, timeout=10)

    def test_without_permission(self):
        self.write("a.uflow")
        self.assertEqual(self.as_nobody("a.uflow", "-o", "-").status, 0)
        os.chmod(self.path("a.uflow"), 0)
        self.refused(3, "a.uflow", says="Permission denied", run=self.as_nobody)

    def test_closed_standard_streams(self):
        self.write("a.uflow")
        self.refused(3, "-c", 'exec "$0" a.uflow -o - >&-', UFC, program="/bin/sh", says="standard output")
        result = self.ufc("-c", 'exec "$0" a.uflow -o a.c 2>&- >&- <&-', UFC, program="/bin/sh")
        self.assertEqual(result.status, 0, result)
        self.assertIn(b"Door_init", self.read("a.c"))


if __name__ == "__main__":
    main()
