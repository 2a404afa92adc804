#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares --help, ufc(1), the completions and docs/ufc.md with the table of options, and checks the man pages.

usage: check.py [--update] [NAME...]     --update writes the table of docs/ufc.md"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from shells import shells

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from chosen import run_tests  # noqa: E402
BUILD = os.environ.get("UFLOW_BUILD", os.path.join(ROOT, "build"))
UFC = os.environ.get("UFC", os.path.join(BUILD, "bin/ufc"))
UFC_MANUAL = os.environ.get("UFC_MANUAL", os.path.join(BUILD, "bin/ufc_manual"))
SHARE = os.path.join(BUILD, "share")
HEADERS = glob.glob(os.path.join(ROOT, "runtime/include/uflow/*.h"))
PAGES = ("man/man1/ufc.1", "man/man7/uflow.7")
DOCUMENT = os.path.join(ROOT, "docs/ufc.md")
TABLE = re.compile(r"(?<=\| option \| effect \|\n\|---\|---\|\n)(?:\|.*\n)*")

STRING = r'"((?:[^"\\]|\\.)*)"'
ROW = re.compile(r"^(LONG|SHORT|OPERAND|EXIT_STATUS|SECTION)\((.*?)\)$", re.M | re.S)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def run(*command, status=0, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, **options)
    assert done.returncode == status, f"{command}: {done.stdout}"
    return done.stdout


KINDS = re.findall(r'^EMITTER\(\w+, "(\w+)"', read(os.path.join(ROOT, "generator/emit/emitters.def")), re.M)


class Row:
    """A row of generator/command/options.def."""

    def __init__(self, kind, text):
        self.kind = kind
        text = text.replace("EMIT_WORDS", f'"{",".join(KINDS)}"')
        strings = re.findall(STRING, re.sub(r'"\s+"', "", text))
        self.name = ("--" if kind == "LONG" else "") + strings[0]
        self.argument, self.choices, self.value = "", [], ""
        if kind in ("LONG", "SHORT"):
            self.argument, self.choices = strings[1], [word for word in strings[2].split(",") if word]
        if kind != "SECTION": self.help = strings[-1]
        value = re.search(r'\b([A-Z_]+), "[a-z,]*", "[^"]*"$', re.sub(r'\s+', " ", re.sub(r'"\s+"', "", text)))
        if value: self.value = value[1]
        join = "=" if kind == "LONG" and self.argument else ""
        self.spelling = self.name + join             # as completed
        self.shown = self.spelling + self.argument   # as displayed


def rows(*kinds):
    found = [Row(*match) for match in ROW.findall(read(os.path.join(ROOT, "generator/command/options.def")))]
    return [row for row in found if row.kind in kinds]


def squeezed(text):
    return re.sub(r"\s+", " ", text)


OPTIONS = rows("LONG", "SHORT")
CATALOGUE = re.findall(r'^DIAG\((\d+), \w+, "([^"]*)"',
                       read(os.path.join(ROOT, "generator/support/diag_codes.def")), re.M)
CODES, WARNINGS = ["UF" + code for code, _ in CATALOGUE], [name for _, name in CATALOGUE if name]


class Texts(unittest.TestCase):
    def test_the_table_is_read_whole(self):
        self.assertGreater(len(OPTIONS), 25)
        self.assertEqual({row.value for row in OPTIONS},
                         {"NOTHING", "TEXT", "FILE_NAME", "DIRECTORY", "CHOICE", "CHOICES", "WARNING", "CODE"})
        self.assertTrue(all(bool(row.choices) == row.value.startswith("CHOICE") for row in OPTIONS))

    def test_help_is_sentences(self):
        for row in rows("LONG", "SHORT", "OPERAND", "EXIT_STATUS"):
            with self.subTest(row=row.name):
                self.assertRegex(row.help, r"^[A-Z].*\.$")
                self.assertEqual(row.help.count("`") % 2, 0)
                self.assertLessEqual(len(row.help.split(". ")[0]), 85, "the shells show the first sentence")

    def test_help_names_every_choice(self):
        for row in rows("LONG"):
            for choice in row.choices: self.assertIn(f"`{choice}`", row.help, f"the help of {row.name} in options.def")

    def test_help(self):
        text = squeezed(run(UFC, "--help"))
        for row in rows("LONG", "SHORT", "OPERAND"):
            self.assertIn(f" {row.shown} {row.help.replace('`', '')}", text)
        for row in rows("EXIT_STATUS"): self.assertIn(row.help, text)

    def test_choices_are_those_of_ufc(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "a.uflow"), "w", encoding="utf-8") as file:
                file.write("flow A { task T { step S { done; } } }\n")
            for row in OPTIONS:
                check = [] if row.spelling in ("--emit=", "--dump=") else ["--check"]
                for choice in row.choices:
                    run(UFC, *check, "a.uflow", row.spelling + choice, cwd=folder)
                if row.value == "WARNING":
                    for name in WARNINGS: run(UFC, "--check", "a.uflow", row.spelling + name, cwd=folder)
        for code in CODES + WARNINGS: run(UFC, "--explain", code)

    def test_version(self):
        abi = re.search(r"define UF_ABI +(\d+)", "".join(map(read, HEADERS)))[1]
        self.assertRegex(run(UFC, "--version"), rf"^ufc \d+\.\d+\.\d+ \(ABI {abi}\)$")

    def test_document(self):
        made = run(UFC_MANUAL, "-", "-", input="@MARKDOWN_OPTIONS@\n")
        self.assertEqual(TABLE.search(read(DOCUMENT))[0], made, "tests/manual/check.py --update writes the table")


class Pages(unittest.TestCase):
    def test_no_warnings(self):
        for page in PAGES:
            path = os.path.join(SHARE, page)
            if shutil.which("mandoc"): self.assertEqual(run("mandoc", "-Tlint", path), "")
            if shutil.which("man"):
                done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", path], check=True,
                                      env={**os.environ, "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"},
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.stderr, "")

    @unittest.skipUnless(shutil.which("mandoc"), "needs mandoc")
    def test_options(self):
        text = squeezed(re.sub(".\b", "", run("mandoc", "-Tascii", os.path.join(SHARE, PAGES[0]))))
        for row in rows("LONG", "SHORT", "OPERAND"):
            self.assertIn(squeezed(f" {row.shown} {row.help.replace('`', '')}"), text)
        for row in rows("EXIT_STATUS"): self.assertIn(row.help, text)

    def test_overview_names_every_word(self):
        text = re.sub(r"\\-", "-", read(os.path.join(SHARE, PAGES[1])))
        tables = "".join(read(os.path.join(ROOT, "generator", *path)) for path in (
            ("syntax", "words.def"), ("support", "arms.def"), ("support", "intents.def")))
        words = re.findall(r'^WORD\(\w+, "(\w+)", IS_NAME \| IS_INTENT', tables, re.M)
        words += re.findall(r'^(?:EVENT|INTENT)\(\w+, +"(\w+)"', tables, re.M)
        self.assertGreater(len(words), 20)
        for word in words: self.assertRegex(text, rf'(?m)^\.(?:B|BR|TP\n\.B)\b.*\b{word}\b')

    def test_examples_compile(self):
        examples = re.findall(r"(?ms)^\.EX\n(.*?)^\.EE", read(os.path.join(SHARE, PAGES[1])))
        flow, program = (text.replace(r"\-", "-").replace(r"\e", "\\") for text in examples[:2])
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("kettle.uflow", flow), ("main.c", program)):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file: file.write(text)
            self.assertEqual(run(UFC, "kettle.uflow", cwd=folder), "")
            self.assertEqual(run(os.environ.get("CC", "cc"), "-std=c11", "-Wall", "-Wextra", "-fsyntax-only", "-I",
                                 os.path.join(ROOT, "runtime/include"), "main.c", "kettle.c", cwd=folder), "")


class Completions(unittest.TestCase):
    """Each shell completes command lines, and so shows all rows of the table."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name in ("door.uflow", "axis.uflow", "notes.txt", "inner/deep.uflow"):
            os.makedirs(os.path.dirname(os.path.join(folder.name, name)), exist_ok=True)
            with open(os.path.join(folder.name, name), "w", encoding="utf-8"): pass
        self.shells = list(shells(SHARE, folder.name))
        for _, shell in self.shells: self.addCleanup(shell.close)

    def offered(self, line, wanted, among=False):
        """Asserts what the shells offer for the last word; with `among`, more is allowed."""
        for name, shell in self.shells:
            with self.subTest(shell=name, line=line):
                word = line.split(" ")[-1]
                # bash inserts what follows `=`. A `=` or `/` at the end may be added or left out.
                found = {re.sub(r"^-.*=(?=.)", "", text).rstrip("=/") for text in shell.complete(line)}
                wants = {re.sub(r"^-.*=(?=.)", "", text).rstrip("=/") for text in wanted}
                if among: self.assertLessEqual(wants, found, word)
                else: self.assertEqual(wants, found, word)

    def test_options(self):
        joined = ("-W", "-Wno-") # fish has an option for each warning instead
        for prefix in ("-", "--", "-M", "-W", "-f"):
            found = [row.spelling for row in OPTIONS if row.spelling.startswith(prefix) and row.spelling not in joined]
            if prefix == "-W": found += ["-W" + name for name in WARNINGS]
            self.offered("ufc " + prefix, found, among=True)

    def test_values(self):
        for row in OPTIONS:
            if row.value.startswith("CHOICE"): self.offered("ufc " + row.spelling, row.choices)
            if row.value == "CHOICES":
                self.offered(f"ufc {row.spelling}{row.choices[1]},",
                             [f"{row.choices[1]},{choice}" for choice in row.choices if choice != row.choices[1]],
                             among=True)
            if row.value == "WARNING":
                start = row.spelling + "un"
                self.offered("ufc " + start, [row.spelling + name for name in WARNINGS if name.startswith("un")])
            if row.value == "CODE":
                self.offered(f"ufc {row.spelling}UF01", [code for code in CODES if code.startswith("UF01")])
                self.offered(f"ufc {row.spelling}un", [name for name in WARNINGS if name.startswith("un")])
            separate = row.spelling if row.kind == "LONG" else row.name + " "
            if row.value == "FILE_NAME": self.offered(f"ufc {separate}n", ["notes.txt"])
            if row.value == "DIRECTORY": self.offered(f"ufc {separate}", ["inner"])

    def test_input(self):
        self.offered("ufc d", ["door.uflow"])
        self.offered("ufc --check a", ["axis.uflow"])
        self.offered("ufc inner/", ["inner/deep.uflow"])


def update():
    if not os.path.exists(UFC_MANUAL): sys.exit(f"{UFC_MANUAL} is missing: build the target ufc_texts")
    text = read(DOCUMENT)
    made = run(UFC_MANUAL, "-", "-", input="@MARKDOWN_OPTIONS@\n")
    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(TABLE.sub(lambda _: made, text, count=1))


if __name__ == "__main__":
    run_tests(update)
