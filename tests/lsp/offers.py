#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What uflow-lsp offers beside names: call hierarchy, inlay hints, lenses of tests, commands, and changes of a text.

usage: offers.py [NAME...]"""
import os
import subprocess
import sys
import tempfile
import unittest

import check
from client import Client, Refused, uri_of

DOOR, MOTOR = check.DOOR, check.MOTOR
TEST = """
test "closes" within 10s {
    bool obstacle = false;
    flow Door door(&flow->obstacle);
    at (2 * 30) s { uf_signal_fire(&estop); }
    step Begin { await run Door.Close(&flow->door) -> End else End; }
    step End { done; }
    explore { late 20ms; }
}
test "opens" { flow Door door(NULL); step Begin { done; } }
"""


class Calls(check.Case):
    def item(self, words, nth=0, behind=1):
        items = self.about("prepareCallHierarchy", words, nth, behind)
        return items and items[0]

    def calls(self, way, item):
        """(name, what it does, the texts of its ranges) of the other ends."""
        end = {"incoming": "from", "outgoing": "to"}[way]
        return [(call[end]["name"], call[end]["detail"], len(call["fromRanges"]))
                for call in self.client.ask(f"callHierarchy/{way}Calls", {"item": item})]

    def test_who_uses_a_task(self):
        item = self.item("run Motor.Move", 0, 12)
        self.assertEqual((item["name"], item["uri"]), ("Motor.Move", uri_of(self.path("motor.uflow"))))
        self.assertEqual(self.calls("incoming", item),
                         [("Door.Close", "runs", 2), ("Door.Close", "spawns", 1)])
        item = self.item("task Close", 0, 6)
        self.assertEqual(self.calls("incoming", item), [("main.c", "starts", 1)])
        self.assertEqual(self.calls("incoming", self.item("task Open", 0, 6)), [("Door.Close", "becomes", 1)])

    def test_what_a_task_uses(self):
        item = self.item("self->tries", 0, 7)  # the task around it
        self.assertEqual(item["name"], "Door.Close")
        self.assertEqual(self.calls("outgoing", item),
                         [("estop", "waits for", 1), ("Motor.Move", "runs", 2), ("Door.opened", "fires", 1),
                          ("Motor.Move", "spawns", 1), ("Door.opened", "waits for", 1),
                          ("Door.orders", "waits for", 1), ("gate", "waits for", 1), ("Door.Open", "becomes", 1)])

    def test_signals(self):
        item = self.item("signal opened", 0, 8)
        self.assertEqual(self.calls("incoming", item), [("Door.Close", "fires", 1), ("Door.Close", "waits for", 1)])
        self.assertEqual(self.calls("outgoing", item), [])
        self.assertEqual(self.calls("incoming", self.item("mailbox int orders", 0, 12)),
                         [("Door.Close", "waits for", 1), ("main.c", "sends to", 1)])
        self.assertIsNone(self.item("typedef int place", 0, 13))

    def test_from_c_and_from_a_test(self):
        self.replace(DOOR + TEST)
        item = self.item("task Close", 0, 6)
        self.assertEqual(self.calls("incoming", item), [("closes", "runs", 1), ("main.c", "starts", 1)])
        test = self.client.ask("callHierarchy/incomingCalls", {"item": item})[0]["from"]
        self.assertEqual(self.calls("outgoing", test), [("estop", "fires", 1), ("Door.Close", "runs", 1)])
        main = self.client.open(self.path("main.c"), language="c")
        line, column = check.Text(check.MAIN).at("(void)Door_start_Close", 0, 20)
        self.assertEqual(self.client.about("prepareCallHierarchy", main, line, column)[0]["name"], "Door.Close")
        file = self.client.ask("callHierarchy/incomingCalls", {"item": item})[1]["from"]
        self.assertEqual((self.calls("incoming", file), self.calls("outgoing", file)), ([], []))


class Hints(check.Case):
    def hints(self, first=0, end=9999):
        """The hints with what stands behind them, or, for values, before them."""
        answer = self.client.about("inlayHint", self.door, range={"start": {"line": first, "character": 0},
                                                                   "end": {"line": end, "character": 0}})
        found = []
        for hint in answer:
            at = self.text.offset(hint["position"])
            is_value = hint["label"].startswith("=")
            found.append((hint["label"], self.text.text[at - 3:at] if is_value else self.text.text[at:at + 3]))
        return found

    def test_names_of_arguments(self):
        found = self.hints()
        self.assertEqual(found, [("step_ms:", "100"), ("step_ms:", "ind"), ("step_ms:", "ind"), ("channel:", "1);"),
                                 ("to:", "10)"), ("steps:", "res"), ("to:", "3);"), ("to:", "0) "), ("steps:", "ite"),
                                 ("steps:", "res")])
        line = self.text.at("submit")[0]
        self.assertEqual(self.hints(line, line + 1), [("channel:", "1);")])

    def test_names_that_say_themselves(self):
        self.replace(DOOR.replace("Motor motor(100)", "Motor motor(step_ms)").replace(
            "flow Door(", "flow Door(int step_ms, "))
        self.assertNotIn(("step_ms:", "ste"), self.hints())

    def test_computed_times(self):
        for text, label in (("(2 * 60) s", "= 2 min"), ("(1 + 2 * 3 - 4) ms", "= 3 ms"), ("((90)) s", "= 1.5 min"),
                            ("(1'000 * 60) ms", "= 1 min"), ("(3 - 4) s", None), ("(2 * N) s", None), ("(7) s", None),
                            ("(1 / 2) s", None), ("(010) s", None), ("(2.5 * 2) s", None), ("120s", None)):
            with self.subTest(text):
                self.replace(f"flow A {{ task T {{ on timeout {text} -> fail; step S {{ await {text} -> S; }} }} }}")
                self.assertEqual([hint for hint, _ in self.hints()], [label, label] if label else [])


class Lenses(check.Case):
    def test_of_tests(self):
        self.assertEqual(self.client.about("codeLens", self.door), [])
        self.replace(DOOR + TEST)
        lenses = self.client.about("codeLens", self.door)
        line = self.text.at('test "closes"')[0] + 1
        self.assertEqual([(lens["command"]["title"], *lens["command"]["arguments"][1:3]) for lens in lenses],
                         [("run", line, "closes"), ("debug", line, "closes"), ("explore", line, "closes"),
                          ("run", line + 8, "opens"), ("debug", line + 8, "opens")])
        self.assertEqual(lenses[0]["command"]["command"], "uflow.runTest")
        self.assertEqual(lenses[0]["range"]["start"]["line"] + 1, line)


class Commands(check.Case):
    def run_command(self, name, *arguments):
        return self.client.ask("workspace/executeCommand", {"command": name, "arguments": [self.door, *arguments]})

    def test_are_announced(self):
        names = self.client.capabilities["executeCommandProvider"]["commands"]
        self.assertEqual(names, ["uflow.diagram", "uflow.generatedC", "uflow.switchOff"])
        for name, reason in (("uflow.no", "no command"), ("uflow.switchOff", "no such warning")):
            with self.assertRaisesRegex(Refused, reason):
                self.run_command(name)

    def test_are_not_announced_to_a_client_that_has_them(self):
        client = Client(options={"ownsCommands": True})
        self.assertNotIn("executeCommandProvider", client.capabilities)
        client.end()

    def by_ufc(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "made")
            subprocess.run([check.UFC, *arguments, self.path("door.uflow"), "-o", path], check=True)
            with open(path, encoding="utf-8") as file: return file.read()

    def test_diagram(self):
        line, character = self.text.at("step Push")
        answer = self.run_command("uflow.diagram", {"line": line, "character": character})
        self.assertEqual((answer["flow"], answer["isPresent"]), ("Door", True))
        self.assertEqual(len(answer["html"]), len(self.by_ufc("--emit=html")))
        self.client.diagnostics(self.door)
        self.replace(DOOR.replace("done;", "done", 1))
        self.assertFalse(self.run_command("uflow.diagram")["isPresent"])
        self.assertEqual(self.run_command("uflow.diagram")["html"], answer["html"])

    def test_without_a_good_text(self):
        uri = self.client.open(None, "flow A {", "untitled:a")
        with self.assertRaisesRegex(Refused, "at no time"):
            self.client.ask("workspace/executeCommand", {"command": "uflow.diagram", "arguments": [uri]})

    def test_generated_c(self):
        answer = self.run_command("uflow.generatedC")
        made, source = answer["text"].splitlines(), DOOR.splitlines()
        self.assertIn("Door_start_Close", answer["text"])
        self.assertGreater(len(answer["places"]), 10)
        same = [(c, line) for c, line in answer["places"] if made[c - 1].strip() == source[line - 1].strip()]
        self.assertGreater(len(same), 3)
        place = dict((line, c) for c, line in answer["places"])[self.text.at("self->tries == 3")[0] + 1]
        self.assertIn("tries == 3", made[place - 1])

    def test_switch_off(self):
        self.replace(DOOR.replace("int tries = 0;", "int tries = 0, unused;"))
        wrong = self.client.diagnostics(self.door)[0]
        actions = self.client.about("codeAction", self.door, range=wrong["range"], context={"diagnostics": [wrong]})
        action = next(a for a in actions if a["title"] == "Switch off -Wunused-field")
        self.client.ask("workspace/executeCommand", {key: action["command"][key] for key in ("command", "arguments")})
        self.assertEqual(self.client.diagnostics(self.door), [])


class Actions(check.Case):
    def act(self, title, text, words, behind=1, nth=0):
        """The text after the action with this title, at a place; NULL: it is not offered."""
        self.replace(text)
        at = dict(zip(("line", "character"), self.text.at(words, nth, behind)))
        actions = self.client.about("codeAction", self.door, range={"start": at, "end": at}, context={})
        found = [a for a in actions if a["title"] == title]
        if not found: return None
        made = self.text.edited(found[0]["edit"]["changes"][self.door])
        self.replace(made)
        self.assertFalse([d for d in self.client.diagnostics(self.door) if d["severity"] == 1], made)
        return made

    def test_add_timeout(self):
        arm = 'timeout 5s -> fail "no answer";'
        text = DOOR.replace("                timeout 2s -> Push;\n", "")
        self.assertIn(f"arrived(gate) -> Push;\n                {arm}\n            }}",
                      self.act("Add a timeout", text, "arrived(gate)"))
        self.assertIn(f"await {{\n                run Motor.Move(&flow->motor, 0) -> Pause;\n                {arm}\n"
                      "            }\n        }", self.act("Add a timeout", DOOR, "await run"))
        self.assertIsNone(self.act("Add a timeout", DOOR, "arrived(gate)"))
        self.assertIn(f"go -> S; {arm} }}", self.act(
            "Add a timeout", "signal go; flow A { task T { step S { await { go -> S; } } } }", "go ->"))

    def test_add_else(self):
        self.assertIn("-> Latch(result) else fail;", self.act("Add `else`", DOOR, "run Motor"))
        self.assertIsNone(self.act("Add `else`", DOOR, "scale -> Latch"))
        self.assertIsNone(self.act("Add `else`", DOOR, "opened -> Push"))

    def test_sort_arms(self):
        title = "Sort arms: timeouts last"
        opened, timeout = "                opened -> Push;\n", "                timeout 2s -> Push;\n"
        text = DOOR.replace(timeout, "").replace(opened, timeout + opened)
        self.assertEqual(self.act(title, text, "opened ->"), DOOR)
        self.assertIsNone(self.act(title, DOOR, "opened ->"))

    def test_make_a_field(self):
        title = "Make `count` a field of the task"
        text = DOOR.replace("            if (steps > 3) become Open;\n",
                            "            int count = steps + 1;\n            if (count > 3) become Open;\n")
        made = self.act(title, text, "int count", 5)
        self.assertIn("    task Close {\n        int count;\n        int tries = 0;", made)
        self.assertIn("            self->count = steps + 1;\n            if (self->count > 3) become Open;", made)
        self.assertIn("if (self->count", self.act(title, text, "count > 3"))
        made = self.act(title, text.replace("int count = steps + 1;", "int count; count = 2;"), "count > 3")
        self.assertIn("            self->count = 2;\n", made)
        self.assertIsNone(self.act(title, text.replace("int count = steps + 1", "int count[2] = { steps }").replace(
            "count >", "count[0] >"), "count[0]"))

    def test_helps(self):
        """Helps that are changes of the text."""
        flow = "signal go; flow A { task T { %s } }"
        for title, wrong, words, right in (
                ("Leave `else` out", "step S { await go -> S else fail; }", "fail", "step S { await go -> S; }"),
                ("Add a step", "on enter { }", "T {", "on enter { } step Begin { done; }"),
                ("Write `;`", "step S { await { go -> S, timeout 1s -> S; } }", ", t",
                 "step S { await { go -> S; timeout 1s -> S; } }"),
                ("Write `0.5s`", "step S { await .5s -> S; }", ".5s", "step S { await 0.5s -> S; }"),
                ("Write `1'000ms`", "step S { await 1e3ms -> S; }", "1e3ms", "step S { await 1'000ms -> S; }")):
            with self.subTest(title): self.assertEqual(self.act(title, flow % wrong, words), flow % right)
        self.assertEqual(self.act("Add a step", 'test "a" { }', "a"), 'test "a" { step Begin { done; } }')


class Closed(unittest.TestCase):
    def test_item_of_a_file_that_is_gone(self):
        client = Client()
        place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
        item = {"name": "x", "kind": 6, "uri": "file:///nowhere/x.uflow", "range": place, "selectionRange": place}
        for way in ("incoming", "outgoing"):
            self.assertEqual(client.ask(f"callHierarchy/{way}Calls", {"item": item}), [])
        for params in ({}, {"item": 3}, {"item": {}}):
            self.assertEqual(client.ask("callHierarchy/incomingCalls", params) if "item" in params else [], [])
        client.end()


if __name__ == "__main__":
    sys.path.insert(0, os.path.join(check.ROOT, "tests"))
    from chosen import run_tests
    run_tests()
