#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""uflow-top on a stuck cell: under tmux, as text, JSON and metrics; its options in the help, the manual and the
document.

usage: check.py [--update] [NAME...]     --update writes the options and the sample to the document and the manual"""
import itertools
import json
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

from session import CELL, PATIENCE, PEERS, TOP, TRACE, Answers, Cell, Terminal

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from chosen import run_tests  # noqa: E402
DOCUMENT = os.path.join(ROOT, "docs/uflow-top.md")
MANUAL = os.path.join(ROOT, "tools/top/uflow-top.1")
OPTIONS = os.path.join(ROOT, "tools/top/options.def")
SAMPLE = re.compile(r"(?<=<!-- top: --once -->\n```text\n).*?(?=```\n)", re.S)
TABLE = re.compile(r"(?<=\| option \| effect \|\n\|---\|---\|\n)(?:\|.*\n)*")
ENTRIES = re.compile(r"(?<=follows\.\n).*?(?=\.\\\" End)", re.S)


def read(path):
    with open(path, encoding="utf-8") as file: return file.read()


def options():
    """(short, long, argument, help) of each option."""
    text = re.sub(r",\n +", ", ", read(OPTIONS))
    return re.findall(r'^OPTION\(\w+, (?:\'(\w)\'|0), "(\w+)", "(\w*)", "([^"]*)"\)', text, re.M)


def table():
    rows = ""
    for short, name, argument, text in options():
        spelled = f"`--{name}{'=' if argument else ''}{argument}`"
        rows += f"| {f'`-{short}`, ' if short else ''}{spelled} | {text.replace('*', chr(92) + '*')} |\n"
    return rows


def entries():
    text = ""
    for short, name, argument, what in options():
        text += ".TP\n"
        both = f'\\-{short} ", " ' if short else ""
        text += f".BR {both}\\-\\-{name}{f' =' + chr(92) + f'fI{argument}' + chr(92) + 'fR' if argument else ''}\n"
        sentence = what[0].upper() + what[1:] + "."
        text += "\n".join(textwrap.wrap(sentence, 78, break_on_hyphens=False)).replace("-", "\\-") + "\n"
    return text


def masked(text):
    """Omits the text that differs from run to run. Columns keep their places."""
    text = re.sub(r"(process|round) \d+", r"\1 1", text)
    text = re.sub(r" +\d[\d.]*(ns|us|ms|s|min [\d.]+s)(?= )", " 1s", text)
    text = re.sub(r"(in|last) [\d.]+(ns|us|ms|s)\b", r"\1 1s", text)
    text = re.sub(r"Move\.\w+:\d+", "Move", text)
    text = re.sub(r'("part )\d+"', r'\g<1>1"', text)
    return re.sub(r'  +', "  ", re.sub(r'(cell\.belt.*?)  "part 1"', r"\1", text))


class Stuck(unittest.TestCase):
    """Each view names both flows, their steps and why."""

    @unittest.skipUnless(shutil.which("tmux"), "needs tmux")
    def test_terminal(self):
        with Cell() as cell, Terminal(cell) as terminal:
            terminal.wait_for(r"^these 2 flows wait for each other:\n"
                              r"    cell\.left  Carry\.Cross:15  room in zone of cell\.right\n"
                              r"    cell\.right  Carry\.Cross:15  room in zone of cell\.left$")
            terminal.wait_for(r"^cell\.left +Carry\.Cross:15 +\S+ +1 +"
                              r"room in zone of cell\.right, timeout in \dh \d+min")
            terminal.wait_for(r"^cell\.camera +\(failed\) +[\d.]+m?s +1 +1 +no light at exposure 3")
            terminal.press("q")
            terminal.wait_for_end()

    @unittest.skipUnless(shutil.which("tmux"), "needs tmux")
    def test_keys(self):
        with Cell() as cell, Terminal(cell) as terminal:
            terminal.wait_for(r"sorted by path")
            terminal.wait_for(r"^cell  flow Cell of .*cell\.uflow$")
            terminal.press("Down")
            terminal.wait_for(r"^cell\.belt  flow Belt of")
            terminal.press("f")
            terminal.wait_for(r"cell\.belt +Move\.Wait:31 -> Feed +after [\d.]+ms")
            terminal.press("f", "t")
            terminal.wait_for(r"^  \.parts\[0\] +Wait\.Cool:45")
            terminal.press("s")
            terminal.wait_for(r"sorted by step, tree")
            terminal.press("t", "/")
            terminal.wait_for(r"^only with: *$")
            terminal.press("room in", "Enter")
            terminal.wait_for(r"^only with \"room in\"")
            self.assertNotIn("cell.camera", terminal.screen())
            for _ in "room in": terminal.press("/", "BSpace", "Enter")
            terminal.press("/", "move", "Enter", "b")
            terminal.wait_for(r"^only with \"move\"")
            terminal.wait_for(r"^ +\d+ +\d+ +\d+ +\d.* +Belt  Move\.Wait:31$")
            self.assertNotIn("Picker", terminal.screen())
            terminal.press("?")
            terminal.wait_for(r"select a flow")
            terminal.press("w")
            terminal.wait_for(r"write the trace to: trace\.uftrace")
            path = os.path.join(cell.folder, "t")
            for _ in "trace.uftrace": terminal.press("BSpace")
            terminal.press(path, "Enter")
            terminal.wait_for(r"t is written")
            self.assertIn("cell.right", subprocess.check_output([TRACE, path], text=True))
            terminal.press("q")
            terminal.wait_for_end()

    @unittest.skipUnless(shutil.which("tmux"), "needs tmux")
    def test_sizes(self):
        for columns, lines in ((1, 1), (20, 5), (40, 10), (80, 24), (300, 80)):
            with Cell() as cell, Terminal(cell, columns=columns, lines=lines) as terminal:
                if columns >= 20: terminal.wait_for(r"^cell  process \d+")
                terminal.press("Down", "t", "b", "b", "?", "f", "f", "q")
                terminal.wait_for_end()

    def test_text(self):
        with Cell() as cell:
            page = cell.top("--once")
            self.assertIn("these 2 flows wait for each other:\n"
                          "    cell.left  Carry.Cross:15  room in zone of cell.right\n"
                          "    cell.right  Carry.Cross:15  room in zone of cell.left\n", page)
            order = re.findall(r"^(cell\S*) ", cell.top("--once", "--sort=failures"), re.M)
            self.assertEqual(order[1], "cell.camera")  # the first one is the name of the runtime
            tree = cell.top("--once", "--tree", "--filter=zone")
            self.assertEqual(re.findall(r"^(cell\.\w+) ", tree, re.M), ["cell.left", "cell.right"])
            steps = cell.top("--once", "--steps")
            self.assertRegex(steps, r"(?m)^ +\d+ +\d+ +\d +\S+ +\S+  Belt  Move\.Wait:31$")
            self.assertRegex(steps, r"(?m)^ +2 +2 +2 +\S+ +\S+  Picker  Carry\.Cross:15$")
            for text in ("picker", "carry.cross", "Picker  Carry.Cross:15"):
                self.assertEqual(re.findall(r"  (\w+)  \w+\.Cross:", cell.top("--once", "--steps", "--filter", text)),
                                 ["Picker"])
            self.assertNotIn(":15", cell.top("--once", "--steps", "--filter=belt").partition("LONGEST")[2])

    def test_hang(self):
        """A runtime that hangs before the first viewer came: the recorder gives the same text as the runtime would."""
        with Cell() as cell: live = cell.top("--once")
        with Cell(CELL, "--hang") as cell:
            hung = cell.top("--once")
            self.assertEqual(cell.top("--prometheus").count("# TYPE"), 2)
        self.assertRegex(hung, r"^cell  process \d+  5 of 6 flows run  1 flow failed\n"
                               r"the runtime has not answered for at least \S+, and no step is under way\n"
                               r"the runtime has not answered since a viewer came: what follows is what the recorder "
                               r"knows\n    where the step is    gdb -p \d+\n")
        cycles = re.compile(r"(?s)these 2 flows.*?\n\n")
        self.assertEqual(cycles.search(live)[0], cycles.search(hung)[0])
        # Without the number of the run and the description, which a recorder does not know.
        rows = re.compile(r"^(cell\S*) +(\S+) +1s[ \d]* (\S.*?)(?:  \".*)?$", re.M)
        self.assertEqual(len(rows.findall(masked(live))), 6)
        self.assertEqual(rows.findall(masked(live)), rows.findall(masked(hung)))

    def test_peers(self):
        """A flow of another runtime is named; a queued job, a running one and a `stay` have different texts."""
        with Cell(PEERS) as peers:
            page, document = peers.top("--once"), peers.document()
        (ledger,) = [flow for flow in document["flows"] if flow["path"] == "ledger"]
        self.assertEqual((ledger["step"], ledger["keeping"]), ("Write", "waits for a commit"))
        self.assertGreater(ledger["keeping_for"], 0)
        for flow, waits in (("east", r"room in in of west"),
                            ("passer", r"checkpoint gate \(1 stopped; who resumes it is not known\)"),
                            ("first", r"job hole \(dig, runs, submitted [\d.]+m?s ago\)"),
                            ("second", r"job hole \(dig, in the queue for [\d.]+m?s\)"),
                            ("ledger", "waits for a commit"),
                            ("watcher", r"timeout in 7h 59min, a condition"), ("stayer", "stay: again in 7h 59min")):
            self.assertRegex(page, rf"(?m)^{flow} +\S+ +\S+ +1 +{waits}$")
        self.assertRegex(page, r"(?m)^a worker function of a job that was given up still runs: dig for leaver, "
                               r"submitted [\d.]+m?s ago$")

    @unittest.skipUnless(shutil.which("tmux"), "needs tmux")
    def test_durable(self):
        """On the page of a flow, what its store has of it, and since when."""
        with Cell(PEERS) as peers, Terminal(peers, "--filter=ledger") as terminal:
            terminal.wait_for(r"Note\.Write:\d+  #01  for .*  waits for a commit for \S+")
            terminal.press("q")
            terminal.wait_for_end()

    def test_document(self):
        with Cell() as cell:
            document = cell.document()
        flows = {flow["path"]: flow for flow in document["flows"]}
        self.assertEqual(sorted(flows),
                         ["cell", "cell.belt", "cell.camera", "cell.left", "cell.parts[0]", "cell.right"])
        for one, other in (("left", "right"), ("right", "left")):
            flow = flows[f"cell.{one}"]
            self.assertEqual((flow["task"], flow["step"], flow["line"], flow["outcome"], flow["runs"], flow["parent"]),
                             ("Carry", "Cross", 15, "running", 1, "cell"))
            self.assertEqual(flow["waits"][0], {"for": "room", "text": f"room in zone of cell.{other}",
                                                "flow": f"cell.{other}"})
            self.assertTrue(28000 < flow["waits"][1]["in"] <= 28800, flow["waits"])
            self.assertEqual(flow["description"], "part 1 needs the other zone")
        self.assertEqual([[member["flow"] for member in cycle] for cycle in document["cycles"]],
                         [["cell.left", "cell.right"]])
        camera = flows["cell.camera"]
        self.assertEqual((camera["outcome"], camera["failed"], camera["last_failure"]["step"]), ("failed", 1, "Expose"))
        self.assertEqual(camera["last_failure"]["reason"], "no light at exposure 3")
        self.assertEqual(flows["cell"]["pools"], [{"name": "parts", "busy": 1, "limit": 4, "size": 4}])
        self.assertEqual((document["runtime"]["name"], document["runtime"]["responds"]), ("cell", True))
        self.assertEqual(document["runtime"]["running"], 5)
        self.assertLess(abs(document["runtime"]["day"] - time.time()), 600)
        self.assertIn(("Belt", "Wait"), [(step["flow"], step["step"]) for step in document["steps"]])

    def test_metrics(self):
        sample = re.compile(r'^(\w+)(\{(?:\w+="(?:[^"\\]|\\.)*",?)*\})? (-?\d+(?:\.\d+)?)$')
        with Cell() as cell:
            lines = cell.top("--prometheus").splitlines()
        kinds = {words[2]: words[3] for words in map(str.split, lines) if words[:2] == ["#", "TYPE"]}
        values = {}
        for line in lines:
            if line.startswith("#"): continue
            found = sample.match(line)
            self.assertTrue(found, line)
            self.assertIn(found[1], kinds)
            self.assertEqual(found[1].endswith("_total"), kinds[found[1]] == "counter", line)
            values[found[1] + (found[2] or "")] = float(found[3])
        self.assertEqual((values["uflow_cycles"], values["uflow_flows_running"], values["uflow_responds"]), (1, 5, 1))
        self.assertGreater(values['uflow_flow_in_step_seconds{flow="cell.left",task="Carry",step="Cross"}'], 0)

    def test_trace(self):
        with Cell() as cell:
            path = os.path.join(cell.folder, "trace")
            cell.top("--trace", path)
            text = subprocess.check_output([TRACE, path], text=True)
            self.assertRegex(text, r"cell\.left +Carry\.Cross:15 +waits  room in zone of cell\.right, timeout in 8h")
            self.assertRegex(text, r"cell\.camera +Look\.Expose:41 +ended failed .*reason: no light at exposure 3")
            text = subprocess.check_output([TRACE, "-f", "summary", path], text=True)
            self.assertIn("\n\nthese 2 flows wait for each other:\n"
                          "    cell.left  Carry.Cross:15  room in zone of cell.right\n"
                          "    cell.right  Carry.Cross:15  room in zone of cell.left\n\nstill waits (5)", text)
            self.assertRegex(text, r"cell  Work\.Carry  run cell\.left, .*, with run cell\.belt\n")
            os.remove(path)

    def test_follow(self):
        for arguments, pattern in (([], r'cell\.belt +Move\.Feed:32 -> Wait +after [\d.]+ms  "part \d+"'),
                                   (["--json"], r'"event":"step","task":"Move","step":"Feed"')):
            with Cell() as cell:
                with subprocess.Popen([TOP, "--follow=cell.b*", *arguments, cell.socket], text=True,
                                      stdout=subprocess.PIPE) as top:
                    lines = [top.stdout.readline() for _ in range(4)]
                    top.terminate()
                self.assertRegex("".join(lines), pattern)
                self.assertNotIn("cell.left", "".join(lines))


class Terminals(unittest.TestCase):
    """A page needs a terminal on both sides, which can move its cursor, and ends with it."""

    def start(self, process, stdin, stdout, **others):
        """uflow-top with "tty", "pipe" or "null" on each side. Returns: the process, and the master of the terminal."""
        master, slave = pty.openpty()
        kinds = {"tty": slave, "pipe": subprocess.PIPE, "null": subprocess.DEVNULL}
        top = subprocess.Popen([TOP, "--delay=0.2", process.socket], stdin=kinds[stdin], stdout=kinds[stdout], **others)
        os.close(slave)
        return top, master

    def output(self, top, master):
        """The output up to its end."""
        text = top.stdout.read() if top.stdout else b""
        while not top.stdout:
            try: read = os.read(master, 4096)
            except OSError: break  # nobody writes to it any more
            text += read
            if not read: break
        return text.decode()

    def test_sides(self):
        with Cell() as cell:
            for stdin, stdout in itertools.product(("tty", "pipe", "null"), ("tty", "pipe")):
                if (stdin, stdout) == ("tty", "tty"): continue
                top, master = self.start(cell, stdin, stdout)
                with top:
                    page = self.output(top, master)
                    self.assertEqual(top.wait(PATIENCE), 0)
                os.close(master)
                self.assertNotIn("\x1b", page, (stdin, stdout))
                self.assertRegex(page, r"(?m)^cell\.left +Carry\.Cross:15 ", (stdin, stdout))

    def test_kinds(self):
        for kind in ("dumb", "nosuch", ""):
            with Cell() as cell:
                top, master = self.start(cell, "tty", "tty", env={**os.environ, "TERM": kind}, stderr=subprocess.PIPE)
                with top:
                    self.assertIn(f'the terminal "{kind}" cannot show pages: use --once', top.stderr.read().decode())
                    self.assertEqual(top.wait(PATIENCE), 1)
            os.close(master)

    def test_hang_up(self):
        """The end is noticed even if only the terminal reports it, and while a text is requested."""
        for keys in (b"", b"/"):
            with Cell() as cell:
                top, master = self.start(cell, "tty", "tty", env={**os.environ, "TERM": "xterm"},
                                         start_new_session=True)
                with top:
                    while b"sorted by" not in os.read(master, 4096): pass
                    os.write(master, keys)
                    while keys and b"only with" not in os.read(master, 4096): pass
                    os.close(master)
                    self.assertEqual(top.wait(PATIENCE), 1)


class Errors(unittest.TestCase):
    def expect(self, status, pattern, *arguments):
        done = subprocess.run([TOP, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=PATIENCE)
        self.assertEqual(done.returncode, status, done.stdout)
        self.assertRegex(done.stdout, pattern)

    def test_command(self):
        for wrong in ([], ["a", "b"], ["--nothing", "a"], ["--sort=x", "a"], ["--delay=0", "a"],
                      ["--once", "--json", "a"], ["--follow=" + 300 * "x", "a"]):
            self.expect(2, "Try uflow-top --help", *wrong)
        self.expect(0, r"^uflow-top \d", "--version")

    def test_sockets(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "s")
            for view in ([], ["--once"], ["--json"], ["--follow=*"], ["--trace", os.path.join(folder, "t")]):
                self.expect(1, "there is no such socket", *view, path)
            with open(path, "w", encoding="utf-8"): pass
            self.expect(1, "this is no socket. uflow-trace shows traces", "--once", path)
            os.remove(path)
            with socket.socket(socket.AF_UNIX) as stale: stale.bind(path)
            self.expect(1, "nobody listens there any more", "--json", path)
            self.expect(1, "too long", "--json", 200 * "x")
            os.remove(path)
            with socket.socket(socket.AF_UNIX) as liar:
                liar.bind(path)
                liar.listen()
                with subprocess.Popen([TOP, "--once", path], stderr=subprocess.PIPE, text=True) as top:
                    other, _ = liar.accept()
                    other.recv(100)
                    other.sendall(b"{]")
                    other.close()
                    self.assertRegex(top.communicate(timeout=PATIENCE)[1], "the answer is no document")
                    self.assertEqual(top.returncode, 1)

    def test_full(self):
        with Cell() as cell:
            done = subprocess.run(f"{TOP} --json {cell.socket} >/dev/full", shell=True, stderr=subprocess.PIPE,
                                  text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)

    def test_stopped_process(self):
        """A process that does not answer is reported, even to viewers that follow."""
        with Cell() as cell:
            os.kill(cell.process.pid, signal.SIGSTOP)
            try: self.expect(1, "the process does not answer", "--follow=*", cell.socket)
            finally: os.kill(cell.process.pid, signal.SIGCONT)

    def test_slow_process(self):
        """The whole answer has a deadline: bytes that trickle do not extend it."""
        with Answers([0.5]) as process: self.expect(1, "the process does not answer", "--once", process.socket)

    def test_answers_that_cost(self):
        """The memory for an answer is bounded by its length, whatever the content."""
        for part in ("{}", "[]", "1", '{"path":"a"}'):
            for pattern in ('{"flows":[%s]}', '{"flows":[{"waits":[%s]}]}', '{"cycles":[[%s]]}'):
                text = pattern % ",".join([part] * ((1 << 20) // (len(part) + 1)))
                with Answers([text.encode()]) as process:
                    with subprocess.Popen([TOP, "--once", process.socket], stdout=subprocess.DEVNULL,
                                          stderr=subprocess.DEVNULL) as top:
                        _, status, used = os.wait4(top.pid, 0)
                        top.returncode = os.waitstatus_to_exitcode(status)
                self.assertIn(top.returncode, (0, 1), text[:40])
                self.assertLess(used.ru_maxrss >> 10, 250, text[:40])  # MB
        with Answers([bytes(65 << 20)]) as process: self.expect(1, "File too large", "--once", process.socket)

    def test_too_many(self):
        with Cell() as cell:
            others = [socket.socket(socket.AF_UNIX) for _ in range(128)]
            for other in others:
                other.connect(cell.socket)
                other.sendall(b"follow *\n")
            for view in (["--once"], ["--json"], ["--prometheus"], ["--follow=*"]):
                self.expect(1, "too many viewers are connected", *view, cell.socket)
            for other in others: other.close()

    def test_process_ends(self):
        """uflow-top that follows ends with the process, and says so."""
        with Cell() as cell:
            top = subprocess.Popen([TOP, "--follow=*", cell.socket], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
            self.assertIn("cell.belt", top.stdout.readline())
        with top:
            top.stdout.read()
            self.assertRegex(top.stderr.read(), "the process has closed the connection")
            self.assertEqual(top.wait(PATIENCE), 1)


def replaced(value, path, by):
    """A copy of a document with another value at one place."""
    if not path: return by
    copy = value.copy()
    copy[path[0]] = replaced(value[path[0]], path[1:], by)
    return copy


def places(value, path=()):
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts: yield from places(part, (*path, key))


def with_texts(value, text):
    """Appends this text to each text."""
    if isinstance(value, dict): return {name: with_texts(one, text) for name, one in value.items()}
    if isinstance(value, list): return [with_texts(one, text) for one in value]
    return value + text if isinstance(value, str) else value


class Documents(unittest.TestCase):
    """uflow-top shows whatever the process says."""

    def shown(self, documents, *arguments):
        """The page of each document."""
        with Answers([json.dumps(document).encode() for document in documents]) as process:
            for document in documents:
                done = subprocess.run([TOP, "--once", *arguments, process.socket], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, b""), json.dumps(document))
                yield done.stdout.decode()

    def test_not_responding(self):
        with Cell() as cell: document = cell.document()
        turn = {"flow": "cell.left", "task": "Carry", "step": "Leave", "line": 21, "lasts": 72.5}
        document["runtime"] |= {"responds": False, "silent": 2, "turn": turn, "age": 3.25}
        since = {**turn, "step": "Enter", "line": 10, "in_step": 65.0}
        del since["lasts"]
        entered = replaced(document, ("runtime", "turn"), since)
        silent = {"process": 7, "runtime": {"name": "cell", "responds": False, "silent": 0.6}, "pool": {"workers": 0}}
        said = ("the runtime has not answered for at least 2.00s: cell.left  Carry.Leave:21  has not returned for "
                "1min 12.50s\nwhat follows was so 3.25s ago, at the last answer\n",
                "the runtime has not answered for at least 2.00s: cell.left  Carry.Enter:10  has not returned since "
                "it was entered 1min 5.00s ago\n",
                "cell  process 7\nthe runtime has not answered for at least 600.00ms, and no step is under way\n"
                "the runtime has not answered since a viewer came: nothing is known of the flows\n"
                "    where the step is    gdb -p 7\n    what flows did       uflow-top --trace=FILE /")
        for page, words in zip(self.shown([document, entered, silent]), said): self.assertIn(words, page)
        self.assertNotIn("0 of 0", page)
        (page,) = self.shown([silent | {"runtime": {"responds": False, "silent": 1e300}}])
        self.assertIn("for at least 213503d 23h,", page)  # the longest time

    def test_texts_are_printable(self):
        """Whatever a process says: no character reaches the terminal that it obeys."""
        controls = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
        with Cell() as cell: document = cell.document()
        line = {name: name for name in ("event", "flow", "task", "step", "to_step", "description", "reason")}
        for evil in ("\x1b]0;owned\x07", "\x9b31m", "a\u202eb\u2028", "\r\x7f\x08", "a\nb"):
            raw, said = evil.encode(), json.dumps(with_texts(document, evil), ensure_ascii=False).encode()
            for how, answers in ((["--once"], [said]), (["--once", "--tree"], [said]), (["--once", "--steps"], [said]),
                                 (["--json"], [said]), (["--json"], [raw]), (["--prometheus"], [raw + b" 1\n"]),
                                 (["--once"], [b"error: " + raw + b"\n"]), (["--once"], [b'{"' + raw]),
                                 (["--follow=*"], [said, json.dumps(with_texts(line, evil)).encode() + b"\n"]),
                                 (["--follow=*", "--json"], [said, raw + b"\n"]),
                                 (["--follow=*"], [said, b"error: " + raw + b"\n"])):
                with Answers(answers) as process:
                    done = subprocess.run([TOP, *how, process.socket], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                          timeout=PATIENCE, check=False)
                found = controls.search((done.stdout + done.stderr).decode())
                self.assertFalse(found, f"{how}: {found} in {done}")

    def test_nothing_is_hidden(self):
        """A failure whose event has left the recorder still counts; a truncated list is reported."""
        with Cell() as cell: document = cell.document()
        at = {flow["path"]: i for i, flow in enumerate(document["flows"])}
        camera, left = document["flows"][at["cell.camera"]], document["flows"][at["cell.left"]]
        camera["failed"], camera["ended_at"] = 0, 5.0
        del camera["last_failure"]
        left["waits"].insert(0, {"for": "interval", "text": "stay: again", "in": 0.091})
        left["waits_cut"] = 3
        left["waits"] += [{"for": "run", "text": f"run cell.{'x' * 40}{i}"} for i in range(20)]
        document["events_since"], document["runtime"]["time"] = 5.0, 545.0
        for page in self.shown([document]):
            self.assertRegex(page, r"(?m)^cell  process .*  1 flow failed$")
            self.assertRegex(page, r"(?m)^cell\.camera +\(failed\) +9min 0\.00s +1 +1 +no light at exposure 3$")
            self.assertIn("by the events of the last 9min 0.00s\n", page)
            self.assertIn("  stay: again in 91.00ms, room in zone of cell.right, timeout in ", page)
            self.assertRegex(page, r"(?m)^cell\.left .*\.\.\.$")
        del left["waits"][-20:]
        for page in self.shown([document]): self.assertRegex(page, r"(?m)^cell\.left .*h \d+min and 3 more  \"part 1")

    @unittest.skipUnless(shutil.which("tmux"), "needs tmux")
    def test_small_terminals(self):
        """A line is that of a wide terminal, or its beginning and "..."; lines that find no room are counted."""
        with Cell() as cell: answer = json.dumps(cell.document()).encode()
        columns, screens = (300, 20, 30, 40, 60, 79, 80, 81, 100, 110), []
        with Answers((len(columns) + 1) * [answer]) as process:
            for width in columns:
                with Terminal(process, "--delay=1000", columns=width, lines=60) as terminal:
                    terminal.wait_for("^sorted by path")
                    screens.append(terminal.screen().splitlines())
            with Terminal(process, "--delay=1000", columns=80, lines=8) as terminal:
                terminal.wait_for("^and 3 more lines: --once shows all$")
        self.assertIn("    cell.left  Carry.Cross:15  room in zone of cell.right", screens[0])
        for width, screen in zip(columns, screens):
            lines = [part for line in screens[0] for part in
                     (line.replace("  room", "\n        room").splitlines()
                      if line.startswith("    cell.") and len(line) > width else [line])]
            expected = [line if len(line) <= width else line[:width - 3] + "..." for line in lines if line]
            self.assertEqual([line for line in screen if line], expected)

    @unittest.skipUnless(shutil.which("tmux"), "needs tmux")
    def test_low_terminals(self):
        """Rows that find no room are counted, and the keys reach each of them."""
        with Cell() as cell: document = cell.document()
        paths = [flow["path"] for flow in document["flows"]]
        for columns, lines in ((40, 9), (40, 10), (80, 12), (80, 16), (120, 20), (120, 40)):
            with Answers([json.dumps(document).encode()]) as process, \
                 Terminal(process, "--delay=1000", columns=columns, lines=lines) as terminal:
                terminal.wait_for("^sorted by path")
                reached, keys = set(), itertools.cycle(["Down"] * len(paths) + ["Up"] * len(paths))
                end = time.monotonic() + PATIENCE
                while reached != set(paths) and time.monotonic() < end:
                    whole = terminal.screen()
                    if whole != terminal.screen(): continue  # it is being drawn
                    screen = whole.partition("FLOW ")[2]
                    more = re.search(r"^and (\d+) more: up and down", screen, re.M)
                    shown = [path for path in paths
                             if re.search(rf"^{re.escape(path)} +(\(|\w+\.\w+:)", screen, re.M)]
                    self.assertEqual(len(shown) + (int(more[1]) if more else 0), len(paths), screen)
                    reached |= set(shown)
                    terminal.press(next(keys))
                self.assertEqual(reached, set(paths), (columns, lines))

    @unittest.skipUnless(shutil.which("tmux"), "needs tmux")
    def test_ended(self):
        """The last end counts in the details, as in the table, if its event is lost."""
        with Cell() as cell: document = cell.document()
        camera = next(i for i, flow in enumerate(document["flows"]) if flow["path"] == "cell.camera")
        words = {"done": "1 done, 0 failed, 0 cancelled", "failed": "0 done, 1 failed, 0 cancelled",
                 "cancelled": "0 done, 0 failed, 1 cancelled"}
        for outcome, said in words.items():
            changed = replaced(document, ("flows", camera), {**document["flows"][camera], "outcome": outcome,
                                                             "failed": 0})
            with Answers([json.dumps(changed).encode()]) as process, \
                 Terminal(process, "--delay=1000", "--filter=camera") as terminal:
                terminal.wait_for(rf"^    \({outcome}\)  [\d.]+m?s ago  no light at exposure 3$")
                terminal.wait_for(rf"^    ended +{said}$")

    def test_cycles(self):
        """Each cycle is shown, and the flows that wait behind it, also through a checkpoint that one has armed."""
        with Cell() as cell: document = cell.document()
        like = next(flow for flow in document["flows"] if flow["path"] == "cell.left")
        document["cycles"].append([{"flow": path, "task": "T", "step": "S", "line": 1, "waits": "run of it"}
                                   for path in "ab"])
        waits = {"a": ("flow", "b"), "b": ("flow", "a"), "c": ("flow", "a"), "d": ("armed_by", "c"), "e": ("flow", "f"),
                 "f": ("flow", "e"), "g": ("flow", "f"), "h": ("flow", "gone")}
        for path, (key, to) in waits.items():
            document["flows"].append({**like, "path": path, "waits": [{"for": "room", "text": "stopping"},
                                                                      {"for": "room", "text": "x", key: to}]})
        many = document | {"flows": document["flows"] + [
            {**like, "path": f"n{i:03}", "waits": [{"for": "run", "text": "x", "flow": "d"}]} for i in range(200)]}
        pages = list(self.shown([document, many]))
        self.assertIn("these 2 flows wait for each other:\n    a  T.S:1  run of it\n    b  T.S:1  run of it\n"
                      "    and 2 more wait for them: c, d\n\n", pages[0])
        self.assertIn("cell.left\n    and 1 more waits for them: cell\nthese", pages[0])
        behind = re.search(r"and 202 more wait for them: (c, d, n000, .*) and (\d+) more\n", pages[1])
        self.assertEqual(behind[1].count(",") + 1 + int(behind[2]), 202)

    def test_checkpoint(self):
        with Cell() as cell: document = cell.document()
        left = next(flow for flow in document["flows"] if flow["path"] == "cell.left")
        left["waits"] = [{"for": "checkpoint", "text": "checkpoint gate (1 stopped)", "armed_by": "cell.belt"}]
        for page in self.shown([document]):
            self.assertRegex(page, r"(?m)^cell\.left .* checkpoint gate \(1 stopped\), armed by cell\.belt ")

    def test_control_characters(self):
        with Cell() as cell: text = json.dumps(cell.document())
        hostile = json.loads(text.replace("zone", "z\\u001b[31m\\u007f\\r\\n"))
        for view in ([], ["--tree"], ["--steps"]):
            for page in self.shown([hostile], *view):
                self.assertNotRegex(page, "[\x00-\x09\x0b-\x1f\x7f]")

    @unittest.skipUnless(shutil.which("tmux"), "needs tmux")
    def test_names_on_the_screen(self):
        """Also in the last line: nothing changes the direction of what follows."""
        with Cell() as cell: text = json.dumps(cell.document())
        hostile = text.replace("cell", "c\\u202eell").encode()
        with Answers([hostile, 0.1]) as process, Terminal(process, "--delay=1000") as terminal:
            terminal.wait_for("sorted by")
            terminal.press("f")
            terminal.wait_for("following ")
            self.assertNotIn("\u202e", terminal.screen())

    def test_other_types(self):
        """Each part of a document in turn is missing, or of another type."""
        with Cell() as cell: document = cell.document()
        others = itertools.cycle([None, -1, 1e300, "", "x", [], {}, [[]], True])
        changed = [replaced(document, path, next(others)) for path in places(document) if path]
        self.assertGreater(len(changed), 150)
        for view in ("--tree", "--steps"):
            for _ in self.shown(changed, view): pass


class Texts(unittest.TestCase):
    def test_options(self):
        self.assertEqual(len(options()), read(OPTIONS).count("\nOPTION("))
        self.assertEqual(TABLE.search(read(DOCUMENT))[0], table(), "tests/top/check.py --update writes it")
        self.assertEqual(ENTRIES.search(read(MANUAL))[0], entries(), "tests/top/check.py --update writes it")
        shown = re.sub(r"\s+", " ", subprocess.check_output([TOP, "--help"], text=True))
        for short, name, argument, text in options():
            self.assertIn(f"{f'-{short}, ' if short else ''}--{name}{'=' if argument else ''}{argument} {text}", shown)

    @unittest.skipUnless(shutil.which("mandoc"), "needs mandoc")
    def test_manual(self):
        done = subprocess.run(["mandoc", "-Tlint", MANUAL], stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.stdout, "")

    def test_sample(self):
        with Cell() as cell:
            self.assertEqual(masked(SAMPLE.search(read(DOCUMENT))[0]), masked(cell.top("--once")))


def update():
    with Cell() as cell:
        time.sleep(3)
        page = cell.top("--once")
    document = TABLE.sub(lambda _: table(), SAMPLE.sub(lambda _: page, read(DOCUMENT)))
    for path, text in ((DOCUMENT, document), (MANUAL, ENTRIES.sub(lambda _: entries(), read(MANUAL)))):
        with open(path, "w", encoding="utf-8") as file: file.write(text)


if __name__ == "__main__":
    run_tests(update)
