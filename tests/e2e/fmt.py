#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`ufc fmt`: examples with their layout (tests/golden/fmt), what holds for every file, and the command.

usage: fmt.py [--files N] [--mutants N] [TEST...]     --update writes the expected layouts"""
import concurrent.futures
import glob
import os
import random
import re
import shutil
import sys

import options
from e2e import AXIS, BAD, GOOD, ROOT, USES_AXIS, Case

sys.path.insert(0, os.path.join(ROOT, "tests"))
from chosen import run_tests  # noqa: E402

GOLDEN = sorted(glob.glob(os.path.join(ROOT, "tests/golden/fmt/*.uflow")))
PROJECT = sorted(path for folder in ("examples", "docs", "bench")
                 for path in glob.glob(os.path.join(ROOT, folder, "**/*.uflow"), recursive=True))
TESTS = sorted(glob.glob(os.path.join(ROOT, "tests/**/*.uflow"), recursive=True))
MESSY = GOOD.replace("    ", "\t").replace("flow Door {", "flow   Door{")


def number(option, default):
    """The number after an option, which is taken off the command line."""
    if option not in sys.argv: return default
    at = sys.argv.index(option)
    value = int(sys.argv[at + 1])
    del sys.argv[at:at + 2]
    return value


FILES, MUTANTS = number("--files", 150), number("--mutants", 40)


def expected(path):
    return path.replace(".uflow", ".expected")


def content(path):
    with open(path, "rb") as file: return file.read()


class Layout(Case):
    def layout(self, text, *options):
        return self.ufc("fmt", "-", *options, input=text)

    def test_examples(self):
        self.assertGreater(len(GOLDEN), 2)
        for path in GOLDEN:
            with self.subTest(path=path):
                self.assertEqual(self.layout(content(path)).out, content(expected(path)),
                                 "tests/e2e/fmt.py --update writes the file")

    def tree(self, _, text):
        """The AST without lines and blanks."""
        result = self.ufc("--dump=ast", "-", input=text)
        return result.status, re.sub(rb"\s+", b"", re.sub(rb" @\d+$", b"", result.out, flags=re.M))

    def generated(self, path, text):
        """The tokens of the generated C, without numbers: lines are in its tables."""
        name = f"--stdin-filename={path}"
        result = self.ufc("-", "--no-line", "-o", "-", "-I", os.path.dirname(path), name, input=text)
        tokens = re.findall(rb'(?s)//[^\n]*|/\*.*?\*/|"(?:[^"\\]|\\.)*"|\w+|[^\w\s]', result.out)
        return result.status, [b"N" if t.isdigit() else t for t in tokens if t[:2] not in (b"//", b"/*")]

    def compare(self, triples, *meanings):
        """Each triple: a file, its text before and after."""
        def one(triple):
            path, old, new = triple
            return path, all(meaning(path, old) == meaning(path, new) for meaning in meanings)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            self.assertEqual([path for path, is_same in pool.map(one, triples) if not is_same], [])

    def format_one(self, text):
        """Formats a text. Returns the new one; None: it has errors."""
        name = self.write("one.uflow", text)
        status = self.ufc("fmt", "-i", name).status
        made = content(name)
        if status:
            self.assertEqual(made, text, "a file with errors has changed")
            return None
        again = self.ufc("fmt", "--check", name)
        self.assertEqual((again.status, again.out, again.err), (0, b"", b""), "not idempotent")
        return made

    def format_all(self, texts):
        """Formats texts, each by itself: a command reports 100 errors."""
        return [self.format_one(text) for text in texts]

    def test_every_file(self):
        """The layout of a file has the same meaning, and is its own layout."""
        paths = PROJECT + TESTS
        texts = list(map(content, paths))
        pairs = [(path, old, new) for path, old, new in zip(paths, texts, self.format_all(texts)) if new is not None]
        self.assertGreater(len(pairs), 600)
        self.compare(random.Random(1).sample(pairs, min(FILES, len(pairs))), self.tree, self.generated)

    def test_bodies_of_all_handlers(self):
        """Statements are indented in each handler of the language, and in workers."""
        with open(os.path.join(ROOT, "generator/syntax/words.def"), encoding="utf-8") as file:
            handlers = re.findall(r'^WORD\(\w+, "(\w+)", [^)]*\bIS_HANDLER\b', file.read(), re.M)
        accepted = 0
        for word in handlers + ["worker"]:
            head = "worker void w(void)" if word == "worker" else f"on {word}"
            body = head + " {\nif (x)\nwhile (z)\ny();\n}"
            for text in (body, f"flow A {{ {body} }}", f"flow A {{ task T {{ {body} }} }}",
                         f"flow A {{ group G {{ {body} }} }}"):
                result = self.layout(text.encode())
                if result.status: continue
                accepted += 1
                self.assertRegex(result.out.decode(), r"(?m)^( *)if \(x\)\n\1    while \(z\)\n\1        y\(\);", text)
        self.assertGreater(accepted, len(handlers) + 1)

    def test_project(self):
        """The examples and the samples of the documents have their layout: `ufc fmt -i FILE...`."""
        paths = [path for path in PROJECT if not path.startswith(os.path.join(ROOT, "bench"))]
        result = self.ufc("fmt", "--diff", *paths)
        self.assertEqual((result.status, result.out.decode(), result.err), (0, "", b""))

    def test_line_ends(self):
        """All lines end as the first one does: those of comments and of C blocks, too."""
        lines = b"source {\nint a; \\\nint b;\n}\n/* one\ntwo */\nflow A {\ntask T { step S { done; } } }\n"
        unix = self.layout(lines).out
        windows = self.layout(lines.replace(b"\n", b"\r\n")).out
        self.assertEqual(windows, unix.replace(b"\n", b"\r\n"))
        for at in range(1, lines.count(b"\n")):
            first, rest = lines.split(b"\n", at)[:at], lines.split(b"\n", at)[at]
            self.assertEqual(self.layout(b"\n".join(first) + b"\n" + rest.replace(b"\n", b"\r\n")).out, unix)
            self.assertEqual(self.layout(b"\r\n".join(first) + b"\r\n" + rest).out, windows)

    def mutant(self, rng, text):
        """Changes that are mostly of blanks and comments."""
        pieces = [" ", "\t", "  ", "\n", "\n\n\n", "/* c */", "// c\n", "\r\n", "\\\n", ";", "\n#pragma once\n",
                  "{", "}"]
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(text) + 1)
            blank = re.compile(rb"\s+").search(text, at)
            if blank and rng.random() < 0.7:
                begin, end = (blank.start(), blank.end()) if rng.random() < 0.7 else (blank.start(),) * 2
            else:
                begin, end = at, min(len(text), at + rng.randint(0, 2))
            text = text[:begin] + rng.choice(pieces).encode() + text[end:]
        return text

    def test_mutants(self):
        rng = random.Random(os.environ.get("UFLOW_SEED", "1"))
        paths = [path for path in PROJECT + TESTS if os.path.getsize(path) < 20000]
        for first in range(0, MUTANTS, 200):
            chosen = [rng.choice(paths) for _ in range(min(200, MUTANTS - first))]
            texts = [self.mutant(rng, content(path)) for path in chosen]
            made = self.format_all(texts)
            self.compare([triple for triple in zip(chosen, texts, made) if triple[2] is not None], self.tree)

    def test_lines_without_indentation_get_theirs(self):
        """C keeps its line breaks. So text of the project whose statements have a line each returns to its layout."""
        restored = 0
        for path in PROJECT:
            text = self.layout(content(path)).out.decode()
            if re.search(r"(?m)^(header|source|prologue) |[(,=|&?+-]$|->\s*$", text) or "/*" in text: continue
            if re.search(r"(?m)^ +//", text): continue
            flat = re.sub(r"(?m)^ +", "", text)
            self.assertEqual(self.layout(flat.encode()).out.decode(), text, path)
            restored += 1
        self.assertGreater(restored, 10)

    def test_time_is_linear(self):
        """Text that might take quadratic time: 400 KB each."""
        for text in ("flow A { task T { step S {" + "x=1;" * 100000 + "done; } } }",
                     "flow A { task T { step S {\n" + "/* c */" * 50000 + "done; } } }",
                     "flow A { task T { step S {\n" + "#pragma a\n// c\n" * 25000 + "done; } } }",
                     "flow A { " + "int a;" * 60000 + " }"):
            self.assertLess(self.layout(text.encode()).status, 2)


class Command(Case):
    def setUp(self):
        super().setUp()
        self.write("good.uflow")
        self.write("messy.uflow", MESSY)
        self.write("bad.uflow", BAD.replace("{ next", "next"))

    def test_one_file_to_standard_output(self):
        self.assertEqual(self.good("fmt", "messy.uflow").out.decode(), GOOD)
        self.assertEqual(self.good("fmt", "-", input=MESSY.encode()).out.decode(), GOOD)
        self.assertEqual(self.read("messy.uflow").decode(), MESSY)

    def test_rewrites(self):
        os.chmod(self.path("messy.uflow"), 0o640)
        os.utime(self.path("good.uflow"), (1, 1))
        self.assertEqual(self.good("fmt", "-i", "good.uflow", "messy.uflow").out, b"")
        self.assertEqual(self.read("messy.uflow").decode(), GOOD)
        self.assertEqual(os.stat(self.path("messy.uflow")).st_mode & 0o777, 0o640)
        self.assertEqual(os.stat(self.path("good.uflow")).st_mtime, 1)

    def test_check_names_files(self):
        result = self.ufc("fmt", "--check", "good.uflow", "messy.uflow")
        self.assertEqual((result.status, result.out, result.err), (1, b"messy.uflow\n", b""))
        self.assertEqual(self.good("fmt", "--check", "good.uflow").out, b"")

    def test_patch_applies_the_diff(self):
        if not shutil.which("patch"): self.skipTest("needs patch")
        for path in GOLDEN + [self.path("messy.uflow")]:
            text = content(path).removeprefix(b"\xef\xbb\xbf")
            if b"\r" in text: continue
            self.write("it.uflow", text)
            wanted = self.good("fmt", "it.uflow").out
            result = self.ufc("fmt", "--diff", "it.uflow")
            self.assertEqual(result.status, 1)
            self.must("patch", "-s", "it.uflow", input=result.out)
            self.assertEqual(self.read("it.uflow"), wanted)
        self.assertEqual(self.good("fmt", "--diff", "good.uflow").out, b"")

    def test_files_with_errors_stay_and_the_others_are_done(self):
        result = self.ufc("fmt", "-i", "bad.uflow", "messy.uflow")
        self.assertEqual(result.status, 1, result)
        self.assertIn(b"bad.uflow:2:", result.err)
        self.assertEqual(self.read("messy.uflow").decode(), GOOD)
        self.refused(1, "fmt", "bad.uflow", says="error")

    def test_errors_beyond_syntax_do_not_matter(self):
        self.write("undeclared.uflow", BAD)
        self.good("fmt", "--check", "undeclared.uflow")
        self.write("importing.uflow", USES_AXIS)           # there is no axis.uflow
        self.good("fmt", "--check", "importing.uflow")

    def test_what_cannot_be_read_or_written(self):
        result = self.ufc("fmt", "-i", "missing.uflow", "messy.uflow")
        self.assertEqual(result.status, 3)
        self.assertIn(b"cannot read missing.uflow", result.err)
        self.assertEqual(self.read("messy.uflow").decode(), GOOD)
        self.write("real.uflow", MESSY)
        os.symlink("real.uflow", self.path("link.uflow"))
        self.refused(3, "fmt", "-i", "link.uflow", says="symbolic link")
        with open("/dev/full", "wb") as full:
            self.assertEqual(self.ufc("fmt", "real.uflow", stdout=full).status, 3)
        os.chmod(self.path("real.uflow"), 0o444)
        result = self.as_nobody("fmt", "-i", "real.uflow")
        self.assertEqual((result.status, self.read("real.uflow").decode()), (3, MESSY), result)

    def test_wrong_use(self):
        for arguments, says in ((["fmt"], "no input"), (["fmt", "a.uflow", "b.uflow"], "one file"),
                                (["fmt", "-i", "-"], "standard input"), (["fmt", "-i", "--check", "a"], "one of"),
                                (["-i", "a.uflow"], "fmt"), (["--check", "--diff", "a.uflow"], "fmt"),
                                (["a.uflow", "fmt"], "one file")):
            with self.subTest(arguments=arguments): self.refused(2, *arguments, says=says)

    def test_every_option_counts(self):
        for name, option in options.Usage.options().items():
            if name.startswith(("-W", "-f", "--color", "--diagnostics", "--stdin-filename", "--check", "--explain",
                                "--version", "--help", "-h")): continue
            with self.subTest(option=name):
                result = self.ufc("fmt", "good.uflow", *option)
                self.assertEqual(result.status, 2, result)
                self.assertIn((name if name[:2] != "-M" else "-MD").encode(), result.err)
                self.assertIn(b"fmt", result.err)

    def test_a_file_named_fmt(self):
        self.write("fmt", AXIS)
        self.good("--check", "./fmt")
        self.assertEqual(self.good("fmt", "./fmt").out.decode(), AXIS)


def update():
    case = Layout()
    for path in GOLDEN:
        case.folder = os.path.dirname(path)
        with open(expected(path), "wb") as file: file.write(case.ufc("fmt", path).out)


if __name__ == "__main__": run_tests(update)
