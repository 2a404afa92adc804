#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The replay of a machine that stands still: the step that never returns, overdue timeouts, a failure that is older
than the trace, where the trace begins and ends; truncated traces; colours. The environment is that of check.py, and
LINE, the program stuck_line."""
import glob
import json
import os
import struct
import subprocess

from check import CAUSES, COVERED, LAPS, ROOT, UFLOW_COV, UFLOW_TRACE, WORK, PageTest, main, page_of, run

LINE = os.environ["LINE"]
FLOWS = os.path.join(ROOT, "tests/stuck/line.uflow")
PIECES = 7, 8  # cells of the texts of events: descriptions and reasons
FIRST_WITH_TEXT = 64  # cells of these kinds have a text behind them

# The shares of red and of green among the pixels of the tracks that have a colour.
COLOURS = """(() => {
    const canvas = document.getElementById('time');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let all = 0, red = 0, green = 0;
    for (let i = 0; i < data.length; i += 4) {
        const [r, g, b] = data.subarray(i, i + 3), most = Math.max(r, g, b), range = most - Math.min(r, g, b);
        if (range < 25) continue;
        all++;
        red += r === most && g < r - range / 2;
        green += g === most && b < g - range / 2;
    }
    return [all, red / all, green / all];
})()"""


class Standstill(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        os.makedirs(WORK, exist_ok=True)
        cls.trace, cls.image = (os.path.join(WORK, "line." + end) for end in ("uftrace", "img"))
        subprocess.run([LINE, "--hang", "--trace", cls.trace, "--image", cls.image], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, check=True)
        cls.page = os.path.join(WORK, "line-replay.html")
        run(UFLOW_TRACE, "--page=" + page_of(FLOWS)[0], cls.trace, "-o", cls.page)
        cls.replay = json.loads(run(UFLOW_TRACE, "--format=replay", cls.trace))

    def test_the_end(self):
        self.browser.open(self.page)
        self.browser.key("End")
        waiting = self.text("#waiting")
        self.assertRegex(waiting, r"^In a step that has not returned: 1\s+station\.bus\s+in Poll\.Read:\d+ for \d")
        self.assertEqual(len(self.texts("#waiting li > .path")), 8)
        self.assertRegex(waiting, r"station\.axes\[0\]\s+in Turn.*\s+came[^§]*?: timeout overdue for \d")
        self.assertRegex(waiting, r"waits for \S+: signal poured, timeout in 8h 0min")

    def test_the_begin(self):
        """Steps and waits that are older than the trace go on when it begins; so they are there at its first event."""
        events, kinds = self.replay["events"], self.replay["kinds"]
        before = next(i for i in range(len(events)) if sum(row[1] for row in events[:i + 1]) >= 0)
        waits = {row[2] for row in events[:before] if row[0] == kinds["WAIT"]}
        self.assertGreater(len(waits), 2)
        self.browser.open(self.page)
        for key in "Home", "ArrowLeft":
            self.browser.key(key)
            self.assertIn(f"event {before} of {len(events)}", self.text("#clock"))
            self.assertEqual(float(self.text("#clock").split(" s")[0]),
                             round(int(self.replay["start"]) / 1e9, 3))
            self.assertRegex(self.text("#waiting"), rf"(?m)^Waiting: {len(waits)}\b")

    def test_a_failure_before_the_trace(self):
        self.browser.open(self.page)
        self.assertIn("line.mixer", self.texts("#names .flow"))
        self.browser.key("End")
        self.browser.key("f")
        self.assertEqual(self.texts("#names .chosen"), ["line.mixer"])
        self.assertIn("failed, for a reason that the trace has lost", self.text("#state"))
        self.assertEqual(self.texts("#message"), [""])

    def read_by_page(self, trace):
        self.browser.run("window.seen = null; "
                         "document.addEventListener('uflow-replay', e => window.seen = e.detail)")
        self.drop(trace)
        return self.browser.run("window.seen")

    def same(self, trace):
        """The page reads the trace as uflow-trace does."""
        wanted, seen = json.loads(run(UFLOW_TRACE, "--format=replay", trace)), self.read_by_page(trace)
        if seen is None:
            self.assertEqual(wanted["events"], [])
        else:
            self.assertEqual([seen.get(part) for part in ("events", "end", "flows")],
                             [wanted.get(part) for part in ("events", "end", "flows")])

    def test_cut_traces(self):
        """Also before the first time, and after a gap."""
        laps, part = os.path.join(WORK, "cuts"), os.path.join(WORK, "cut.uftrace")
        os.makedirs(laps, exist_ok=True)
        run(LAPS, "2", laps)
        self.browser.open(page_of(os.path.join(ROOT, "tests/trace/laps.uflow"))[0])
        for name in self.trace, *sorted(glob.glob(os.path.join(laps, "[24].*.trace"))): self.same(name)
        for name in self.trace, os.path.join(laps, "4.1.trace"), os.path.join(laps, "0.1.stream"):
            with open(name, "rb") as file:
                data = file.read()
            for i in range(1, 9):
                cut = 64 + (len(data) - 64) * i // 9 // 16 * 16  # after a cell, so that none is half
                with open(part, "wb") as file:
                    file.write(data[:cut])
                with self.subTest(name=name, cut=cut):
                    self.same(part)

    def test_texts_without_their_begin(self):
        """As if a ring had lost the first cell of each description and reason."""
        laps, part = os.path.join(WORK, "texts"), os.path.join(WORK, "texts.uftrace")
        os.makedirs(laps, exist_ok=True)
        run(LAPS, "3", laps)
        with open(os.path.join(laps, "0.1.stream"), "rb") as file:
            data = file.read()
        kept, at = [data[:64]], 64
        while at < len(data):
            time, what = struct.unpack_from("<II", data, at)
            size = 16 + (-(-time // 16) * 16 if what >> 24 >= FIRST_WITH_TEXT else 0)
            if what >> 24 not in PIECES or time: kept.append(data[at:at + size])
            at += size
        with open(part, "wb") as file:
            file.write(b"".join(kept))
        self.assertIn(b'"...', run(UFLOW_TRACE, "--format=replay", part))
        self.browser.open(page_of(os.path.join(ROOT, "tests/trace/laps.uflow"))[0])
        self.same(part)

    def test_colours_of_steps(self):
        """No step looks good or bad."""
        for dark in False, True:
            self.browser.open(self.page, dark=dark)
            self.assertIn("without a meaning", self.browser.run("document.getElementById('keys').textContent"))
            coloured, red, green = self.browser.run(COLOURS)
            self.assertGreater(coloured, 2000)
            self.assertLess(max(red, green), 0.03)

    def test_lines_that_ran_partly(self):
        """The colour of each line follows from all counts on it."""
        data, counts = os.path.join(WORK, "causes.cov"), os.path.join(WORK, "causes-coverage.json")
        if os.path.exists(data):
            os.remove(data)
        subprocess.run([COVERED, "causes", os.path.join(WORK, "covered.uftrace")], check=True,
                       env={**os.environ, "UFLOW_COVERAGE_FILE": data})
        run(UFLOW_COV, "--format=json", data, "-o", counts)
        with open(counts, encoding="utf-8") as file:
            flows = [flow for one in json.load(file)["files"] if one["file"].endswith("causes.uflow")
                     for flow in one["flows"]]
        lines = {}
        for task in (task for flow in flows for task in flow["tasks"]):
            edges = [edge for step in task["steps"] for edge in step["edges"] if edge["on"] != "failure"]
            for point in [*task["handlers"], *task["steps"], *edges]:
                lines.setdefault(point["line"], set()).update(
                    point[count] > 0 for count in ("count", "true", "false") if count in point)
        names = {(True,): "ran", (False,): "missed", (False, True): "partly"}
        wanted = {str(line): names[tuple(sorted(found))] for line, found in lines.items()}
        self.assertEqual(set(wanted.values()), {"ran", "missed", "partly"})
        self.browser.open(page_of(CAUSES)[0])
        self.drop(counts)
        self.assertIn("Green: taken; amber: a part of it; red: never.", self.text("#message"))
        got = self.browser.run("Object.fromEntries([...document.querySelectorAll('#lines .line')].map(line => [line."
                               "dataset.line, [...line.classList].filter(name => name !== 'line' && name !== 'here' "
                               "&& name !== 'rest').join()]).filter(([, name]) => name))")
        self.assertEqual(got, wanted)
        self.browser.picture(os.path.join(WORK, "partly.png"))


if __name__ == "__main__":
    main()
