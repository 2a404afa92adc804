#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of `ufc --emit=html` and its replay, driven in a headless Chromium. Pictures of it go to WORK.

The environment names the programs: UFC, UFLOW_TRACE, UFLOW_COV, TRACES, COVERED, EVENTS, LAPS, CHROMIUM; the
directories UFLOW_ROOT and WORK; and LAYOUTS, how many random graphs are drawn."""
import base64
import glob
import json
import os
import random
import shutil
import subprocess
import sys
import unittest

from browser import Browser

sys.path.insert(0, os.path.join(os.environ["UFLOW_ROOT"], "tests"))
from chosen import run_tests  # noqa: E402

UFC, UFLOW_TRACE, UFLOW_COV, TRACES, COVERED, EVENTS, LAPS, CHROMIUM = (
    os.environ[name] for name in ("UFC", "UFLOW_TRACE", "UFLOW_COV", "TRACES", "COVERED", "EVENTS", "LAPS",
                                      "CHROMIUM"))
ROOT, WORK = os.environ["UFLOW_ROOT"], os.environ["WORK"]
SIZES = [(1280, 800), (390, 844)]
STUCK = os.path.join(ROOT, "tests/stuck/cell.uflow")
CROWD = os.path.join(ROOT, "tests/html/crowd.uflow")
CAUSES = os.path.join(ROOT, "tests/html/causes.uflow")
PROGRAMS = sorted(glob.glob(ROOT + "/examples/*/*.uflow") + glob.glob(ROOT + "/tests/golden/emit/*.uflow") + [STUCK])


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def page_of(program):
    """The page and the structure of a program."""
    made = os.path.join(WORK, os.path.relpath(program, ROOT).replace("/", "-")[:-6] + ".html")
    run(UFC, "-Wno-unread-job", "--emit=html", program, "-o", made)
    return made, json.loads(run(UFC, "-Wno-unread-job", "--emit=json", program))


def trace_of(kind):
    path = os.path.join(WORK, kind + ".uftrace")
    run(TRACES, kind, path)
    return path


def replay_of(kind, program):
    """A page with a replay in it, and the replay."""
    made, trace = os.path.join(WORK, kind + "-replay.html"), trace_of(kind)
    run(UFLOW_TRACE, "--page=" + page_of(program)[0], trace, "-o", made)
    return made, json.loads(run(UFLOW_TRACE, "--format=replay", trace))


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(CHROMIUM)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def setUp(self):
        self.browser.errors.clear()
        self.browser.requests.clear()

    def tearDown(self):
        self.assertEqual(self.browser.errors, [])
        self.assertEqual([url for url in self.browser.requests if not url.startswith(("file://", "about:"))], [])

    def text(self, selector):
        return self.browser.run(f"document.querySelector({json.dumps(selector)}).innerText")

    def texts(self, selector):
        return self.browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")

    def drop(self, *files):
        self.drop_bytes(*((os.path.basename(name), bytes_of(name)) for name in files))

    def drop_bytes(self, *files):
        self.browser.run("""(files => {
            const data = new DataTransfer();
            for (const [name, bytes] of files) {
                data.items.add(new File([Uint8Array.from(atob(bytes), c => c.charCodeAt(0))], name));
            }
            const opened = new Promise(done => document.addEventListener('uflow-opened', done, { once: true }));
            document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
            return opened.then(() => null);
        })(%s)""" % json.dumps([(name, base64.b64encode(data).decode()) for name, data in files]))
        self.browser.settle()


# The drawing of the shown flow: boxes of nodes and labels in the coordinates of each SVG.
DRAWN = """[...document.querySelectorAll('#chart .task')].map(task => {
    const box = e => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
    return {
        name: task.querySelector('h2 button').textContent,
        steps: [...task.querySelectorAll('.step')].map(e => [e.querySelector('.name').textContent, +e.dataset.line]),
        boxes: [...task.querySelectorAll('.box')].map(box), labels: [...task.querySelectorAll('.edge text')].map(box),
        rows: task.querySelectorAll('.row').length, chips: task.querySelectorAll('.chip').length,
        edges: task.querySelectorAll('.edge').length,
        wide: task.querySelector('svg').getBoundingClientRect().width,
    };
})"""


def overlap(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 1


class Diagrams(PageTest):
    def check_task(self, task, drawn, where):
        self.assertEqual(drawn["steps"], [[step["name"], step["line"]] for step in task["steps"]], where)
        edges = [(step["name"], edge) for step in task["steps"] for edge in step["edges"]]
        onward = [(name, edge) for name, edge in edges if edge.get("step", name) != name]
        handlers = [(i, handler) for i, handler in enumerate(task["preempts"]) if "step" in handler]
        self.assertEqual(drawn["rows"], len(edges) - len(onward), where)
        self.assertEqual(drawn["chips"], len(task["preempts"]) - len(handlers), where)
        pairs = {(name, edge["step"]) for name, edge in onward} | {(i, handler["step"]) for i, handler in handlers}
        self.assertEqual(drawn["edges"], len(pairs), where)
        for i, one in enumerate(drawn["boxes"]):
            for other in drawn["boxes"][:i] + drawn["labels"]:
                if overlap(one, other):
                    self.fail(f"{where}: {one} and {other} overlap")

    def check_steps(self, name, text):
        """A click on a step shows its source."""
        clicked = self.browser.run("""[...document.querySelectorAll('#chart .step')].map(step => {
            step.dispatchEvent(new MouseEvent('click', { bubbles: true }));
            const here = document.querySelectorAll('.line.here');
            const lines = document.getElementById('lines').getBoundingClientRect();
            const box = here[0].getBoundingClientRect();
            return [step.querySelector('.name').textContent, +step.dataset.line, here.length, +here[0].dataset.line,
                    here[0].textContent, box.top >= lines.top - 1 && box.bottom <= lines.bottom + 1];
        })""")
        for step, line, marked, shown, said, visible in clicked:
            self.assertEqual((marked, shown, visible), (1, line, True), f"{name}: {step}")
            self.assertEqual(said.strip("\n"), text[line - 1], f"{name}: {step}")
            self.assertIn(step, said)

    def test_every_program(self):
        for program in PROGRAMS:
            page, structure = page_of(program)
            text = bytes_of(program).decode().splitlines()
            self.browser.open(page)
            self.assertEqual([line.rstrip() for line in self.texts("#lines .line")], [line.rstrip() for line in text])
            for flow in structure["flows"]:
                self.browser.run(f"""(select => {{ select.value = {json.dumps(flow['name'])};
                    select.dispatchEvent(new Event('change')); }})(document.getElementById('flows'))""")
                where = f"{os.path.relpath(program, ROOT)}: flow {flow['name']}"
                drawn = self.browser.run(DRAWN)
                self.assertEqual([task["name"] for task in drawn], [task["name"] for task in flow["tasks"]], where)
                for task, shown in zip(flow["tasks"], drawn):
                    self.check_task(task, shown, f"{where}, task {task['name']}")
                self.check_steps(where, text)

    def test_layout(self):
        """Random graphs: chains, branches, cycles, long edges."""
        source = os.path.join(WORK, "random.uflow")
        for seed in range(int(os.environ["LAYOUTS"])):
            with open(source, "w", encoding="utf-8") as file:
                file.write(random_program(seed))
            page, structure = page_of(source)
            self.browser.open(page)
            for task, shown in zip(structure["flows"][0]["tasks"], self.browser.run(DRAWN)):
                self.check_task(task, shown, f"seed {seed}")

    def test_text_cannot_leave_the_script(self):
        source = os.path.join(WORK, "hostile.uflow")
        text = ('flow Bad { task Run { step Go {\nawait {\n'
                'until ("</script><!--"[0] == \'<\') -> done; stopping -> done; }\n} } }\n'
                '// \u00e9 <!-- uflow: end of data --> </script>\n')
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        self.browser.open(page_of(source)[0])
        self.assertEqual(self.texts("#lines .line"), text[:-1].split("\n"))
        self.assertEqual(self.texts(".step .name"), ["Go"])

    def test_keyboard(self):
        page, structure = page_of(STUCK)
        self.browser.open(page)
        self.browser.run("(e => { e.value = %s; e.dispatchEvent(new Event('change')); })"
                         "(document.getElementById('flows'))" % json.dumps(structure["flows"][0]["name"]))
        self.browser.run("document.querySelector('#chart .step').focus()")
        self.browser.key("Enter")
        self.assertEqual(self.browser.run("+document.querySelector('.here').dataset.line"),
                         structure["flows"][0]["tasks"][0]["steps"][0]["line"])
        self.browser.run("document.querySelector('#chart .row').focus()")
        self.browser.key("Enter")
        self.assertIn("room(&flow->other->zone)", self.text(".here"))  # its `else`
        self.browser.key("/")
        self.assertEqual(self.browser.run("document.activeElement.id"), "search")
        for letter in "expose":
            self.browser.key(letter)
        self.browser.key("Enter")
        self.assertEqual(self.browser.run("document.activeElement.querySelector('.name').textContent"), "Expose")
        self.assertIn("step Expose", self.text(".here"))
        self.browser.key("?")
        self.assertIn("next, previous failure", self.text("#keys"))


def random_program(seed):
    dice = random.Random(seed)
    count = dice.randint(1, 14)
    steps = []
    for i in range(count):
        targets = {(i + 1) % count} | {dice.randrange(count) for _ in range(dice.randint(0, 3))}
        arms = "".join(f"until (flow->level > {'1' * dice.randint(1, 30)}) -> S{to}; " for to in sorted(targets))
        steps.append(f"step S{i} {{ await {{ {arms} timeout 1s -> fail; }} }}\n")
    return "signal stop;\nflow Random { int level; task Run { on stop -> S0;\n" + "".join(steps) + "} }\n"


# How the flows of causes.uflow came to their places at the end: what is lit, and how.
LIT = {
    "handler": ("taken", "on halt", "edge from on halt"), "handler_fails": ("taken", "on halt → ✕ fail"),
    "handler_of_flow": ("taken", "on panic → ✕ fail"),
    "time": ("taken", "on timeout 5ms", "edge from on timeout 5ms"),
    "time_ends": ("taken", "on timeout 5ms → ✓ done"),
    "companion": ("taken", "with run Sub.Fail(sub)", "edge from with run Sub.Fail(sub)"),
    "companion_of_many": ("taken", "with run Sub.Fail(subs[*])", "edge from with run Sub.Fail(subs[*])"),
    "behind_companions": ("taken", "on timeout 5ms", "edge from on timeout 5ms"),
    "first_fails": ("taken", "else", "edge from Wait"),
    "behind_array": ("taken", "timeout 5ms", "edge from Wait"),
    "companion_fails": ("taken", "with run Sub.Fail(sub) → ✕ fail"), "becomes": ("taken", "on halt → ⇒ Rest"),
    "arm_time": ("taken", "timeout 5ms", "edge from Wait"),
    "arm_condition": ("taken", "until (flow->open)", "edge from Wait"),
    "else_of_run": ("taken", "else", "edge from Wait"), "else_of_fail": ("taken", "else✕ fail at it failed"),
    "arm_go": ("taken", "go", "edge from Wait"),
    "arm_other": ("taken", "other", "edge from Wait"),
    "all_time": ("taken", "timeout 5ms", "edge from Wait"),
    "all_go": ("taken", "timeout 5ms", "edge from Wait"),  # a part of the `all` was ready, too
    "all_both": ("taken", "all(go, other)", "edge from Wait"),
    "two_awaits": ("maybe", "go", "other", "edge from Wait"),  # the trace does not distinguish them
    "room_time": ("taken", "timeout 5ms", "edge from Wait"),
    "room_go": ("taken", "go", "edge from Wait"),
    "body": ("taken", "if (flow->which == 1)", "edge from Wait"),
    "body_time": ("taken", "timeout 5ms", "edge from Wait"),
    "fail_first": ("taken", "if (flow->which == 1)✕ fail at too cold"),
    "fail_second": ("taken", "if (flow->which == 2)✕ fail at too hot"),
    "fail_helper": ("failed", "Check"),
    "fail_time": ("taken", "timeout 5ms✕ fail at too late"),
}
# Can the reader see the present step, or the cause of the run's end?
IN_VIEW = """(() => {
    const chart = document.getElementById('chart'), lit = chart.querySelector('.now') ||
        chart.querySelector('.taken, .maybe, .failed');
    const [box, view] = [lit, chart].map(e => e.getBoundingClientRect());
    return box.top >= view.top && box.bottom <= view.bottom;
})()"""
LIT_NOW = """[...document.querySelectorAll('#chart :is(.taken, .maybe, .failed)')].map(e => {
    const words = e.querySelector('title')?.textContent, line = words?.match(/, line (\\d+)$/)?.[1];
    const texts = [...e.querySelectorAll('text')].map(t => t.lastChild.textContent).join('');
    const kind = ['taken', 'maybe', 'failed'].find(name => e.classList.contains(name));
    if (e.classList.contains('step')) return [kind, e.querySelector('.name').textContent];
    if (e.classList.contains('edge')) return [kind, `edge from ${e.dataset.from}`];
    return [kind, e.classList.contains('row') ? `${texts} at ${line}` : texts || e.textContent];
}).sort()"""


# The number of drawings on the canvas, and of frames.
COUNT_STROKES = """(() => {
    window.strokes = window.frames = 0;
    for (const name of ['fillRect', 'fillText', 'fill']) {
        const whole = CanvasRenderingContext2D.prototype[name];
        CanvasRenderingContext2D.prototype[name] = function (...those) {
            window.strokes++;
            return whole.apply(this, those);
        };
    }
    const place = CanvasRenderingContext2D.prototype.setTransform;
    CanvasRenderingContext2D.prototype.setTransform = function (...those) {
        window.frames++;
        return place.apply(this, those);
    };
})()"""


class Replay(PageTest):
    def test_stuck_cell(self):
        page, _ = replay_of("stuck", STUCK)
        self.browser.open(page)  # at the end, since flows wait for each other there
        self.assertEqual(self.texts("#names .chosen"), ["cell.left"])
        waiting = self.text("#waiting")
        self.assertIn("cell.left and cell.right wait for each other", waiting.replace("\n", " "))
        self.assertEqual(self.texts("#waiting li > .path")[:2], ["cell.left", "cell.right"])
        self.assertEqual(len(self.texts("#event-rows .event.now")), 1)
        for one, other in (("left", "right"), ("right", "left")):
            self.browser.run(f"document.querySelector('#names .flow[title=\"cell.{one}\"]').click()")
            self.browser.settle()
            state = self.text("#state")
            self.assertIn("in Carry.Cross:15", state)
            self.assertIn(f"room in zone of cell.{other}", state)
            self.assertIn(f"that is up to cell.{other}, in Carry.Cross:15", state)
            self.assertEqual(self.texts("#chart .step.now .name"), ["Cross"])
            self.assertIn("step Cross", self.text(".here"))

    def test_each_event(self):
        """At each step of the trace, the diagram shows the step and the transition to it."""
        page, replay = replay_of("stuck", STUCK)
        self.browser.open(page)
        for key in "Home", "ArrowRight", "ArrowLeft": self.browser.key(key)  # the first event, and its flow
        types = {row[0]: row for row in replay["types"]}
        flows = {number: (types[kind], path) for number, kind, path in replay["flows"]}
        before, kinds = {}, replay["kinds"]
        for kind, _, flow, a, *_ in replay["events"]:
            entered = kind in (kinds["STARTED"], kinds["STEP"])
            if entered:
                steps = flows[flow][0][4]
                self.assertEqual(self.texts("#chart .step.now .name"), [steps[a & 0xffff][0]], flows[flow][1])
                taken = self.texts("#chart .taken")
                if kind == kinds["STEP"]:
                    self.assertTrue(taken, f"{flows[flow][1]}: from {before[flow]}")
                before[flow] = steps[a & 0xffff][0]
            self.browser.key("ArrowRight")
        count = len(replay["events"])
        self.assertEqual(self.text("#clock").split(", ")[1], f"event {count} of {count}")

    def check_lit(self, flow):
        kind, *wanted = LIT[flow]
        with open(CAUSES, encoding="utf-8") as file:
            source = list(enumerate(file, 1))
        for i, one in enumerate(wanted):
            if " at " in one:  # a line with this text
                words, text = one.split(" at ")
                wanted[i] = f"{words} at {next(n for n, line in source if text in line)}"
        with self.subTest(flow):
            self.assertEqual(self.browser.run(LIT_NOW), sorted([kind, one] for one in wanted))
            self.assertTrue(self.browser.run(IN_VIEW))

    def test_causes(self):
        """The cause of the present step, among others that lead there too."""
        page, replay = replay_of("causes", CAUSES)
        self.browser.open(page)
        self.browser.key("End")
        rows, seen = range(len(replay["flows"]) + 1), set()  # one is of signals
        for _ in rows:
            self.browser.key("ArrowUp")
        for _ in rows:
            flow = self.texts("#names .chosen")[0]
            if flow in LIT:
                self.check_lit(flow)
                seen.add(flow)
            if flow == "paused":
                state = self.text("#state")
                self.assertRegex(state, r"paused for \d+\.\d+ms")
                self.assertIn("on timeout in 5.00ms", state)  # not overdue: it stands
            if flow == "time":
                self.assertIn("came from Time.Wait:32: on timeout", self.text("#state"))
            self.browser.key("ArrowDown")
        self.assertEqual(seen, set(LIT))
        self.browser.key("Home")
        failed = set()
        for _ in range(20):  # the keys go by time: each failure is met, with its cause
            self.browser.key("f")
            flow = self.texts("#names .chosen")[0]
            failed.add(flow)
            if flow in LIT:
                self.check_lit(flow)
        self.assertLessEqual({"handler_fails", "handler_of_flow", "companion_fails", "fail_first", "fail_helper"},
                             failed)

    def test_pools(self):
        """Members of pools in cycles; a fulfilled part of an `all`; times in words."""
        page, _ = replay_of("stuck", STUCK)
        self.browser.open(page)
        data = json.loads(run(UFLOW_TRACE, "--format=replay", trace_of("stuck")))
        kinds, types = data["kinds"], [[1, "Desk", "desk.uflow", [["Serve", 1]], [["Full", 2, 0]]]]
        paths = ["desk", "desk.clerks[0]", "desk.clerks[1]", "plant", "plant.look", "plant.free", "plant.free.parts[0]"]
        flows = [[n + 2, 1, path] for n, path in enumerate(paths)]
        started = [[kinds["STARTED"], 0, flow, 0, 1] for flow, _, _ in flows]
        waits = [[kinds["WAIT"], 0, 2, 0, 0, "vacant clerks, timeout in 8h"], [kinds["ENDED"], 0, 6, 2 << 16, 0],
                 [kinds["WAIT"], 0, 3, 0, 0, "room in desk.papers", [2]],
                 [kinds["WAIT"], 0, 4, 0, 0, "room in desk.papers", [2]],
                 [kinds["WAIT"], 0, 5, 0, 0, "run plant.look, run plant.free", [6, 7]],
                 [kinds["WAIT"], 0, 7, 0, 0, "vacant parts"], [kinds["WAIT"], 0, 8, 0, 0, "timeout in 8h"],
                 [kinds["SIGNAL"], 137 * 10**9, 0, 0, 0, "signal late"]]
        replay = os.path.join(WORK, "pools.json")
        with open(replay, "w", encoding="utf-8") as file:
            json.dump({**data, "events": started + waits, "types": types, "flows": flows}, file)
        self.drop(replay)
        self.assertEqual(self.texts("#waiting .cycle"),
                         ["desk and desk.clerks[0] and desk.clerks[1] wait for each other"])
        waiting = self.text("#waiting")
        for words in ("waits for 2min 17.00s: vacant clerks", "that is up to desk.clerks[1], in Serve.Full:2",
                      "plant.look has ended: done", "that is up to plant.free.parts[0], in Serve.Full:2"):
            self.assertIn(words, waiting)
        self.assertNotIn("that is up to plant.look", waiting)
        self.browser.key("Home")
        self.assertEqual(self.text("#waiting h2"), "Waiting: 0, 6 at the end")
        self.browser.click_on("#waiting h2 button")
        self.assertEqual(self.text("#waiting h2"), "Waiting: 6")

    def test_failures_and_search(self):
        page, _ = replay_of("stuck", STUCK)
        self.browser.open(page)
        self.browser.key("f")
        self.assertIn("failed: no light at exposure 3", self.text("#state"))
        self.assertIn("in Look.Expose", self.text("#state"))
        self.assertEqual(self.texts("#chart .row.fail.taken .target"), ["✕ fail"])
        self.assertIn("failed: no light at exposure 3", self.text("#event-rows .now"))
        self.browser.key("End")
        self.browser.key("F", shift=True)
        self.assertIn("no light", self.text("#event-rows .now"))
        self.browser.key("/")
        for letter in "part 7":
            self.browser.key(letter)
        self.browser.key("Enter")
        self.assertIn("“part 7”", self.text("#event-rows .now"))

    def test_play(self):
        page, replay = replay_of("stuck", STUCK)
        end = len(replay["events"])
        self.browser.open(page)
        self.browser.run("document.getElementById('speed').value = '10'; "
                         "document.getElementById('speed').dispatchEvent(new Event('change'))")
        self.browser.click_on("#play")
        self.browser.wait(f"document.getElementById('clock').textContent.includes('event {end} of {end}')")
        self.browser.wait("document.getElementById('play').textContent === '▶'")

    def test_mouse(self):
        """A press on a track goes to that time and flow; the wheel zooms."""
        page, _ = replay_of("stuck", STUCK)
        self.browser.open(page)
        box = self.browser.run("""(r => [r.left, r.top, r.width])(
            document.getElementById('time').getBoundingClientRect())""")
        self.browser.click(box[0] + box[2] / 2, box[1] + 22 + 22 * 3 + 11)
        self.assertEqual(self.texts("#names .chosen"), ["cell.left"])
        self.assertTrue(self.text("#clock").startswith("0.99"), self.text("#clock"))
        self.browser.click_on("#event-rows .event")
        self.assertEqual(len(self.texts("#event-rows .event.now")), 1)

    def test_notes(self):
        """A note is a square on the axis, and its text where there is room."""
        stream = os.path.join(WORK, "notes.uftrace")
        run(EVENTS, stream)
        self.browser.open(page_of(os.path.join(ROOT, "tests/trace/events.uflow"))[0])
        self.browser.run("""(() => {
            const pen = CanvasRenderingContext2D.prototype, { fillRect, fillText } = pen;
            window.drawn = [];
            pen.fillRect = function (...at) { window.drawn.push(at.slice(1).join()); fillRect.call(this, ...at); };
            pen.fillText = function (text, ...at) { window.drawn.push(text); fillText.call(this, text, ...at); };
        })()""")
        self.drop(stream)
        self.browser.wait("window.drawn.includes('a note that takes several cells')")
        self.assertTrue(self.browser.run("window.drawn.includes('14,7,7')"))

    def test_drop(self):
        """A replay and other pages, dropped on a page; and files that are neither."""
        page, _ = page_of(CROWD)
        trace, replay = trace_of("stuck"), os.path.join(WORK, "stuck.json")
        run(UFLOW_TRACE, "--format=replay", trace, "-o", replay)
        count = len(replay_of("stuck", STUCK)[1]["events"])
        self.browser.open(page)
        self.drop(UFC)
        self.assertIn("uflow-trace --format=replay", self.text("#message"))
        self.drop(CROWD)
        self.assertIn("is no page", self.text("#message"))
        self.drop(trace)
        self.assertIn(f"event {count} of {count}", self.text("#clock"))
        self.assertIn("The diagrams are of crowd.uflow, the trace is of cell.uflow.", self.text("#message"))
        self.drop(replay)
        self.assertIn("No diagram: drop cell.html", self.text("#state"))
        self.drop(page_of(STUCK)[0])
        self.browser.key("End")
        self.assertEqual(self.texts("#chart .step.now .name"), ["Cross"])
        self.drop(replay_of("crowd", CROWD)[0])
        self.assertNotIn(f"of {count}", self.text("#clock"))

    def test_binary_traces(self):
        """The page reads them as uflow-trace does: every kind of event and arm, streams and images."""
        stream, image = os.path.join(WORK, "events.uftrace"), os.path.join(WORK, "events.image")
        run(EVENTS, stream, image)
        program = os.path.join(ROOT, "tests/trace/events.uflow")
        page, structure = page_of(program)
        names = os.path.join(WORK, "events.json")
        with open(names, "w", encoding="utf-8") as file:
            json.dump(structure, file)
        laps = os.path.join(WORK, "laps")
        os.makedirs(laps, exist_ok=True)
        run(LAPS, "1", laps)
        lapped = [os.path.join(laps, name) for name in ("4.0.trace", "4.3.img", "4.5.trace", "4.7.img", "0.1.stream")]
        for trace in (stream, image, trace_of("stuck"), trace_of("crowd"), *lapped):
            replay = json.loads(run(UFLOW_TRACE, "--map=" + names, "--format=replay", trace))
            self.browser.open(page)
            self.browser.run("window.seen = null; "
                             "document.addEventListener('uflow-replay', e => window.seen = e.detail)")
            self.drop(trace)
            self.browser.wait("window.seen !== null")
            seen = self.browser.run("window.seen")
            self.assertEqual(seen["events"], replay["events"], os.path.basename(trace))
            self.assertEqual((seen["flows"], seen["start"]), (replay["flows"], replay["start"]))
            self.assertEqual(seen["types"], replay["types"])
            for kind, number in replay["kinds"].items():
                self.assertEqual(seen["kinds"][kind], number)
        nameless = os.path.join(WORK, "nameless.json")  # without a map: the page knows the names
        run(UFLOW_TRACE, "--format=replay", image, "-o", nameless)
        self.browser.open(page)
        self.drop(nameless)
        self.browser.key("Home")
        self.browser.key("F", shift=True)
        self.assertIn("in Serve.Helped", self.text("#state"))

    def test_several_pages(self):
        """uflow-trace joins the pages of several files."""
        made = os.path.join(WORK, "joined.html")
        pages = ["--page=" + page_of(program)[0] for program in (CROWD, STUCK)]
        run(UFLOW_TRACE, *pages, trace_of("stuck"), "-o", made)
        self.browser.open(made)
        self.assertEqual(self.texts("#flows option"), ["Walker", "Crowd", "Picker", "Belt", "Camera", "Part", "Cell"])
        self.browser.key("End")
        self.assertEqual(self.texts("#chart .step.now .name"), ["Cross"])

    def test_crowd(self):
        """200 flows and 100 000 events: only what is in view is in the document."""
        page, replay = replay_of("crowd", CROWD)
        self.assertGreaterEqual(len(replay["events"]), 100000)
        self.assertGreaterEqual(len(replay["flows"]), 200)
        self.assertLess(os.path.getsize(page), 60 * len(replay["events"]))
        self.browser.open(page)
        self.browser.run(COUNT_STROKES)
        counts = [self.browser.run("document.querySelectorAll('*').length")]
        for key in ("End", "f", "ArrowDown", "+", "+", "ArrowLeft", "0"):
            self.browser.key(key)
            counts.append(self.browser.run("document.querySelectorAll('*').length"))
        self.assertLess(max(counts), 3000)
        strokes = []
        for key in ("End", "f", "+", "0", "ArrowLeft"):
            self.browser.run("window.strokes = window.frames = 0")
            self.browser.key(key)
            strokes.append(self.browser.run("window.strokes / window.frames"))
        self.assertLess(max(strokes), 5000)  # as many as the pixels of the rows in view admit, not as the events
        spent = self.browser.run("""new Promise(done => {
            const begin = performance.now(), key = name => document.body.dispatchEvent(
                new KeyboardEvent('keydown', { key: name, bubbles: true }));
            let frames = 0;
            const next = () => {
                if (frames++ === 60) return done((performance.now() - begin) / 60);
                key(frames % 3 ? 'ArrowRight' : 'f');
                requestAnimationFrame(next);
            };
            next();
        })""")
        print(f"crowd: {len(replay['events'])} events, {spent:.0f} ms per frame")
        self.browser.picture(os.path.join(WORK, "crowd.png"))
        self.browser.key("/")
        for letter in "tired after 1":
            self.browser.key(letter)
        self.browser.key("Enter")
        self.assertIn("tired after 1", self.text("#state"))

    def test_coverage(self):
        """The counts of uflow-cov colour the diagrams and the source."""
        data, counts = os.path.join(WORK, "stuck.cov"), os.path.join(WORK, "coverage.json")
        if os.path.exists(data):
            os.remove(data)
        subprocess.run([COVERED, "stuck", os.path.join(WORK, "covered.uftrace")], check=True,
                       env={**os.environ, "UFLOW_COVERAGE_FILE": data})
        run(UFLOW_COV, "--format=json", data, "-o", counts)
        percent = json.loads(bytes_of(counts))["percent"]
        self.browser.open(page_of(STUCK)[0])
        self.browser.run("(e => { e.value = 'Picker'; e.dispatchEvent(new Event('change')); })"
                         "(document.getElementById('flows'))")
        self.drop(counts)
        self.assertIn(f"{percent:g} %", self.text("#message"))
        self.assertEqual(self.texts("#chart .step.ran .name"), ["Enter", "Cross"])
        self.assertEqual(self.texts("#chart .step.missed .name"), ["Leave"])
        self.assertEqual(self.texts("#chart .edge.ran title"), ["timeout 20ms, line 13"])
        self.assertEqual(self.texts("#chart .edge.missed title"), ["room(other->zone), line 18"])
        self.assertEqual(self.texts("#chart .row.missed title"),
                         ["timeout 8h → ✕ fail, line 19", "zone → ✓ done, line 22"])
        self.assertEqual(self.texts("#chart .count"), ["×2", "×2"])
        missed = self.browser.run("[...document.querySelectorAll('.line.missed')].map(e => +e.dataset.line)")
        self.assertEqual([line for line in missed if line < 25], [18, 19, 22])
        self.browser.picture(os.path.join(WORK, "coverage.png"))

    def test_page_in_place(self):
        """The output may replace the page, and the replay of a page its former one."""
        once, trace = os.path.join(WORK, "place.html"), trace_of("stuck")
        shutil.copyfile(page_of(STUCK)[0], once)
        for _ in range(2):
            run(UFLOW_TRACE, "--page=" + once, trace, "-o", once)
        self.browser.open(once)
        self.assertRegex(self.text("#clock"), r"event (\d+) of \1$")
        self.assertNotEqual(self.texts("#names .flow"), [])

    def test_wrong_pages(self):
        for program, said in ((CROWD, "not a page"), ("missing.html", "No such file")):
            done = subprocess.run([UFLOW_TRACE, "--page=" + program, trace_of("stuck")], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr.decode())
        for program, warns in ((CROWD, True), (STUCK, False)):
            done = subprocess.run([UFLOW_TRACE, "--page=" + page_of(program)[0], trace_of("stuck")],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
            self.assertEqual("of another program" in done.stderr.decode(), warns, program)


# The contrast of texts on their backgrounds, as WCAG defines it.
CONTRAST = """(() => {
    const value = name => {
        const pen = document.createElement('canvas').getContext('2d');
        pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--' + name);
        pen.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map(
            c => c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const found = [];
    for (const ink of ['ink', 'dim', 'accent', 'good', 'bad', 'other', 'word', 'string', 'number'])
        for (const back of ['panel', 'back', 'accent-soft', 'here'])
            found.push([ink, back, contrast(value(ink), value(back))]);
    return found;
})()"""


# How much of the mark of the present time is in the canvas, in pixels of its upper edge.
MARK = """(() => {
    const canvas = document.getElementById('time'), pen = canvas.getContext('2d');
    const [r, g, b] = getComputedStyle(document.documentElement).getPropertyValue('--accent').trim().match(/\\w\\w/g)
        .map(pair => parseInt(pair, 16));
    const { data } = pen.getImageData(0, 1, canvas.width, 1);
    const is = (i, value) => i % 4 === 0 && value === r && data[i + 1] === g && data[i + 2] === b;
    return data.reduce((sum, value, i) => sum + is(i, value), 0);
})()"""


class Looks(PageTest):
    def check_opening(self, width, height):
        """Errors are on the first screen."""
        self.assertRegex(self.text("#clock"), r"event (\d+) of \1$")
        self.assertTrue(self.browser.run("document.getElementById('clock').getBoundingClientRect().bottom") <= height)
        places = self.browser.run("""[...document.querySelectorAll('.cycle')].map(e => e.getBoundingClientRect())
            .map(box => [box.left, box.top, box.right, box.bottom])""")
        inside = [(left, top) for left, top, right, bottom in places if right > left and right <= width and
                  0 <= top and bottom <= height]
        self.assertTrue(inside, f"{width}: {places}")

    def check_whole(self):
        """Rows of the list and the mark of the present time are not cut."""
        for key in ("Home", "End"):
            self.browser.key(key)
            self.assertGreaterEqual(self.browser.run(MARK), 8)
        for key in ("End", "f", "ArrowLeft", "ArrowLeft"):
            self.browser.key(key)
            self.assertEqual(self.browser.run("""(box => [box.scrollTop % 20, box.clientHeight % 20])(
                document.getElementById('event-rows'))"""), [0, 0], key)
        self.browser.key("End")

    def test_sizes_and_colours(self):
        pages = [("page", page_of(ROOT + "/examples/13_mqtt/mqtt.uflow")[0]), ("replay", replay_of("stuck", STUCK)[0])]
        for width, height in SIZES:
            for dark in (False, True):
                for name, page in pages:
                    self.browser.open(page, width, height, dark)
                    if name == "replay":
                        self.check_opening(width, height)
                        self.browser.key("End")
                        self.check_whole()
                    self.browser.picture(os.path.join(WORK, f"{name}-{width}-{'dark' if dark else 'light'}.png"))
                    self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), width, name)
                    for ink, back, contrast in self.browser.run(CONTRAST):
                        self.assertGreaterEqual(contrast, 4.5, f"{ink} on {back}, dark: {dark}")

    def test_tab(self):
        """The Tab key reaches all parts of the page."""
        self.browser.open(replay_of("stuck", STUCK)[0])
        reached = set()
        for _ in range(60):
            self.browser.key("Tab")
            reached.add(self.browser.run("(e => e.id || e.getAttribute('class'))(document.activeElement)"))
        self.assertLessEqual({"search", "open", "help", "step", "arm", "row fail", "lines", "play", "speed", "names",
                              "event-rows"}, reached)

    def test_labels(self):
        """Each control has a name for users who do not see it."""
        self.browser.open(replay_of("stuck", STUCK)[0])
        nameless = self.browser.run("""[...document.querySelectorAll('button, input, select, [role=button]')].filter(
            e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML)""")
        self.assertEqual(nameless, [])


def main():
    if not os.path.exists(CHROMIUM):
        print("there is no Chromium")
        sys.exit(77)
    os.makedirs(WORK, exist_ok=True)
    run_tests()


if __name__ == "__main__":
    main()
