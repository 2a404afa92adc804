#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""C in bodies, in uflow-lsp: what clangd answers, a clangd that ends, none, and the text that it gets.

usage: inside.py [NAME...]"""
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import check
from client import LIMIT, Client, Refused, Text

ROOT = check.ROOT
INCLUDE = os.path.join(ROOT, "runtime/include")
DOOR = check.DOOR.replace("signal estop;", """source {
/* Twice as far. */
static int twice(int far, int more) { return 2 * far + more; }
}
signal estop;""").replace("/* é𝄞 */", "/* é𝄞 */ int near = twice(1, 2); near++; (void)near;") + """
flow Gate { task Lift { step Up { if (twice(3, 4) > 9) done; fail "low"; } } }
"""
needs_clangd = unittest.skipUnless(shutil.which("clangd"), "needs clangd")


def items(answer):
    return answer if isinstance(answer, list) else answer["items"]


def labels(answer):
    return [item["label"] for item in items(answer)]


class Inside(check.Case):
    options = {}

    def setUp(self):
        self.left = tempfile.TemporaryDirectory()
        here = unittest.mock.patch.dict(os.environ, TMPDIR=self.left.name)
        here.start()
        self.addCleanup(here.stop)
        super().setUp()
        command = f"cc -I{INCLUDE} -Wall -c door.c"
        self.write("compile_commands.json", json.dumps([
            {"directory": self.folder, "file": name, "command": command} for name in ("main.c", "door.c")]))
        self.replace(DOOR)

    def tearDown(self):
        super().tearDown()
        self.assertEqual(os.listdir(self.left.name), [])
        self.left.cleanup()

    def at(self, method, words, nth=0, behind=1, **more):
        """The texts of the ranges that the answer has."""
        answer = self.about(method, words, nth, behind, **more)
        return [(self.text.position(self.text.offset(one["range"]["start"]))[0] + 1, self.text.of(one["range"]))
                for one in answer]

    def write_from_good(self, text):
        """As one types: the text was without errors before."""
        self.replace(DOOR)
        self.assertEqual(self.client.diagnostics(self.door), [])
        self.replace(text)

    def problems(self, count):
        """Waits until so many are published."""
        while len(self.client.published.get(self.door, {}).get("diagnostics", "?")) != count: self.client.read()
        return [(d["source"], self.text.of(d["range"])) for d in self.client.published[self.door]["diagnostics"]]


@needs_clangd
class Requests(Inside):
    def test_hover(self):
        hover = self.about("hover", "= twice", 0, 3)
        self.assertIn("static int twice(int far, int more)", hover["contents"]["value"])
        self.assertEqual(self.text.of(hover["range"]), "twice")
        self.assertIn("Waits for", self.about("hover", "step Push", 0, 6)["contents"]["value"])

    def test_places(self):
        line = self.text.at("int twice")[0] + 1
        self.assertEqual(self.at("definition", "= twice", 0, 3), [(line, "twice")])
        self.assertEqual(self.at("definition", "near++"), [(self.text.at("int near")[0] + 1, "near")])
        header = self.about("definition", "uf_signal_fire")[0]["uri"]
        self.assertTrue(header.endswith("uflow/signal.h"), header)
        uses = self.at("references", "= twice", 0, 3, context={"includeDeclaration": True})
        self.assertEqual(uses, [(self.text.at("twice", nth)[0] + 1, "twice") for nth in range(3)])
        self.assertEqual([text for _, text in self.at("documentHighlight", "near++")], ["near"] * 3)

    def test_completion(self):
        offered = self.about("completion", "= twice", 0, 4)
        item = next(i for i in items(offered) if i["label"].startswith("twice"))
        self.assertEqual(self.text.of(item["textEdit"]["range"]), "tw")
        offered = labels(self.about("completion", "flow->here", 0, 6))
        self.assertEqual(offered.count("here"), 1)
        self.assertNotIn("uf_arms", offered)
        help_ = self.about("signatureHelp", "twice(1, ", 0, 9)
        self.assertEqual((help_["activeParameter"], help_["signatures"][0]["label"]),
                         (1, "twice(int far, int more) -> int"))

    def test_rename(self):
        def renamed(words, nth, behind):
            changes = self.about("rename", words, nth, behind, newName="other")["changes"]
            return self.text.edited(changes.pop(self.door)), list(changes)
        self.assertEqual(self.text.of(self.about("prepareRename", "near++")), "near")
        self.assertEqual(renamed("near++", 0, 1), (DOOR.replace("near", "other"), []))
        self.assertEqual(renamed("= twice", 0, 3), (DOOR.replace("twice", "other"), []))
        self.assertEqual(renamed("step Latch", 0, 6)[0], DOOR.replace("Latch", "other"))
        for words, behind in (("uf_signal_fire", 1), ("int place", 5)):
            with self.subTest(words):
                self.assertRaises(Refused, self.about, "prepareRename", words, 0, behind)
                with self.assertRaisesRegex(Refused, "declared elsewhere"):
                    self.about("rename", words, 0, behind, newName="other")
        with self.assertRaisesRegex(Refused, "compile|clangd"):
            self.about("rename", "near++", newName="while")

    def test_half_written(self):
        for old, new, words, expected in (
                ("near++;", "struct { int inner; } both; both.", "both.", "inner"),
                ("near++;", "if (nea", "(nea", "near"),
                ("near++;", "flow->", "int near = twice(1, 2); flow->", "here"),
                ("submit scale(1);", "submit scale(1); struct { int inner; } both; both.", "both.", "inner"),
                ("(*flow->obstacle)", "(*flow->", "(*flow->", "obstacle"),
                ('done; fail "low";', "done; fail twi", "fail twi", "twice(int far, int more)")):
            with self.subTest(new):
                self.write_from_good(DOOR.replace(old, new))
                self.assertIn(expected, labels(self.about("completion", words, 0, len(words))))
        self.write_from_good("// " + DOOR)
        self.assertIn("static int twice", self.about("hover", "= twice", 0, 3)["contents"]["value"])

    def test_order(self):
        """Clients sort by `sortText`, or else by the label."""
        for words in ("flow->here", "near++;"):
            offered = sorted(items(self.about("completion", words, 0, len(words) - 4)),
                             key=lambda item: item.get("sortText", item["label"]))
            of_c = ["sortText" in item for item in offered]
            self.assertEqual((of_c, of_c[0], of_c[-1]), (sorted(of_c), False, True))

    def test_where_no_name_of_c_fits(self):
        steps = ["Push", "Reopen", "Pause", "Latch"]
        for old, new, expected in (("become Open;", "await 2s -> ", [*steps, "done", "fail", "become"]),
                                   ("become Open;", "next ", steps), ("become Open;", "await run Motor.", ["Move"]),
                                   ("become Open;", "await run ", ["Door", "Gate", "Motor"]),
                                   ("near++;", "unknown->", [])):
            with self.subTest(new):
                self.write_from_good(DOOR.replace(old, new))
                at = DOOR.index(old) + len(new)
                self.assertEqual(labels(self.client.about("completion", self.door, *self.text.position(at))), expected)

    def test_a_missing_header_is_said_once(self):
        self.write("compile_commands.json", "[]")
        for _ in range(2):
            self.about("hover", "= twice", 0, 3)
            self.replace("/* lower */\n" + self.text.text)
        while not self.client.messages: self.client.read()
        self.about("hover", "= twice", 0, 3)
        said, = self.client.messages
        self.assertRegex(said["params"]["message"], "uflow.h' file not found.*-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")

    def test_diagnostics(self):
        self.about("hover", "= twice", 0, 3)
        self.replace(DOOR.replace("near++;", 'near++; int idle; near = "text";'))
        self.assertEqual(self.problems(2), [("clangd", "="), ("clangd", "idle")])
        self.replace("/* lower */\n" + self.text.text)
        self.problems(0)
        self.assertEqual(self.problems(2), [("clangd", "="), ("clangd", "idle")])
        self.replace(self.text.text.replace("-> Pause;", "-> Pausee;"))
        self.assertEqual({d["source"] for d in self.client.diagnostics(self.door)}, {"ufc"})

    def test_clangd_is_killed(self):
        for _ in range(3):
            self.about("hover", "= twice", 0, 3)
            os.kill(self.client.child(), signal.SIGKILL)
            offered = labels(self.about("completion", "= twice", 0, 4))
            self.assertIn("twice(int far, int more)", offered)
        self.assertFalse(self.client.messages)


def hatches(count):
    return "".join(f"flow Hatch{i} {{ int tries = 0; task Lift {{ step Up {{ done; }} }} }}\n" for i in range(count))


@needs_clangd
class Long(Inside):
    """Many declarations: from the second request on, clangd has them from a file."""

    def replace(self, text):
        super().replace(text + hatches(100))

    def offered(self, words, behind):
        return self.about("completion", words, 0, behind)

    def until(self, is_so, words):
        """Some clangds index what they have parsed behind the first answer."""
        for _ in range(1000):
            offered = sorted(labels(self.offered(words, len(words))))
            if is_so(offered): return
        self.fail(offered)

    def prepare(self):
        self.offered("= twice", 4)
        self.assertEqual(len(os.listdir(self.left.name)), 1)

    def test_offers_are_those_of_the_whole(self):
        self.write("beside.h", "enum { beside_one = 1 };\n")
        text = DOOR.replace("header {", 'header {\n#include "beside.h"\n')
        for number, (new, words) in enumerate((
                ("near++;", "flow->he"), ("near++; Hatch77_st", "Hatch77_st"), ("near++; Motor", "++; Motor"),
                ("near++; beside", "++; beside"), ("near++; uf_signal_f", "++; uf_signal_f"),
                ("near++; flow->motor.", "; flow->motor."), ("near++; struct { int it; } a; a.", "} a; a."))):
            with self.subTest(new):
                # With a field more, it is asked of the whole first.
                self.replace(text.replace("near++;", new).replace("place here;", f"place here; int field{number};"))
                whole = sorted(set(labels(self.offered(words, len(words)))))
                self.until(lambda offered: offered == whole, words)  # each once
        self.assertEqual(*(self.about("signatureHelp", "twice(1, ", 0, 9) for _ in range(2)))

    def test_a_new_field_is_offered_at_once(self):
        text = DOOR.replace("near++;", "Hatch1 *one = 0; one->")
        self.replace(text)
        self.prepare()
        for number in range(3):
            super().replace(text + hatches(100).replace("int tries", f"int field{number} = 0; int tries", 2))
            for _ in range(2):
                self.assertIn(f"field{number}", labels(self.offered("one->", 5)))

    def test_an_old_name_is_not_offered(self):
        for name in ("Lock", "Lockgate", "Lock"):
            lock = f"flow {name} {{ task Lift {{ step Up {{ done; }} }} }}\n"
            self.replace(DOOR.replace("near++;", "near++; Loc") + lock)
            self.prepare()
            start = [f"{name}_start_Lift({name} *flow)"]
            self.until(lambda offered: [one for one in offered if "start_L" in one] == start, "; Loc")

    def test_the_server_is_terminated(self):
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                self.prepare()
                self.client.process.send_signal(number)
                self.client.process.communicate(timeout=LIMIT)
                self.assertEqual((self.client.process.returncode, os.listdir(self.left.name)), (1, []))
                self.client = Client([self.folder])
                self.client.open(self.path("door.uflow"), self.text.text)

    def test_the_file_is_removed(self):
        for _ in range(3):
            self.prepare()
            os.unlink(os.path.join(self.left.name, *os.listdir(self.left.name)))
            self.assertIn("twice(int far, int more)", labels(self.offered("= twice", 4)))

    def test_the_rest_is_that_of_the_whole(self):
        self.prepare()
        self.assertEqual(self.at("definition", "near++"), [(self.text.at("int near")[0] + 1, "near")])
        self.replace(DOOR.replace("near++;", 'near++; int idle; near = "text";'))
        self.offered("= twice", 4)
        self.assertEqual(self.problems(2), [("clangd", "="), ("clangd", "idle")])

    def test_clangd_is_killed(self):
        self.prepare()
        os.kill(self.client.child(), signal.SIGKILL)
        for _ in range(2): self.assertIn("twice(int far, int more)", labels(self.offered("= twice", 4)))
        self.replace(DOOR.replace("near++;", "near++; int idle;"))
        self.assertEqual(self.problems(1), [("clangd", "idle")])


class Without(Inside):
    options = {"clangd": ["/no/clangd"]}
    reason = "clangd cannot be started: install it"

    def test_a_message_says_so_once(self):
        for _ in range(2):
            self.assertIsNone(self.about("hover", "= twice", 0, 3))
            self.assertIn("here", labels(self.about("completion", "flow->here", 0, 6)))
            self.assertEqual(self.at("documentHighlight", "near++"), [])
        self.assertEqual([m["method"] for m in self.client.messages], ["window/showMessage"])
        self.assertIn(self.reason, self.client.messages[0]["params"]["message"])


class EndsAtOnce(Without):
    options = {"clangd": ["false"]}
    reason = "clangd ends at once"


class Texts(unittest.TestCase):
    """What clangd gets is C without errors, for the flows of all examples: by a clangd that only notes it."""

    def test_compile(self):
        compiler = shutil.which("cc")
        with tempfile.TemporaryDirectory() as made:
            client = Client([], options={"clangd": [sys.executable, os.path.abspath(__file__), "--note", made]})
            paths = sorted(glob.glob(ROOT + "/examples/*/*.uflow"))
            for path in paths:
                subprocess.run([check.UFC, path], cwd=made, check=True)  # a header of the user includes one
                uri = client.open(path)
                with open(path, encoding="utf-8") as file: text = Text(file.read())
                for number in range(text.text.count("->")):
                    client.about("completion", uri, *text.at("->", number, 2))
            client.end()
            texts = sorted(glob.glob(made + "/[0-9]*.c"))
            self.assertGreater(len(texts), len(paths))
            for name in texts:
                with open(name, encoding="utf-8") as file: folder = file.readline()[3:-4]
                run = subprocess.run([compiler, "-fsyntax-only", "-w", "-D_GNU_SOURCE", f"-I{INCLUDE}", f"-I{folder}",
                                      f"-I{made}", name],
                                     capture_output=True, text=True, check=False)
                self.assertEqual(run.returncode, 0, f"{folder}\n{run.stderr}")


class Briefs(unittest.TestCase):
    """At a key, clangd parses a text that does not grow with the number of flows."""

    def test_size(self):
        sizes = []
        for count in (100, 200):
            with tempfile.TemporaryDirectory() as made:
                client = Client([], options={"clangd": [sys.executable, os.path.abspath(__file__), "--note", made]})
                text = Text(hatches(count))
                uri = client.open(made + "/door.uflow", text.text)
                for _ in range(2): client.about("completion", uri, *text.at("done", count // 2))
                last = max(glob.glob(made + "/[0-9]*.c"), key=lambda name: int(os.path.basename(name)[:-2]))
                with open(last, encoding="utf-8") as file: sizes.append(len(file.read().replace("\n", "")))
                subprocess.run(["cc", "-fsyntax-only", "-w", f"-I{INCLUDE}", last], check=True)
                client.end()
        self.assertLess(max(sizes), min(sizes) + 100)


def note(folder):
    """As clangd: writes the texts that it gets, and has no answers."""
    numbers = iter(range(10**6))
    while True:
        header = sys.stdin.buffer.readline()
        if not header: return
        sys.stdin.buffer.readline()
        message = json.loads(sys.stdin.buffer.read(int(header.split()[1])))
        params = message["params"]
        text = params.get("textDocument", {}).get("text") or params.get("contentChanges", [{}])[0].get("text")
        if text:
            with open(f"{folder}/{next(numbers)}.c", "w", encoding="utf-8") as file:
                file.write(f"/* {os.path.dirname(params['textDocument']['uri'])[7:]} */\n{text}")
        if "id" in message:
            answer = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": None}).encode()
            sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(answer), answer))
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--note"]: note(sys.argv[2])
    else: check.run_tests()
