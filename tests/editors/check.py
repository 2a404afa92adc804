#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The files for editors: their words are those of the compiler's tables, and Vim and Emacs colour, indent and check.

usage: check.py [--update] [TEST...]     --update writes the words into the files of editors/"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ.get("UFLOW_ROOT", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
UFC = os.environ.get("UFC", os.path.join(ROOT, "build/bin/ufc"))
EDITORS = os.path.join(ROOT, "editors")
VIM, EMACS = os.path.join(EDITORS, "vim"), os.path.join(EDITORS, "emacs")
GRAMMAR = os.path.join(EDITORS, "vscode/syntaxes/uflow.tmLanguage.json")
FILES = {os.path.join(VIM, "syntax/uflow.vim"): (r"(let s:{} = ')[^']*(')", " "),
         os.path.join(EMACS, "uflow-mode.el"): (r"(\(defconst uflow-{} '\(\"?)[^)]*?(\"?\)\))", '" "'),
         GRAMMAR: (r"(\(\?<{}>)[^)]*(\))", "|")}
EXAMPLES = sorted(glob.glob(os.path.join(ROOT, "examples/*/*.uflow")))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from chosen import run_tests  # noqa: E402


def read(path):
    with open(path, encoding="utf-8") as file: return file.read()


def table(name):
    return read(os.path.join(ROOT, "generator", name))


def words():
    """The words of each class."""
    rows = re.findall(r'^WORD\(\w+, "(\w+)", ([^)]*)\)', table("syntax/words.def"), re.M)
    rows = [(word, traits.split(" | ")) for word, traits in rows if "IS_STATEMENT" not in traits]
    events = list(dict.fromkeys(word for word in re.findall(r'^EVENT\(\w+, +"(\w+)"', table("support/arms.def"), re.M)))
    intents = re.findall(r'^INTENT\(\w+, +"(\w+)"', table("support/intents.def"), re.M)
    classes = {"structure": [word for word, traits in rows if "IS_MEMBER" in traits],
               "handlers": [word for word, traits in rows if "IS_HANDLER" in traits],
               "intents": [word for word, traits in rows if "IS_INTENT" in traits] + intents,
               "events": events + [word for word, traits in rows if "IS_EVENT" in traits and word not in events]}
    known = {word for found in classes.values() for word in found} | {"else", "_Pragma"}
    classes["clauses"] = [word for word, _ in rows if word not in known]
    classes["names"] = re.findall(r'^BINDING\(\w+, +"(\w+)"', table("support/bindings.def"), re.M) + ["outcome"]
    return classes


def with_words(path):
    """The text of the file, with the words of the tables."""
    text = read(path)
    pattern, separator = FILES[path]
    for name, found in words().items():
        quote = '"' if path.endswith(".el") else ""
        replaced = re.compile(pattern.format(name).replace('\\"?', ""))
        text, count = replaced.subn(lambda at, f=found, q=quote: at[1] + q + separator.join(f) + q + at[2], text)
        assert count == 1, f"{path}: {count} lists of {name}"
    return text


class Words(unittest.TestCase):
    def test_tables_are_read_whole(self):
        found = words()
        self.assertLess({"flow", "task", "step", "on"}, set(found["structure"]))
        self.assertLess({"await", "done", "become", "stay"}, set(found["intents"]))
        self.assertLess({"timeout", "run", "all", "idle"}, set(found["events"]))
        self.assertLess({"drop", "limit"}, set(found["clauses"]))
        self.assertLess({"result", "reason"}, set(found["names"]))

    def test_files_have_all_words(self):
        for path in FILES:
            with self.subTest(path=path):
                self.assertEqual(read(path), with_words(path), "tests/editors/check.py --update writes the words")


@unittest.skipUnless(shutil.which("vim"), "needs vim")
class Vim(unittest.TestCase):
    def vim(self, path, *commands):
        """Runs commands on a file, without settings of the user. Returns the lines that they add to `out`."""
        with tempfile.TemporaryDirectory() as folder:
            result = os.path.join(folder, "result")
            script = os.path.join(folder, "script.vim")
            with open(script, "w", encoding="utf-8") as file:
                file.write("\n".join(["let out = []", *commands, f"call writefile(out, '{result}')", "qa!"]) + "\n")
            environment = {**os.environ, "PATH": os.path.dirname(UFC) + ":" + os.environ["PATH"], "HOME": folder}
            done = subprocess.run(
                ["vim", "-Nu", "NONE", "-i", "NONE", "-n", "-es", "--cmd", f"set rtp^={VIM}", "--cmd",
                 "filetype plugin indent on", "--cmd", "syntax on", path, "-S", script],
                env=environment, timeout=30, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                check=False)
            self.assertTrue(os.path.exists(result), done.stdout)
            return read(result).splitlines()

    def test_filetype_and_settings(self):
        self.assertEqual(self.vim(EXAMPLES[0], "call add(out, &filetype . ' ' . b:current_syntax . ' ' . &shiftwidth)"),
                         ["uflow uflow 4"])

    def test_colours(self):
        """The group of a word at each of these places of the door."""
        path = os.path.join(ROOT, "examples/04_door/door.uflow")
        wanted = {("flow Door", "flow"): "uflowStructure", ("flow Door", "Door"): "uflowDefinition",
                  ("step Push", "step"): "uflowStructure", ("run Motor", "run"): "uflowEvent",
                  ("until (", "until"): "uflowEvent", ("50ms", "50ms"): "uflowDuration",
                  ("await {", "await"): "uflowIntent", ("Latch(result)", "result"): "uflowName",
                  ("struct", "struct"): "cStructure"}
        places = [(line, word, group) for (line, word), group in wanted.items() if line in read(path)]
        self.assertGreater(len(places), 6)
        commands = []
        for line, word, _ in places:
            commands += ["call cursor(1, 1)", f"call search('\\V{line}')", f"call search('\\V{word}', 'c')",
                         "call add(out, synIDattr(synID(line('.'), col('.'), 1), 'name'))"]
        self.assertEqual(self.vim(path, *commands), [group for _, _, group in places])

    def test_fields_with_names_of_words_are_c(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.uflow")
            with open(path, "w", encoding="utf-8") as file:
                file.write("flow A { task T { step S { x->task = 1; } } }\n")
            self.assertNotEqual(self.vim(path, "call search('x->task')", "normal 3l",
                                         "call add(out, synIDattr(synID(line('.'), col('.'), 1), 'name'))"),
                                ["uflowStructure"])

    def test_indent(self):
        """`=` gives flat text of the examples the indentation of `ufc fmt`, except to lines that go on."""
        for path in EXAMPLES[:3]:
            text = subprocess.check_output([UFC, "fmt", path], text=True)
            with self.subTest(path=path), tempfile.TemporaryDirectory() as folder:
                lines = [line for line in text.splitlines() if not line.lstrip().startswith("//")]
                at = next((i for i, line in enumerate(lines) if line.startswith("flow ")), 0)
                flat = os.path.join(folder, "flat.uflow")
                with open(flat, "w", encoding="utf-8") as file:
                    file.writelines(line.lstrip() + "\n" for line in lines[at:])
                made = self.vim(flat, "silent normal gg=G", "let out = getline(1, '$')")
                differing = [(old, new) for old, new in zip(lines[at:], made) if old != new and new.strip()]
                self.assertLessEqual(len(differing), len(made) // 20, differing)

    def test_compiler_finds_errors(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.uflow")
            with open(path, "w", encoding="utf-8") as file:
                file.write("flow A {\n    task T { step S { next B; } }\n}\n")
            found = self.vim(path, "compiler ufc", "silent make!",
                             "for e in getqflist() | if e.valid | call add(out, e.lnum . e.type) | endif | endfor")
            self.assertEqual(found[:1], ["2e"])

    def test_layout(self):
        """The whole buffer, by any motion; a buffer with errors, and one without ufc, stays as it is."""
        text = "flow A{\n\n\n\n    task T{ step S { done; } }\n}\n"
        laid_out = subprocess.check_output([UFC, "fmt", "-"], input=text, text=True)
        self.assertLess(len(laid_out.splitlines()), len(text.splitlines()))
        nowhere = "let $PATH = '/nowhere'"
        for before, commands, expected in ((text, ["normal gggqG"], laid_out), (text, ["normal Ggqq"], laid_out),
                                           (text + "}", ["normal gqq"], None), (text, [nowhere, "normal gqq"], None)):
            with self.subTest(commands=commands), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "a.uflow")
                with open(path, "w", encoding="utf-8") as file: file.write(before)
                made = self.vim(path, *commands, "let out = getline(1, '$')")
                self.assertEqual(made, (expected or before).splitlines())

    def test_a_missing_compiler_is_said(self):
        said = self.vim(EXAMPLES[0], "let $PATH = '/nowhere'", "let out = split(execute('compiler ufc'), '\\n')")
        self.assertEqual(said, ["ufc is not in PATH, so :make finds no errors"])

    def test_help(self):
        tags = re.findall(r"\*([\w.-]+)\*", read(os.path.join(VIM, "doc/uflow.txt")))
        self.assertEqual(read(os.path.join(VIM, "doc/tags")),
                         "".join(f"{tag}\tuflow.txt\t/*{tag}*\n" for tag in sorted(tags)))
        shown = self.vim(EXAMPLES[0], "help uflow-format", "call add(out, expand('%:t') . ' ' . getline('.'))")
        self.assertRegex(shown[0], r"^uflow\.txt LAYOUT")


@unittest.skipUnless(shutil.which("emacs"), "needs emacs")
class Emacs(unittest.TestCase):
    def emacs(self, text, *forms):
        """Evaluates forms in a buffer of the mode. Returns what they print."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.uflow")
            with open(path, "w", encoding="utf-8") as file: file.write(text)
            done = subprocess.run(
                ["emacs", "-Q", "--batch", "-L", EMACS, "-l", "uflow-mode", "--eval", f'(setq uflow-ufc "{UFC}")',
                 path, "--eval", "(progn " + " ".join(forms) + ")"],
                timeout=30, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                stdin=subprocess.DEVNULL,
                env={**os.environ, "HOME": folder})
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout

    def test_compiles_without_warnings(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copy(os.path.join(EMACS, "uflow-mode.el"), folder)
            done = subprocess.run(["emacs", "-Q", "--batch", "-f", "batch-byte-compile", copy], timeout=120, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertNotIn("Warning", done.stdout)

    def test_mode_and_colours(self):
        path = os.path.join(ROOT, "examples/04_door/door.uflow")
        wanted = [("flow Door", 0, "keyword"), ("flow Door", 5, "function-name"), ("await {", 0, "keyword"),
                  ("until (", 0, "builtin"), ("run Motor", 0, "builtin"), ("50ms", 0, "constant")]
        wanted += [("on every path", 0, "comment"), ("fail \\\"blocked", 0, "keyword")]
        forms = ["(princ major-mode)", "(font-lock-ensure)"]
        for text, offset, _ in wanted:
            forms.append(f'(goto-char (point-min)) (search-forward "{text}")'
                         f' (princ (format " %s" (get-text-property (+ (match-beginning 0) {offset}) (quote face))))')
        self.assertEqual(self.emacs(read(path), *forms).split(),
                         ["uflow-mode", *(f"font-lock-{face}-face" for _, _, face in wanted)])

    def test_indent(self):
        """Each line of the examples keeps its indentation, except lines that go on."""
        for path in EXAMPLES[:3]:
            text = subprocess.check_output([UFC, "fmt", path], text=True)
            text = text[re.search(r"^(?:durable flow|flow|test) ", text, re.M).start():]
            with self.subTest(path=path):
                made = self.emacs(text, "(indent-region (point-min) (point-max))", "(princ (buffer-string))")
                differing = [(old, new) for old, new in zip(text.splitlines(), made.splitlines()) if old != new]
                self.assertLessEqual(len(differing), len(made.splitlines()) // 20, differing)

    def test_formats(self):
        made = self.emacs("flow A{\n}\n", "(uflow-format-buffer)", "(princ (buffer-string))")
        self.assertEqual(made, "flow A {\n}\n")


class Grammar(unittest.TestCase):
    def test_patterns(self):
        """Each include names a rule, and each expression that Python knows, too, is one."""
        grammar = json.loads(read(GRAMMAR))
        self.assertEqual(grammar["scopeName"], "source.uflow")
        rules, seen = [grammar], set()
        while rules:
            rule = rules.pop()
            if isinstance(rule, dict):
                rules += [value for value in rule.values() if isinstance(value, (dict, list))]
                if "include" in rule: seen.add(rule["include"])
                for key in ("match", "begin", "end"):
                    if key in rule: re.compile(rule[key].replace("(?<", "(?P<").replace("(?P<!", "(?<!")
                                               .replace("(?P<=", "(?<="))
            elif isinstance(rule, list): rules += rule
        self.assertEqual({name.lstrip("#") for name in seen} | {"definitions", "words"},
                         set(grammar["repository"]))


def update():
    for path in FILES:
        text = with_words(path)
        with open(path, "w", encoding="utf-8") as file: file.write(text)


if __name__ == "__main__": run_tests(update)
