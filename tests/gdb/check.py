#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The commands of gdb. Each kind of arm is shown as uf_pump_dump() prints it. A stuck cell is explained, live and from
its core dump. A sentence says what cannot be shown.

check.py ROOT ARMS_PROGRAM CYCLES_PROGRAM STUCK_PROGRAM SENDS_PROGRAM PEERS_PROGRAM LINE_PROGRAM CASES"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT, ARMS, CYCLES, STUCK, SENDS, PEERS, LINE, CASES = sys.argv[1:9]
SCRIPT = os.path.join(ROOT, "tools", "gdb", "uflow.py")
HERE = os.path.dirname(os.path.abspath(__file__))
ENVIRONMENT = {**os.environ, "DEBUGINFOD_URLS": "", "LC_ALL": "C"}
NEVER_WAITED_FOR = {"UNUSED", "OPERAND"}
TOOL = os.environ["UFLOW_TRACE"]


def gdb(*arguments):
    done = subprocess.run(["gdb", "-nx", "-batch", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, env=ENVIRONMENT, timeout=600, check=False)
    return done.stdout.decode()


def commands(*lines):
    return [word for line in (f"source {SCRIPT}", *lines) for word in ("-ex", line)]


def text_of(*parts):
    with open(os.path.join(ROOT, *parts), encoding="utf-8") as file:
        return file.read()


def dumps_of(text):
    """The dumps, each as a list of flows with their lines, and the text of the cycles."""
    dumps = []
    for dump in text.split("--\n")[:-1]:
        flows, cycles = re.match(r"(?s)(.*?)((?:^th(?:is|ese) .*)?)\Z", dump, re.M).groups()
        flows = [flow.rstrip("\n").split("\n") for flow in re.split(r"(?m)^(?! )", flows) if flow]
        dumps.append((flows, cycles or "No flows wait for each other.\n"))
    return dumps


def shown_by_gdb(text):
    """The same for the output of show.py, which has more text behind the arms and other lines between them."""
    looks = []
    for look in text.split("LOOK\n")[1:]:
        look, cycles = look.split("CYCLES\n")
        flows = [re.findall(r"(?m)^(?:    (?:waits|task|group \w+): .*|[a-z][^\n]*  .*)", flow)
                 for flow in look.split("FLOW\n")[1:]]
        cycles = "".join(re.findall(r"(?m)^(?:No|this|these|   ) .*\n", cycles))
        looks.append(([[line.split("  [")[0] for line in flow] for flow in flows], cycles))
    return looks


def cycles_of(text):
    """The cycles of a dump or of `uflow why`; each may begin with any of its flows."""
    blocks = re.findall(r"(?m)^th(?:is flow waits|ese \d+ flows wait) .*\n((?:    .*\n)+)", text)
    return sorted(sorted(block.splitlines()) for block in blocks)


class Cycles(unittest.TestCase):
    def test_rings_as_in_a_dump(self):
        rings = gdb(CYCLES, *commands(f"source {os.path.join(HERE, 'show_cycles.py')}")).split("DUMP\n")[1:]
        self.assertEqual(len(rings), 56)
        for ring in rings:
            dump, shown = ring.split("GDB\n")
            self.assertEqual(cycles_of(shown), cycles_of(dump), ring)


def arm_kinds():
    """The name, words, target and lifetime of each kind of arm, by number."""
    header = text_of("runtime", "include", "uflow", "arm_kinds.h")
    polls = re.search(r'#define UF_CONDITION_WORDS (".+")', header)[1]
    rows = re.findall(r'(?m)^    ARM\((\w+), +(\d+), "\w*", +(".*?"|\w+), (\w+), (\w+)\)', header)
    assert [int(number) for _, number, *_ in rows] == list(range(len(rows))) and len(rows) > 20
    return [(name, (polls if words == "UF_CONDITION_WORDS" else words).strip('"'), *rest)
            for name, _number, words, *rest in rows]


class Arms(unittest.TestCase):
    def test_every_kind_as_in_a_dump(self):
        dumps = dumps_of(subprocess.run([ARMS], stdout=subprocess.PIPE, check=True).stdout.decode())
        said = gdb(ARMS, *commands(f"source {os.path.join(HERE, 'show.py')}"))
        looks = shown_by_gdb(re.sub(r"(?m)^(?:Breakpoint 1, look.*|\d+\t.*)\n", "", said))
        self.assertEqual(len(looks), len(dumps), said)
        for look, dump in zip(looks, dumps): self.assertEqual(look, dump)
        kinds = {name for name, _words, target, _lifetime in arm_kinds() if target != "NOTHING"}
        self.assertEqual(set(re.findall(r"(?m)^KIND (\w+)$", said)), kinds - NEVER_WAITED_FOR)

    def test_the_rows_of_the_header(self):
        """The tables of Python and JavaScript equal UF_ARM_KINDS."""
        page = text_of("tools", "page", "binary.js").split("const armKinds = [")[1].split("];")[0]
        self.assertEqual(re.findall(r"\['(\w+)', '(.*?)', '(\w+)', '(\w+)'\]", page), arm_kinds())
        rows = text_of("tools", "gdb", "uflow_gdb", "arms.py").split("KINDS = (")[1].split("\n)\n")[0]
        self.assertEqual(re.findall(r'\("(\w+)", "(.*?)", "(\w+)"\)', rows), [row[:3] for row in arm_kinds()])

    def test_damaged_memory(self):
        script = os.path.join(HERE, "damage.py")
        said = gdb(ARMS, *commands(f"set $cases = {CASES}", f"source {script}", "kill"))
        self.assertRegex(said, r"(?m)^SURVIVED [1-9]")

    def test_the_numbers_of_the_headers(self):
        flows = text_of("tools", "gdb", "uflow_gdb", "flows.py")
        abi = re.search(r"#define UF_ABI +(\d+)", text_of("runtime", "include", "uflow", "version.h"))[1]
        self.assertIn(f"\nABI = {abi} ", flows)
        version = re.search(r"#define UF_TRACE_VERSION UINT32_C\((\d+)\)",
                            text_of("runtime", "include", "uflow", "trace_format.h"))[1]
        self.assertIn(f"\nVERSION = {version} ", text_of("tools", "gdb", "uflow_gdb", "recorder.py"))


class Checkpoints(unittest.TestCase):
    def test_who_armed_it(self):
        """Between the step that arms it and the one that resumes it; the recorder knows the flow."""
        said = gdb(SENDS, *commands("set breakpoint pending on", "break uf_checkpoint_resume", f"run {os.devnull}",
                                    "uflow why keeper.first", "kill"))
        self.assertRegex(said, r"(?m)^  waits for checkpoint gate \(2 stopped; who resumes it is not known\), "
                               r"armed by keeper$")


class Asked:
    """A program that is stuck: the answers of its process, and of its core dump."""
    program, options, questions = None, (), ()

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="uflow-gdb-")
        cls.core = os.path.join(cls.folder, "core")
        with subprocess.Popen([cls.program, *cls.options], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdout.readline() == b"stuck\n"
            cls.live = gdb("-p", str(process.pid), *commands(*cls.questions), "-ex", f"gcore {cls.core}")
            process.stdin.close()
            assert process.wait(60) == 0, "gdb has changed the process"
        if "ptrace: Operation not permitted" in cls.live: raise unittest.SkipTest("this user may not attach gdb")
        cls.dead = gdb(cls.program, cls.core, *commands(*cls.questions))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def answers(self, question):
        """Compares the text of the process with that of its core dump, which does not say when it was written: its
        times are `at least` or `at most` these. The words are left out here, where each of them belongs."""
        live, dead = (re.split(r"(?m)^== .*\n", said.split(f"== {question}\n")[1])[0]
                      for said in (self.live, self.dead))
        self.assertNotRegex(live, "at least|at most")
        self.assertNotRegex(dead, r"\b(?:for|overdue for|submitted|in the queue for|[:;] timeout in|again in) \d")
        yield live
        yield re.sub(r"\b(for|submitted|in) at (?:least|most) ", r"\1 ", dead)


class Peers(Asked, unittest.TestCase):
    """The targets of waits: other runtimes, jobs, checkpoints and conditions."""
    program = PEERS
    questions = ("echo == flows\\n", "uflow flows", "echo == why\\n", "uflow why east", "echo == some\\n",
                 "uflow flows st", "echo == print\\n", "print gate", "print east.in", "print stayer.uf_arms[0]",
                 "print first.uf_task", "print second.uf_task", "print (uf_time)60500000000", "echo == end\\n")

    def test_flows(self):
        for said in self.answers("flows"):
            self.assertRegex(said, r"(?m)^runtime here: 8 flows, 7 running, round \d+$")
            self.assertRegex(said, r"(?m)^runtime there: 1 flow, 1 running, round \d+$")
            for pattern in (r"east +Cross.Offer .*  waits: room in in of west$",
                            r"first .*  waits: job hole \(dig, runs, submitted [\d.]+m?s ago\)$",
                            r"second .*  waits: job hole \(dig, in the queue for [\d.]+m?s\)$",
                            r"passer .*  waits: checkpoint gate \(1 stopped; who resumes it is not known\)$",
                            r"watcher .*  waits: timeout in 7h 59min; a condition$",
                            r"ledger .*  waits for a commit for [\d.]+m?s  goes on after the commit$",
                            r"stayer .*  waits: stay: again in 7h 59min$"):
                self.assertRegex(said, r"(?m)^  " + pattern)

            self.assertRegex(said, r"(?m)^a worker function of a job that was given up still runs: dig for leaver, "
                                   r"submitted [\d.]+m?s ago$")

    def test_why(self):
        for said in self.answers("why"):
            self.assertRegex(said, r"these 2 flows wait for each other:\n"
                                   r"    east  Cross\.Offer:\d+  room in in of west\n"
                                   r"    west  Cross\.Offer:\d+  room in in of east\n")

    def test_some(self):
        """The flows with a name that begins so, and not `first`."""
        for said in self.answers("some"): self.assertEqual(re.findall(r"(?m)^  (\w+) ", said), ["stayer"])

    def test_printers(self):
        for said in self.answers("print"):
            self.assertRegex(said, r"(?m)^\$1 = checkpoint gate, held: passer$")
            self.assertRegex(said, r"(?m)^\$2 = mailbox in of east, 1 of 1$")
            self.assertRegex(said, r"(?m)^\$3 = stay: again in 7h 59min$")
            self.assertRegex(said, r"(?m)^\$4 = .*\bhole = .*job dig \(pending\)")
            self.assertRegex(said, r"(?m)^\$5 = .*\bhole = .*job dig \(pending\)")
            self.assertRegex(said, r"(?m)^\$6 = 1min 0\.50s \(60500000000 ns\)$")


class Stuck(Asked, unittest.TestCase):
    program = STUCK
    questions = ("echo == flows\\n", "uflow flows", "echo == flow\\n", "uflow flow left", "echo == why\\n",
                 "uflow why cell", "echo == trace\\n", "uflow trace 2000 cell.left", "echo == print\\n",
                 "print cell.right.uf", "print cell.emergency_stop", "print cell.left.uf.entered",
                 "print cell.left.uf_arms[0]",
                 "print cell.camera.uf_arms[0]", "print cell.parts", "complete uflow flow cell.r",
                 "echo == wrong\\n",
                 "uflow flow nobody", "uflow flow", "uflow flow &cell.camera", "echo == end\\n")

    def test_flows(self):
        for said in self.answers("flows"):
            self.assertRegex(said, r"(?m)^  cell  .*; signal emergency_stop; task: with run cell\.belt$")
            self.assertRegex(said, r"(?m)^runtime cell: 6 flows, 5 running, round \d+$")
            for side, other in ("left", "right"), ("right", "left"):
                self.assertRegex(said, rf'(?m)^    {side} +Carry\.Cross \(cell\.uflow:\d+\)  for \S+  '
                                       r'"part 1 needs the other zone"  waits: room in zone of '
                                       rf'cell\.{other}; timeout in 7h 59min$')
            self.assertRegex(said, r"(?m)^    camera +idle, failed: no light at exposure 3$")
            self.assertRegex(said, r"(?m)^    parts\[0\] +Wait\.Cool ")
            self.assertIn("these 2 flows wait for each other:\n", said)

    def test_flow(self):
        for said in self.answers("flow"):
            self.assertRegex(said, r"(?m)^cell\.left  Carry\.Cross:\d+  #01  for .*  part 1 needs the other zone$")
            self.assertRegex(said, r"(?m)^    waits: room in zone of cell\.right  "
                                   r"\[cell\.right is in Carry\.Cross:\d+\]$")
            self.assertRegex(said, r"(?m)^    waited for by cell  Work\.Carry:\d+: run cell\.left$")
            self.assertRegex(said, r"(?m)^    waited for by cell\.right  Carry\.Cross:\d+: room in zone of cell\.left$")

    def test_why(self):
        for said in self.answers("why"):
            self.assertRegex(said, r"these 2 flows wait for each other:\n"
                                   r"    cell\.left  Carry\.Cross:\d+  room in zone of cell\.right\n"
                                   r"    cell\.right  Carry\.Cross:\d+  room in zone of cell\.left\n")
            self.assertRegex(said, r"(?m)^  waits for signal emergency_stop, which depends on who fires it$")

    def test_trace(self):
        for said in self.answers("trace"):
            self.assertRegex(said, r"(?m)^ +\S+  cell\.left +Carry\.Enter:\d+ .* -> Cross ")
            self.assertRegex(said.splitlines()[-1],
                             r"cell\.left +Carry\.Cross:\d+ +waits  room in zone of cell\.right, timeout in ")

    def test_uflow_trace_reads_the_core_dump(self):
        names = os.path.join(self.folder, "cell.json")
        flows = os.path.join(ROOT, "tests", "stuck", "cell.uflow")
        subprocess.run([os.environ["UFC"], "--emit=json", flows, "-o", names], check=True)
        for side, other in ("left", "right"), ("right", "left"):
            done = subprocess.run([TOOL, f"--flow=cell.{side}", f"--map={names}", self.core], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, check=False)
            if b"without jansson" in done.stderr: self.skipTest("uflow-trace has no --map")
            self.assertRegex(done.stdout.decode().splitlines()[-1],
                             rf" cell\.{side} +Carry\.Cross:\d+ +waits  room in zone of cell\.{other}, ")

    def test_printers(self):
        for said in self.answers("print"):
            self.assertRegex(said, r"(?m)^\$1 = cell\.right  Carry\.Cross:\d+  #01  for .*the other zone$")
            self.assertRegex(said, r"(?m)^\$2 = signal emergency_stop, fired 0 times, 1 waiting$")
            self.assertRegex(said, r"(?m)^\$4 = room in zone of cell\.right$")
            self.assertRegex(said, r"(?m)^\$5 = not set$")
            self.assertRegex(said, r"(?m)^\$6 = pool parts of cell, 1 of 4 busy$")
            self.assertRegex(said, r"(?m)^uflow flow cell\.right$")
            self.assertRegex(said, r"(?m)^\$3 = \d+(?:\.\d+)?(?:ms|s|min|h|d)\b")

    def test_wrong_questions(self):
        for said in self.answers("wrong"):
            self.assertIn("No flow is called nobody. `uflow flows` shows all.\n", said)
            self.assertIn("Which flow? `uflow flow PATH`; `uflow flows` shows all paths.\n", said)
            self.assertIn("cell.camera  idle, failed: no light at exposure 3\n", said)

    def test_nothing_to_read(self):
        self.assertIn("There is no process and no core dump", gdb(STUCK, *commands("uflow flows")))
        run = "run > /dev/null"
        self.assertIn("No flow is attached to a pump.", gdb(ARMS, *commands("break main", run, "uflow flows")))
        self.assertIn("No flight recorder", gdb(ARMS, *commands("break look", run, "uflow trace")))
        bare = os.path.join(self.folder, "bare")
        shutil.copy(ARMS, bare)
        subprocess.run(["strip", "--strip-debug", bare], check=True)
        said = gdb(bare, *commands("break look", run, "uflow flows"))
        self.assertIn("No debug information about uf_", said)
        self.assertIn("uflow-trace --map=", said)


class Hangs(Asked, unittest.TestCase):
    """A step never returns: then no deadline is kept, and no flow waits for the one in this step."""
    program, options = LINE, ("--hang",)
    questions = ("echo == why\\n", "uflow why", "echo == flow\\n", "uflow flow bus", "echo == axis\\n",
                 "uflow flow axes[0]", "echo == trace\\n", "uflow trace 9 nobody", "uflow trace 3 line.mixer",
                 "echo == end\\n")

    def test_why(self):
        for said in self.answers("why"):
            self.assertRegex(said, r"^No flows wait for each other\.\n"
                                   r"In a step that has not returned; `thread apply all backtrace` shows where:\n"
                                   r'  station\.bus  Poll\.Read \(line\.uflow:\d+\)  for \S.*  "register 7"\n'
                                   r"Failed, so others may wait for what they did before:\n"
                                   r"  line\.mixer  idle, failed: tank 4 is empty\n"
                                   r"`uflow flows` shows what each flow waits for\.\n$")

    def test_overdue(self):
        live, dead = self.answers("axis")
        self.assertRegex(live, r"(?m)^    waits: timeout overdue for (?:\d\d+\.\d\dms|\d.*(?:s|min))$")
        self.assertRegex(dead, r"(?m)^    waits: timeout (?:in|overdue for) ")

    def test_first_run(self):
        for said in self.answers("flow"): self.assertRegex(said, r", run 1, .*; no earlier run; at 0x")

    def test_trace_without_events(self):
        for said in self.answers("trace"):
            none, has_ended = said.splitlines()
            self.assertEqual(none, "The ring has no event of a flow whose path matches nobody.")
            self.assertRegex(has_ended, r"  line\.mixer +Mix\.Ready:\d+ +has ended failed$")

    def test_another_program(self):
        said = gdb(STUCK, self.core, *commands("uflow flows"))
        self.assertRegex(said, r"UF_ABI|No flow is attached|another program than \S*stuck_cell|There is no process")


class Waits(Asked, unittest.TestCase):
    """For a signal that nobody fires any more."""
    program = LINE
    questions = ("echo == why\\n", "uflow why", "echo == one\\n", "uflow why filler", "echo == end\\n")

    def test_why(self):
        for said in self.answers("why"):
            self.assertRegex(said, r"^No flows wait for each other\.\n(?:In a step .*\n  station.*\n)?"
                                   r"Failed, so others may wait for what they did before:\n"
                                   r"  line\.mixer  idle, failed: tank 4 is empty\n")
        for said in self.answers("one"):
            self.assertRegex(said, r"(?m)^  waits for signal poured \(fires so far: \d+\), which depends on "
                                   r"who fires it$")


if __name__ == "__main__":
    if not shutil.which("gdb"):
        print("skipped: there is no gdb")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
