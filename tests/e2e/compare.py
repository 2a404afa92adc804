#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`ufc --compare OLD.json NEW.json`: what a restore of what an older program has kept refuses, drops and sets anew.

usage: compare.py [TEST...]"""
import json
import os
import random
import sys

from e2e import ROOT, Case

sys.path.insert(0, os.path.join(ROOT, "tests"))
from chosen import run_tests  # noqa: E402

PLAINS = "plain struct recipe { int grams; char name[8]; int gone; };\nplain struct box { recipe inner; int n; };\n"
OLD = """\
import "plains.uflow";
durable flow Batch(int number) {
    int dosed = 0;
    int32_t wide = 0;
    float ratio = 0.5f;
    char mark[8];
    int list[4];
    box last;
    transient int fd = -1;

    task Dose(recipe what) -> int {
        int at = 0;
        step Entry { next Fill(1); }
        step Fill(int n) { if (n > flow->dosed) done self->at; next Close(1); }
        step Close(int x) { if (x > 0) done self->what.grams; next Fill(2); }
    }
    group Slow { on timeout 1min -> fail; task Wait { step Still { await 1h -> done; } } }
    shutdown task Park { step Off { done; } }
}
durable flow Gone { task Go { step On { await 1s -> done; } } }
flow Plain { int x; task Go { step On { done; } } }
"""
NEW = """\
import "plains.uflow";
durable flow Batch(int number) {
    float dosed = 0;
    long long wide = 0;
    char mark[4];
    int list[2][2];
    int added = 3;
    box last;
    int fd = -1;

    task Dose(recipe what, int more) -> double {
        int64_t at = 0;
        step Entry { next Fill(0, 1); }
        step Fill(long n, int m) { if (n + self->more > m) done 1.0; await 1s -> done 0.0; }
    }
    task Wait { step Still { await 1h -> done; } }
}
"""
SAID = """\
plains.uflow:2: error: member `n` of plain struct `box` is `float` now, and was `int`
plains.uflow:1: warning: member `gone` of plain struct `recipe` is gone, or is not kept: its value is dropped
batch.uflow:3: error: field `dosed` of flow `Batch` is `float` now, and was `int`
batch.uflow:2: warning: field `ratio` of flow `Batch` is gone, or is not kept: its value is dropped
batch.uflow:5: error: field `mark` of flow `Batch` is `char[4]` now, and was `char[8]`
batch.uflow:7: note: field `added` of flow `Batch` is new: it has its initialiser after a restore
batch.uflow:9: note: field `fd` of flow `Batch` is new: it has its initialiser after a restore
batch.uflow:11: note: field `more` of task `Dose` of flow `Batch` is new: it has its initialiser after a restore, or 0
batch.uflow:11: error: the result of task `Dose` of flow `Batch` is `double` now, and was `int`
batch.uflow:14: note: parameter `m` of step `Fill` of task `Dose` of flow `Batch` is new: it is 0 in a run
batch.uflow:11: error: step `Close` of task `Dose` of flow `Batch` is gone: a run in it is refused
batch.uflow:16: error: task `Wait` of flow `Batch` is not in group `Slow` any more: a run in it is refused
batch.uflow:1: error: flow `Gone` is gone: what is kept of its flows is refused
ufc: 7 errors: a restore may refuse what a program of old.json has kept
    = help: let the old program finish these runs, or forget them with uf_store_forget()
"""
# Old type, new type, and whether all old values fit.
TYPES = [("int", "int", 1), ("int", "int32_t", 1), ("int", "long long", 1), ("long long", "int", 0),
         ("uint8_t", "int", 1), ("uint32_t", "int", 0), ("int", "unsigned", 0), ("unsigned", "uint64_t", 1),
         ("unsigned long int", "uint64_t", 1), ("long", "int64_t", 1), ("int64_t", "long", 0), ("signed int", "int", 1),
         ("short int", "short", 1), ("bool", "int", 0),
         ("int", "bool", 0), ("bool", "_Bool", 1), ("float", "double", 0), ("double", "double", 1),
         ("char", "int", 1), ("char", "int8_t", 0), ("int8_t", "char", 0), ("char[8]", "char[9]", 1),
         ("char[8]", "char[7]", 0), ("char[8]", "char", 0), ("char[8]", "int[8]", 0), ("int[4]", "int[2][2]", 1),
         ("int[4]", "long long[4]", 1), ("int[4]", "int[5]", 0), ("int", "int[1]", 0), ("int[N]", "int[N]", 1),
         ("int[N]", "int[4]", 0), ("grade", "grade", 1), ("grade", "int", 0), ("struct recipe", "recipe", 1),
         ("recipe", "box", 0), ("uf_text", "uf_text", 1), ("uf_text", "char[128]", 0), ("uf_time", "int64_t", 1),
         ("int[99999999999]", "int[99999999999]", 1), ("int[0]", "int[x", 0), ("", "", 1)]


class Compare(Case):
    def schema(self, name, text, plains=PLAINS):
        self.write("plains.uflow", plains)
        self.write("batch.uflow", text)
        self.good("--emit=json", "-o", name, "batch.uflow")

    def compared(self, status, old="old.json", new="new.json", options=()):
        result = self.ufc(*options, "--compare", old, new)
        self.assertEqual((result.status, result.out), (status, b""), result)
        return result.err.decode()

    def test_changes(self):
        self.schema("old.json", OLD)
        self.schema("new.json", NEW, PLAINS.replace(" int gone;", "").replace("int n;", "float n;"))
        said = self.compared(1).splitlines()
        self.assertEqual(len(said), len(SAID.splitlines()), "\n".join(said))
        for line, wanted in zip(said, SAID.splitlines()): self.assertEqual(line[:len(wanted)], wanted)

    def test_equal(self):
        self.schema("old.json", OLD)
        for options in ((), ("-Werror",)): self.assertEqual(self.compared(0, new="old.json", options=options), "")

    def test_dropped_only(self):
        """What is dropped or new is no error; a new flow, and one that was not durable, are none either."""
        self.schema("old.json", OLD)
        more = "durable flow More { task T { step S { done; } } }\n"
        self.schema("new.json", OLD.replace("    float ratio = 0.5f;\n", "") + more)
        said = self.compared(0)
        self.assertEqual(said.count("\n"), 1)
        self.assertEqual(self.compared(1, options=["-Werror"]), said.replace("warning", "error") +
                         "ufc: 1 error: a restore drops what a program of old.json has kept\n")
        self.assertIn("not durable any more", self.compared(1, "new.json", self.write("plain.json", json.dumps(
            {"source": "b", "flows": [{"name": name, "line": 4} for name in ("Batch", "Gone", "More")]}))))

    def test_types(self):
        def file(name, kind):
            flow = {"name": "F", "line": 1, "durable": True, "kept": [{"name": "x", "type": kind, "line": 7}]}
            self.write(name, json.dumps({"source": "f.uflow", "flows": [flow]}))

        for old, new, fits in TYPES:
            with self.subTest(old=old, new=new):
                file("old.json", old)
                file("new.json", new)
                said = self.compared(1 - fits)
                if fits: continue
                self.assertIn(f"f.uflow:7: error: field `x` of flow `F` is `{new}` now, and was `{old}`", said)

    def test_unreadable(self):
        self.schema("old.json", OLD)
        for text, says in ((None, "No such file"), ("", "new.json:1: this is no JSON: a value was expected"),
                           ('{\n"flows": [1,]}', "new.json:2: this is no JSON"), ("[]", 'it has no "flows"'),
                           ('{"a": "\\x"}', "no such escape"), ('{"a": "\\ud"}', "four digits"),
                           ('{"a', "a string has no end"), ("{1}", "the name of a member"), ('{"a" 1}', "`:`"),
                           ('{"a": 1 "b"}', "`,` or `}`"), ("[1 2]", "`,` or `]`"), ("[1.]", "after its point"),
                           ("[1e]", "exponent"), ("[01]", "a value was expected"), ("1 2", "the end"),
                           ("[" * 100, "too deep"), ('["\n"]', "a control character"), ("\0", "a value")):
            with self.subTest(text=text):
                if text is not None: self.write("new.json", text)
                self.assertIn(says, self.compared(3))
        os.mkdir(self.path("folder.json"))
        self.assertIn("it is a directory", self.compared(3, new="folder.json"))

    def test_texts(self):
        """Escapes are read, and no text of a file reaches the terminal as a control sequence."""
        flow = {"name": "a\x1b]0;x\x07\u00e9\U0001f600\n\0", "line": -1, "durable": True}
        self.write("old.json", json.dumps({"source": "b\x1b", "flows": [flow]}))
        self.write("new.json", json.dumps({"source": "c\x9b", "flows": []}))
        said = self.compared(1)
        self.assertIn("c?:1: error: flow `a?]0;x?\u00e9\U0001f600?\ufffd` is gone", said)
        self.assertNotRegex(said.replace("\n", ""), "[\0-\x1f\x7f-\x9f]")

    def test_damage(self):
        """A file that is cut or changed anywhere gives an answer."""
        self.schema("old.json", OLD)
        text, chance = self.read("old.json"), random.Random(1)
        for _ in range(60):
            self.write("new.json", text[:chance.randrange(len(text) - 1)])
            self.compared(3)
            at = chance.randrange(len(text))
            self.write("new.json", text[:at] + bytes([chance.randrange(256)]) + text[at + 1:])
            self.assertIn(self.ufc("--compare", "old.json", "new.json").status, (0, 1, 3))
            self.assertIn(self.ufc("--compare", "new.json", "old.json").status, (0, 1, 3))

    def test_use(self):
        self.schema("old.json", OLD)
        self.refused(2, "--compare", "old.json", says="no input file")
        self.refused(2, "--compare", "old.json", "old.json", "old.json", says="one file at a time")
        self.refused(2, "--compare", "old.json", "old.json", "-o", "x", says="-o has no effect on what --compare makes")
        self.refused(2, "--compare=old.json", "--check", "old.json", says="give one of them")


if __name__ == "__main__":
    run_tests()
