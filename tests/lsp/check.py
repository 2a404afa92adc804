#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""uflow-lsp, by a scripted client: a test for each request, malformed messages, and the life of the server.

usage: check.py [NAME...]"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from client import SERVER, Client, Refused, Text, uri_of

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from chosen import run_tests  # noqa: E402
UFC = os.environ["UFC"]

MOTOR = """flow Motor(int step_ms) {
    int position = 0;
    task Move(int to) -> int {
        int steps = 0;

        step Turn {
            if (flow->position == self->to) done self->steps;
            flow->position += flow->position < self->to ? 1 : -1;
            self->steps++;
            await (flow->step_ms) ms -> Turn;
        }
    }
}
"""

DOOR = """import "motor.uflow";
header { typedef int place; }
signal estop;
checkpoint gate;

worker int weigh(int channel) { return channel; }

flow Door(const bool *obstacle) {
    flow Motor motor(100);
    flow Motor wings[2](index);
    pool Motor spare[4](index);
    mailbox int orders[4];
    signal opened;
    place here;

    task Close {
        int tries = 0;
        job scale: weigh;
        on estop -> fail "stopped";

        step Push {
            submit scale(1);
            await {
                until (*flow->obstacle) for 50ms -> Reopen;
                run Motor.Move(&flow->motor, 10) -> Latch(result);
                timeout 2s -> done;
            }
        }
        step Reopen {
            /* é𝄞 */ flow->here = flow->motor.position + flow->wings[1].position;
            if (++self->tries == 3) fail "blocked %d times", self->tries;
            uf_signal_fire(&flow->opened);
            spawn spare.Move(3);
            await run Motor.Move(&flow->motor, 0) -> Pause;
        }
        step Pause {
            await {
                opened -> Push;
                orders -> Latch(item);
                scale -> Latch(result) else Push;
                arrived(gate) -> Push;
                timeout 2s -> Push;
            }
        }
        step Latch(int steps) {
            if (steps > 3) become Open;
            done;
        }
    }
    task Open { step Wait { await 40ms -> done; } }
}
"""

MAIN = """#include "door.h"
/* Door_start_Close is called here */
int main(void)
{
    static Door door; const char *text = "Door_start_Close";
    (void)Door_start_Close(&door);
    return Door_orders_send(&door, door.here) != UF_OK || !text;
}
"""


class Case(unittest.TestCase):
    """A folder with a project, and a client that has its flows open."""
    options = {"clangd": []}  # inside.py has the tests with it
    capabilities = {"textDocument": {"completion": {"completionItem": {"snippetSupport": True}}}}

    def setUp(self):
        self.made = tempfile.TemporaryDirectory()
        self.folder = os.path.realpath(self.made.name)
        for name, text in (("motor.uflow", MOTOR), ("door.uflow", DOOR), ("main.c", MAIN)):
            self.write(name, text)
        self.write("compile_commands.json", json.dumps([{"directory": self.folder, "file": "main.c", "command": "cc"}]))
        self.client = Client([self.folder], self.capabilities, self.options)
        self.door, self.text = self.client.open(self.path("door.uflow")), Text(DOOR)

    def tearDown(self):
        self.client.end()
        self.made.cleanup()

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def about(self, method, words, nth=0, behind=1, **more):
        return self.client.about(method, self.door, *self.text.at(words, nth, behind), **more)

    def replace(self, text):
        self.text = Text(text)
        self.client.change(self.door, {"text": text})

    def ufc(self, name):
        """What `ufc --check` says about a file on the disk."""
        run = subprocess.run([UFC, "--check", "--diagnostics=json", self.path(name)], capture_output=True, text=True,
                             check=False)
        return json.loads(run.stderr)


class Diagnostics(Case):
    def test_equal_those_of_ufc(self):
        text = DOOR.replace("-> Pause", "-> Pausee")
        self.replace(text)
        self.write("door.uflow", text)
        shown = self.client.diagnostics(self.door)
        said = self.ufc("door.uflow")
        self.assertEqual([d["code"] for d in shown], [d["code"] for d in said])
        self.assertEqual([d["message"].split("\n")[0] for d in shown], [d["message"] for d in said])
        self.assertEqual([d["range"]["start"]["line"] + 1 for d in shown], [d["line"] for d in said])
        wrong = next(d for d in shown if d["code"] == "UF0301")
        self.assertIn("help: did you mean `Pause`?", wrong["message"])
        self.assertEqual(self.text.of(wrong["range"]), "Pausee")

    def test_of_unused_names_have_a_tag(self):
        self.replace(DOOR.replace("int tries = 0;", "int tries = 0, unused;"))
        shown = self.client.diagnostics(self.door)
        self.assertEqual([(d["code"], d["tags"], d["severity"], d["data"]["option"]) for d in shown],
                         [("UF0805", [1], 2, "unused-field")])

    def test_come_without_a_request(self):
        self.replace("flow A {")
        while not self.client.published.get(self.door, {}).get("diagnostics"):
            self.client.read()
        self.assertEqual(self.client.published[self.door]["version"], 2)

    def test_have_related_places(self):
        self.replace(DOOR.replace("    task Open {", "    task Close {"))
        twice = next(d for d in self.client.diagnostics(self.door) if d["code"] == "UF0309")
        related = twice["relatedInformation"][0]
        self.assertEqual(related["location"]["uri"], self.door)
        self.assertEqual(self.text.of(related["location"]["range"]), "Close")

    def test_count_unsaved_imports(self):
        self.assertEqual(self.client.diagnostics(self.door), [])
        motor = self.client.open(self.path("motor.uflow"))
        self.client.change(motor, {"text": MOTOR.replace("Motor", "Engine")})
        self.assertIn("UF0306", [d["code"] for d in self.client.diagnostics(self.door)])
        self.client.tell("textDocument/didClose", {"textDocument": {"uri": motor}})
        self.assertEqual(self.client.diagnostics(self.door), [])

    def test_of_an_import_are_at_the_import(self):
        self.write("motor.uflow", MOTOR.replace("int steps = 0;", "int steps = 0"))
        self.client.tell("textDocument/didSave", {"textDocument": {"uri": self.door}})
        first = self.client.diagnostics(self.door)[0]
        self.assertEqual(self.text.of(first["range"]), '"motor.uflow"')
        self.assertTrue(first["message"].startswith("motor.uflow:"), first["message"])
        self.assertEqual(first["relatedInformation"][0]["location"]["uri"], uri_of(self.path("motor.uflow")))

    def test_of_a_document_that_is_no_file(self):
        uri = self.client.open(None, "flow A { task T { step S { next X; } } }", "untitled:Untitled-1")
        self.assertEqual([d["code"] for d in self.client.diagnostics(uri)], ["UF0301"])
        self.client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.client.diagnostics(self.door)
        self.assertEqual(self.client.published[uri]["diagnostics"], [])


class Options(Case):
    options = {"arguments": ["-Wno-unused-field", "--blocking=halt"], "errors": "https://example.org/errors.html"}

    def test_are_those_of_ufc(self):
        self.replace("flow A { int x; task T { step S { halt(); done; } } }")
        shown = self.client.diagnostics(self.door)
        self.assertEqual([d["code"] for d in shown], ["UF0509"])
        self.assertTrue(shown[0]["codeDescription"]["href"].startswith("https://example.org/errors.html#uf0509-"))


class Changes(Case):
    def test_are_incremental(self):
        for old, new in (("Latch(int steps)", "Latch(int 𝄞steps)"), ("é𝄞 */ ", "é𝄞é */ int x = 1; "),
                         ("Pause;", "Push;")):
            begin, end = self.text.at(old), self.text.at(old, 0, len(old))
            self.client.change(self.door, {"range": {"start": dict(zip(("line", "character"), begin)),
                                                     "end": dict(zip(("line", "character"), end))}, "text": new})
            self.text = Text(self.text.text.replace(old, new, 1))
        self.client.change(self.door, {"range": {"start": {"line": 999, "character": 0},
                                                 "end": {"line": 1000, "character": 9}}, "text": "// end\n"})
        self.write("door.uflow", self.text.text + "// end\n")
        self.assertEqual([(d["code"], d["range"]["start"]["line"] + 1) for d in self.client.diagnostics(self.door)],
                         [(d["code"], d["line"]) for d in self.ufc("door.uflow")])


class Navigation(Case):
    def where(self, answer):
        name = os.path.basename(answer["uri"])
        text = {"door.uflow": self.text, "motor.uflow": Text(MOTOR), "main.c": Text(MAIN)}[name]
        return name, answer["range"]["start"]["line"] + 1, text.of(answer["range"])

    def test_definition(self):
        for words, nth, behind, expected in (
                ("Reopen;", 0, 1, ("door.uflow", 29, "Reopen")), ("become Open", 0, 8, ("door.uflow", 50, "Open")),
                ("Motor.Move", 0, 1, ("motor.uflow", 1, "Motor")), ("Motor.Move", 0, 7, ("motor.uflow", 3, "Move")),
                ("self->tries", 0, 7, ("door.uflow", 17, "tries")), ("flow->here", 0, 7, ("door.uflow", 14, "here")),
                ("flow->motor.position", 0, 14, ("motor.uflow", 2, "position")),
                ("wings[1].position", 0, 10, ("motor.uflow", 2, "position")),
                ("opened ->", 0, 1, ("door.uflow", 13, "opened")),
                ("&flow->opened", 0, 8, ("door.uflow", 13, "opened")), ("on estop", 0, 3, ("door.uflow", 3, "estop")),
                ("orders ->", 0, 1, ("door.uflow", 12, "orders")), ("scale ->", 0, 1, ("door.uflow", 18, "scale")),
                ("submit scale", 0, 8, ("door.uflow", 18, "scale")), ("scale: weigh", 0, 8, ("door.uflow", 6, "weigh")),
                ("spare.Move", 0, 1, ("door.uflow", 11, "spare")), ("spare.Move", 0, 7, ("motor.uflow", 3, "Move")),
                ("arrived(gate)", 0, 9, ("door.uflow", 4, "gate")), ("if (steps", 0, 5, ("door.uflow", 45, "steps")),
                ('"motor.uflow"', 0, 2, ("motor.uflow", 1, ""))):
            with self.subTest(words):
                self.assertEqual(self.where(self.about("definition", words, nth, behind)), expected)
        self.assertIsNone(self.about("definition", "return channel", 0, 2))

    def test_definition_from_c(self):
        main = self.client.open(self.path("main.c"), language="c")
        for words, behind, expected in (("Door_start_Close(&", 12, "Close"), ("Door_start_Close(&", 1, "Door"),
                                        ("Door_orders_send", 7, "orders"), ("Door door", 1, "Door")):
            with self.subTest(words):
                answer = self.client.about("definition", main, *Text(MAIN).at(words, 0, behind))
                self.assertEqual(self.where(answer)[0::2], ("door.uflow", expected))
        self.assertIsNone(self.client.about("definition", main, *Text(MAIN).at("main", 0, 1)))

    def test_headers_beside_an_open_source(self):
        self.write("main.h", '#include "door.h"\n#define CLOSE(door) Door_start_Close(door)\n')
        for _ in "closed", "open":
            answers = self.about("references", "task Close", 0, 6, context={"includeDeclaration": False})
            self.assertIn("main.h", [os.path.basename(one["uri"]) for one in answers])
            self.client.open(self.path("main.c"), language="c")

    def reads_of(self, count):
        """How often the server reads to find the places in a folder of so many sources, each with a made header."""
        for number in range(count):
            self.write(f"many_{number}.c", "int i;\n")
            self.write(f"many_{number}.h", "/* Made by ufc 0.1.0 */\n")
        self.write("compile_commands.json", json.dumps(
            [{"directory": self.folder, "file": f"many_{number}.c"} for number in range(count)]))
        def reads():
            with open(f"/proc/{self.client.process.pid}/io", encoding="ascii") as file:
                return int(re.search(r"syscr: (\d+)", file.read())[1])
        before = reads()
        self.about("references", "task Close", 0, 6, context={"includeDeclaration": True})
        return reads() - before

    @unittest.skipUnless(os.path.exists("/proc/self/io"), "only Linux counts reads")
    def test_many_sources_in_a_folder(self):
        few, many = self.reads_of(50), self.reads_of(200)
        self.assertLess(many, 5 * few)

    def test_commands_that_are_no_file(self):
        os.remove(self.path("compile_commands.json"))
        os.mkfifo(self.path("compile_commands.json"))
        answers = self.about("references", "task Close", 0, 6, context={"includeDeclaration": True})
        self.assertEqual([self.where(one)[0] for one in answers], ["door.uflow"])

    def test_references(self):
        answers = self.about("references", "task Close", 0, 6, context={"includeDeclaration": True})
        self.assertEqual(sorted(map(self.where, answers)), [("door.uflow", 16, "Close"), ("main.c", 6, "Close")])
        answers = self.about("references", "position", 0, 1, context={"includeDeclaration": False})
        self.assertEqual([self.where(a)[0] for a in answers].count("motor.uflow"), 3)
        self.assertEqual([self.where(a)[0] for a in answers].count("door.uflow"), 2)

    def test_highlights(self):
        places = self.about("documentHighlight", "-> Latch", 0, 4)
        self.assertEqual([(self.text.of(p["range"]), p["kind"]) for p in places], [("Latch", 2)] * 3 + [("Latch", 3)])


class Hover(Case):
    def shown(self, words, nth=0, behind=1):
        answer = self.about("hover", words, nth, behind)
        return answer and answer["contents"]["value"]

    def test_of_names(self):
        step = self.shown("step Latch", 0, 6)
        self.assertIn("step Door.Close.Latch(int steps)", step)
        self.assertIn("Reached from: `Door.Close.Push`, `Door.Close.Pause`", step)
        self.assertIn("* `orders`", self.shown("step Pause", 0, 6))
        self.assertIn("task Motor.Move(int to) -> int", self.shown("Motor.Move", 0, 7))
        self.assertIn("Used by: `Door.Close.Push`, `Door.Close.Reopen`", self.shown("Motor.Move", 0, 7))
        signal = self.shown("signal opened", 0, 8)
        self.assertIn("Awaited by: `Door.Close.Pause`", signal)
        self.assertIn("Fired by: `Door.Close.Reopen`", signal)
        self.assertIn("field Door.here: place here", self.shown("flow->here", 0, 7))

    def test_of_durations(self):
        self.assertIn("40ms` = 40000000 ns = 40000 us = 40 ms = 0.04 s", self.shown("40ms"))

    def test_of_words(self):
        for words, heading in (("await {", "await"), ("on estop", "on SIGNAL"), ("become", "become"),
                               ("until", "until"), ("task Close", "Task"), ("flow Door", "Flow"),
                               ("mailbox", "mailbox"),
                               ("submit", "submit"), ("import", "import"), ("arrived", "arrived"),
                               ("worker", "worker"), ("pool", "pool")):
            with self.subTest(words):
                text = self.shown(words)
                self.assertTrue(text.startswith(f"### {heading}\n"), text)
                self.assertLess(len(text), 1500)
        self.assertIsNone(self.shown("return channel"))


class Completion(Case):
    def offered(self, before, after=""):
        """Labels of what completes `before` in a door; the cursor is between the two."""
        whole = DOOR.replace("        step Latch", before + "\0" + after + "\n        step Latch")
        self.replace(whole.replace("\0", ""))
        position = Text(whole).position(whole.index("\0"))
        return {i["label"]: i for i in self.client.about("completion", self.door, *position)}

    def step(self, text, after=""):
        return self.offered("        step More {\n            " + text, after + " }")

    def test_targets(self):
        for text in ("next ", "await 5ms -> ", "if (x) await 5ms -> ", "await { opened -> ",
                     "await { timeout 5ms -> La", "await { scale -> Push else "):
            with self.subTest(text):
                items = self.step(text)
                self.assertLessEqual({"Push", "Latch", "Pause"}, set(items))
                self.assertEqual(items["Latch"]["insertText"], "Latch(${1:steps})")
                self.assertNotIn("Wait", items)
                self.assertEqual("done" in items, text != "next ")
        self.assertEqual(set(self.step("become ")), {"Close", "Open"})
        self.assertEqual(set(self.step("await run ")), {"Door", "Motor"})
        self.assertEqual(set(self.step("await run Motor.")), {"Move"})
        self.assertEqual(set(self.step("spawn ")), {"spare"})
        self.assertEqual(set(self.step("spawn spare.")), {"Move"})
        self.assertEqual(set(self.step("submit ")), {"scale"})

    def test_arms(self):
        items = self.step("await { ")
        self.assertLessEqual({"until", "timeout", "run", "all", "opened", "estop", "gate", "orders", "scale"},
                             set(items))
        self.assertEqual(items["until"]["insertText"], "until ($1) -> $0;")
        self.assertFalse({"task", "step", "next"} & set(items))
        self.assertEqual(set(self.step("await { room(")), {"orders"})
        self.assertEqual(set(self.step("await { vacant(")), {"spare"})
        self.assertEqual(set(self.step("await { any(")), {"scale"})

    def test_members(self):
        self.assertLessEqual({"obstacle", "motor", "here", "orders", "spare"}, set(self.step("flow->")))
        self.assertNotIn("tries", self.step("flow->"))
        self.assertEqual(set(self.step("self->")), {"tries", "scale"})
        for text in ("flow->motor.", "flow->wings[i + 1].", "x = flow->motor.po"):
            self.assertEqual(set(self.step(text)), {"step_ms", "position"}, text)

    def test_words(self):
        self.assertLessEqual({"next", "await", "done", "stay"}, set(self.step("")))
        self.assertFalse({"task", "step", "until"} & set(self.step("")))
        self.assertEqual(set(self.offered("        ")), {"on", "with", "job", "step", "transient"})
        self.assertEqual(set(self.offered("        on ")),
                         {"enter", "exit", "pause", "resume", "suspend", "restore", "timeout", "opened", "estop"})
        self.assertEqual(set(self.step("stay ")), {"every", "timeout"})
        self.assertEqual(self.step('describe "ne'), {})
        self.assertEqual(self.step("// ne"), {})
        self.assertEqual(self.step("/* done;\n ne"), {})
        self.assertIn("next", self.step("/* note */ // note\n            ne"))
        self.assertNotIn("next", self.offered("        on exit {\n            "))
        self.replace("im")
        labels = {i["label"] for i in self.client.about("completion", self.door, 0, 2)}
        self.assertEqual(labels,
                         {"import", "prologue", "header", "source", "flow", "durable", "plain", "worker", "signal",
                          "checkpoint", "test"})

    def test_files(self):
        self.replace('import "')
        self.assertEqual([i["label"] for i in self.client.about("completion", self.door, 0, 8)], ["motor.uflow"])

    def test_every_start_is_accepted(self):
        """Each word that begins a part, filled in, is accepted by the grammar in its place."""
        frames = {"AT_FILE": "%s", "AT_FLOW": "flow A { %s }", "AT_GROUP": "flow A { group G { %s } }",
                  "AT_TASK": "flow A { task T { %s } }", "AT_STEP": "flow A { task T { step S { %s } } }",
                  "AT_WORKER": "worker int w(int a) { %s }", "AT_TEST": "test \"t\" { %s }",
                  "AT_EXPLORE": "test \"t\" { explore { %s } }"}
        with open(os.path.join(ROOT, "tools/lsp/complete.def"), encoding="utf-8") as file:
            rows = re.findall(r'^WORD\("(\w+)", ([A-Z_ |]+),\s+"(.*)"\)$', file.read(), re.M)
        self.assertGreater(len(rows), 25)
        with open(os.path.join(ROOT, "generator/syntax/words.def"), encoding="utf-8") as file:
            words = re.findall(r'^WORD\(\w+, "(\w+)", [^)]*IS_(?:MEMBER|INTENT)\b', file.read(), re.M)
        self.assertEqual(set(words) - {word for word, _, _ in rows}, set())
        for word, levels, snippet in rows:
            text = snippet.replace("\\n", "\n").replace('\\"', '"')
            text = re.sub(r"\$\{\d+:([^}]*)\}", r"\1", text)
            text = {"on ": "on exit { }", "forever task Name {\n    \n}": "forever task Name { step S { done; } }"}.get(
                text.replace("$0", ""), text.replace("$0", ""))
            text = re.sub(r"\$\d", "int a" if word == "worker" else "", text)
            for level in levels.split(" | "):
                self.replace(frames[level] % (text.replace("exit", "init") if level == "AT_FLOW" else text))
                codes = [d["code"] for d in self.client.diagnostics(self.door)]
                self.assertFalse([c for c in codes if c < "UF0300" and word not in ("import",)], (word, level, text))


class Rename(Case):
    def renamed(self, words, nth, behind, name):
        answer = self.about("rename", words, nth, behind, newName=name)
        texts = {"door.uflow": self.text, "motor.uflow": Text(MOTOR), "main.c": Text(MAIN)}
        return {os.path.basename(uri): texts[os.path.basename(uri)].edited(edits)
                for uri, edits in answer["changes"].items()}

    def test_everywhere(self):
        texts = self.renamed("task Close", 0, 6, "Shut")
        self.assertEqual(texts, {"door.uflow": DOOR.replace("task Close", "task Shut"),
                                 "main.c": MAIN.replace("Door_start_Close(&", "Door_start_Shut(&")})
        texts = self.renamed("Motor motor", 0, 1, "Engine")
        self.assertEqual(texts, {"door.uflow": DOOR.replace("Motor", "Engine"),
                                 "motor.uflow": MOTOR.replace("Motor", "Engine")})
        texts = self.renamed("motor.position", 0, 7, "place_of_motor")
        self.assertEqual(set(texts), {"door.uflow", "motor.uflow"})
        texts = self.renamed("step Latch", 0, 6, "Lock")
        self.assertEqual(texts, {"door.uflow": DOOR.replace("Latch", "Lock")})
        texts = self.renamed("int steps)", 0, 5, "count")
        self.assertEqual(texts, {"door.uflow": DOOR.replace("steps", "count")})
        self.assertEqual(self.renamed("mailbox int orders", 0, 12, "jobs_in")["main.c"],
                         MAIN.replace("orders", "jobs_in"))

    def test_warns_of_members_in_c(self):
        self.renamed("place here", 0, 7, "there")
        self.assertIn("main.c:7 may use `here`", self.client.messages[-1]["params"]["message"])

    def test_refuses(self):
        for words, behind, name, reason in (
                ("step Latch", 6, "Push", "would not compile"), ("step Latch", 6, "2x", "no name"),
                ("step Latch", 6, "while", "no name"), ("return channel", 2, "x", "only names"),
                ("int tries", 5, "scale", "would not compile")):
            with self.subTest(name), self.assertRaisesRegex(Refused, reason):
                self.about("rename", words, 0, behind, newName=name)
        self.replace(DOOR.replace("if (steps", "int count = 2; if (count + steps"))
        with self.assertRaisesRegex(Refused, "another meaning|would not compile"):
            self.about("rename", "step Latch(int", 0, 16, newName="count")
        self.replace(DOOR.replace("done;\n", "done\n", 1))
        with self.assertRaisesRegex(Refused, "syntax error"):
            self.about("rename", "step Pause", 0, 6, newName="Rest")

    def test_prepare(self):
        answer = self.about("prepareRename", "-> Latch", 0, 4)
        self.assertEqual((answer["placeholder"], self.text.of(answer["range"])), ("Latch", "Latch"))
        with self.assertRaises(Refused):
            self.about("prepareRename", "return channel", 0, 2)


class Structure(Case):
    def test_symbols(self):
        symbols = self.client.about("documentSymbol", self.door)
        names = {s["name"]: s for s in symbols}
        self.assertEqual(list(names), ["Door", "estop", "gate", "weigh"])
        close = next(s for s in names["Door"]["children"] if s["name"] == "Close")
        self.assertEqual([s["name"] for s in close["children"]], ["tries", "scale", "Push", "Reopen", "Pause", "Latch"])
        self.assertTrue(self.text.of(close["range"]).endswith("}"))
        self.assertEqual(self.text.of(close["selectionRange"]), "Close")

    def test_tests(self):
        self.replace(MOTOR + """test "moves" {
    flow Motor motor(2);
    always (!in(Motor.Move.Turn, &flow->motor) || flow->motor.position < 9);
    step Begin { await run Motor.Move(&flow->motor, 3) -> End(result); }
    step End(int steps) { expect(steps == 3); done; }
}
""")
        self.assertEqual([d["code"] for d in self.client.diagnostics(self.door)], [])
        test = self.client.about("documentSymbol", self.door)[-1]
        self.assertEqual((test["name"], [s["name"] for s in test["children"]]), ("moves", ["motor", "Begin", "End"]))
        for words, behind, line in (("in(Motor", 4, 1), ("Move.Turn", 1, 3), ("Move.Turn", 6, 6),
                                    ("motor.position", 7, 2), ("motor.position", 1, 15), ("-> End", 4, 18),
                                    ("expect(steps", 8, 18)):
            with self.subTest(words):
                answer = self.about("definition", words, 0, behind)
                self.assertEqual(answer and answer["range"]["start"]["line"] + 1, line)

    def test_folds(self):
        folds = [(f["startLine"] + 1, f["endLine"] + 1) for f in self.client.about("foldingRange", self.door)]
        self.assertIn((16, 48), folds)
        self.assertIn((23, 26), folds)

    def test_selections(self):
        answer = self.client.about("selectionRange", self.door,
                                   positions=[dict(zip(("line", "character"), self.text.at("steps > 3", 0, 1)))])[0]
        texts = []
        while answer:
            texts.append(self.text.of(answer["range"]))
            answer = answer.get("parent")
        self.assertEqual(texts[:3], ["steps", "steps > 3", "(steps > 3)"])
        self.assertEqual(texts[-1], DOOR)
        self.assertEqual(sorted(texts, key=len), texts)

    def test_colours(self):
        legend = self.client.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
        data = self.client.about("semanticTokens/full", self.door)["data"]
        line, column, found = 0, 0, []
        for i in range(0, len(data), 5):
            line, column = line + data[i], data[i + 1] + (0 if data[i] else column)
            end = {"line": line, "character": column + data[i + 2]}
            text = self.text.of({"start": {"line": line, "character": column}, "end": end})
            found.append((text, legend[data[i + 3]]))
        for one in (("Door", "class"), ("Close", "method"), ("Push", "function"), ("await", "keyword"),
                    ("opened", "event"), ("tries", "property"), ("obstacle", "parameter"), ("become", "keyword")):
            self.assertIn(one, found)

    def test_formatting(self):
        self.replace(DOOR.replace("        step Reopen", "  step    Reopen").replace("done;\n", "done ;\n"))
        edits = self.client.about("formatting", self.door, options={"tabSize": 4, "insertSpaces": True})
        self.write("door.uflow", self.text.text)
        by_ufc = subprocess.run([UFC, "fmt", self.path("door.uflow")], capture_output=True, text=True,
                                check=True).stdout
        self.assertEqual(self.text.edited(edits), by_ufc)
        self.replace(by_ufc)
        self.assertEqual(self.client.about("formatting", self.door, options={}), [])
        self.replace("flow A {")
        with self.assertRaises(Refused):
            self.client.about("formatting", self.door, options={})

    def test_actions(self):
        for old, new, title, fixed in (
                ("-> Pause;", "-> Pausee;", "Write `Pause`", None),
                ("-> Pause;", "-> Rest;", "Add step Rest", "step Rest {"),
                ('import "motor.uflow";\n', "", "Import motor.uflow", None)):
            with self.subTest(title):
                self.replace(DOOR.replace(old, new))
                wrong = self.client.diagnostics(self.door)[0]
                actions = self.client.about("codeAction", self.door, range=wrong["range"],
                                            context={"diagnostics": [wrong]})
                action = next(a for a in actions if a["title"] == title)
                text = self.text.edited(action["edit"]["changes"][self.door])
                self.replace(text)
                self.assertIn(fixed, text) if fixed else self.assertEqual(text, DOOR)
                self.assertFalse([d for d in self.client.diagnostics(self.door) if d["severity"] == 1])


class Utf8(Case):
    capabilities = {"general": {"positionEncodings": ["utf-8", "utf-16"]}}

    def test_positions_count_bytes(self):
        self.assertEqual(self.client.capabilities["positionEncoding"], "utf-8")
        answer = self.about("documentHighlight", "flow->here", 0, 7 + 3 + 0)
        line, column = Text(DOOR).at("flow->here", 0, 6)
        shift = len("é𝄞".encode()) - 3
        places = self.client.about("documentHighlight", self.door, line, column + shift)
        self.assertIn({"line": line, "character": column + shift}, [p["range"]["start"] for p in places])
        self.assertIsNotNone(answer)


class Documents(unittest.TestCase):
    def test_have_all_requests(self):
        with open(os.path.join(ROOT, "docs/uflow-lsp.md"), encoding="utf-8") as file: text = file.read()
        with open(os.path.join(ROOT, "tools/lsp/requests.def"), encoding="utf-8") as file:
            methods = re.findall(r'^REQUEST\("([^"]+)"', file.read(), re.M)
        self.assertGreater(len(methods), 10)
        self.assertEqual([method for method in methods if f"`{method}`" not in text], [])

    def test_manual_has_the_options_of_the_help(self):
        shown = subprocess.run([SERVER, "--help"], capture_output=True, text=True, check=True).stdout
        with open(os.path.join(ROOT, "tools/lsp/uflow-lsp.1"), encoding="utf-8") as file:
            manual = re.sub(r"\\f[A-Z]|\\", "", file.read())
        options = re.findall(r"(?<=[ ,])(--[a-z]+|-[IW])", shown)
        self.assertGreater(len(options), 5)
        for option in options: self.assertIn(option, manual)


class Life(unittest.TestCase):
    def test_malformed_messages(self):
        client = Client()
        for content, code in ((b"{", -32700), (b"\xff\xfe", -32700), (b"[1, 2]", -32600), (b'"x"', -32700),
                              (b'{"id": 1}', -32600), (b"", -32700)):
            client.write(content)
            self.assertEqual(client.read()["error"]["code"], code, content)
        client.write(b'{"jsonrpc": "2.0", "id": 5, "method": "no/such"}',
                     b"Garbage\r\nX-Other: 1\r\ncontent-length: 48\r\nContent-Type: x\r\n\r\n")
        self.assertEqual(client.read()["error"]["code"], -32601)
        client.write(b"", b"Content-Length: 99999999999\r\n\r\n")
        self.assertEqual(client.read()["error"]["code"], -32700)
        client.tell("no/such", {})
        client.tell("textDocument/didOpen", None)
        client.tell("textDocument/didChange", {"textDocument": 3})
        client.tell("textDocument/didClose", [])
        for params in (None, [], {}, {"textDocument": []}, {"textDocument": {"uri": "file:///none"}}):
            with self.assertRaises(Refused):
                client.ask("textDocument/hover", params)
        client.end()

    def test_order(self):
        client = Client(starts=False)
        with self.assertRaisesRegex(Refused, "-32002"):
            client.ask("textDocument/hover", {})
        client.ask("initialize", {"capabilities": {}})
        client.ask("shutdown", None)
        with self.assertRaisesRegex(Refused, "-32600"):
            client.ask("textDocument/hover", {})
        client.tell("exit", None)
        self.assertEqual(client.process.wait(60), 0)

    def test_end_of_input(self):
        client = Client()
        client.process.stdin.close()
        self.assertEqual(client.process.wait(60), 1)

    def test_cancel(self):
        client = Client()
        uri = client.open(None, DOOR * 200, "untitled:long")
        messages = [{"id": f"r{i}", "method": "textDocument/semanticTokens/full",
                     "params": {"textDocument": {"uri": uri}}} for i in range(4)]
        messages.append({"method": "$/cancelRequest", "params": {"id": "r3"}})
        contents = [json.dumps({"jsonrpc": "2.0", **m}).encode() for m in messages]
        client.process.stdin.write(b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(c), c) for c in contents))
        client.process.stdin.flush()
        with self.assertRaisesRegex(Refused, "-32800"):
            client.answer_of("r3")
        client.end()

    def test_command_line(self):
        for arguments, status in ((["--help"], 0), (["--version"], 0), (["--wrong"], 2)):
            run = subprocess.run([SERVER, *arguments], capture_output=True, text=True, check=False,
                                 stdin=subprocess.DEVNULL)
            self.assertEqual(run.returncode, status)
            self.assertIn("uflow-lsp", run.stdout + run.stderr)
        client = Client(arguments=["-Wno-unused-field"])
        uri = client.open(None, "flow A { int x; task T { step S { done; } } }", "untitled:a")
        self.assertEqual(client.diagnostics(uri), [])
        client.end()


if __name__ == "__main__":
    run_tests()
