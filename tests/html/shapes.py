#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every shape of graph up to the limits of the language is drawn, or the page says that it is too large. Its replay
works. The work of the scripts is counted, not timed. The environment is that of check.py, and SIZES: numbers of
transitions."""
import json
import os
import random

from check import STUCK, UFLOW_TRACE, WORK, PageTest, main, page_of, run, trace_of

SIZES = [int(size) for size in os.environ["SIZES"].split(",")]
ALWAYS_DRAWN = 800  # transitions
MOST_WORK = 20e6  # blocks of the scripts that are entered, from the load to the drawn page
MOST_WORK_OF_KEY = 1e6


def chain(count):
    return [(i, i + 1) for i in range(count)]


def chain_with_errors(count):
    """Each step also leads to the last one."""
    steps = count // 2
    return [(i, to) for i in range(steps) for to in (i + 1, steps)]


def ring_with_ways_back(count):
    steps = count // 2
    return [(i, to) for i in range(steps) for to in ((i + 1) % steps, i // 2)]


def star_in(count):
    return [(i + 1, 0) for i in range(count)]


def star_out(count):
    return [(0, i + 1) for i in range(count)]


def complete(count):
    steps = max(2, int(count ** 0.5))
    return [(i, to) for i in range(steps) for to in range(steps) if i != to]


def grid(count):
    side = max(2, int((count / 2) ** 0.5))
    right = [(y * side + x, y * side + x + 1) for y in range(side) for x in range(side - 1)]
    return right + [(y * side + x, y * side + x + side) for y in range(side - 1) for x in range(side)]


def arbitrary(count):
    dice, steps = random.Random(count), max(2, count // 3)
    return [(dice.randrange(steps), dice.randrange(steps)) for _ in range(count)]


def tree(count):
    return [(i // 3, i + 1) for i in range(count)]


def loops(count):
    steps = max(1, count // 20)
    return [(i % steps, i % steps) for i in range(count)]


def one_step(count):
    return [(0, 0)] * count


def parallel(count):
    return [(i % 2, 1 - i % 2) for i in range(count)]


SHAPES = [chain, chain_with_errors, ring_with_ways_back, star_in, star_out, complete, grid, arbitrary, tree, loops,
          one_step, parallel]
NAMES = {"short": "S{}", "long": "S{}_" + "long" * 30}
LIMIT = 20000  # with the first step and the ends, as many as the language allows


def program(shape, size, names="short", lines=True):
    """A source with this graph, its steps in one task; and the number of steps. A first step leads to the steps that no
    other step leads to."""
    out = {}
    for begin, end in shape(size):
        out.setdefault(begin, []).append(end)
    count = max(max(begin, *ends) for begin, ends in out.items()) + 1
    between = "\n" if lines else " "
    name = NAMES[names].format
    steps = []
    for i in range(count):
        arms = between.join(f"if (flow->n == {n}) next {name(to)};" for n, to in enumerate(out.get(i, [])))
        steps.append(f"step {name(i)} {{ {arms} done; }}")
    reached, lost = set(), []
    for i in range(count):
        if i > 0 and i not in reached: lost.append(i)
        new = [i]
        while new:
            at = new.pop()
            if at in reached: continue
            reached.add(at)
            new += out.get(at, [])
    more = " ".join(f"case {i}: next {name(i)};" for i in lost)
    first = f"step Begin {{ switch (flow->n) {{ {more} default: next {name(0)}; }} }}\n" if lost else ""
    return f"flow Shape {{ int n; task Run {{\n{first}{between.join(steps)}\n}} }}\n", count + bool(lost)


DRAWN = """(() => {
    const chart = document.getElementById('chart'), svg = chart.querySelector('svg');
    return {
        steps: chart.querySelectorAll('.step').length, said: chart.querySelector('p')?.textContent || '',
        lines: document.querySelectorAll('#lines .line').length, elements: document.querySelectorAll('*').length,
        wrong: svg && /NaN|undefined|Infinity/.test(svg.outerHTML), height: svg?.getBoundingClientRect().height,
    };
})()"""


class Shapes(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser.call("Profiler.enable")
        cls.kinds = json.loads(run(UFLOW_TRACE, "--format=replay", trace_of("stuck")))["kinds"]
        page_of(STUCK)

    def count_work(self, act):
        """How often the blocks of the page's scripts are entered meanwhile."""
        self.browser.call("Profiler.startPreciseCoverage", callCount=True, detailed=True)
        act()
        scripts = self.browser.call("Profiler.takePreciseCoverage")["result"]
        self.browser.call("Profiler.stopPreciseCoverage")
        return sum(block["count"] for script in scripts if script["url"].startswith("file:")
                   for function in script["functions"] for block in function["ranges"])

    def replay(self, structure):
        """A walk through the graph."""
        flow, dice = structure["flows"][0], random.Random(1)
        steps = flow["tasks"][0]["steps"]
        places = {step["name"]: i for i, step in enumerate(steps)}
        at, events = 0, [[self.kinds["STARTED"], 0, 2, 0, 1]]
        for _ in range(30):
            onward = [edge["step"] for edge in steps[at]["edges"] if "step" in edge]
            if not onward:
                events.append([self.kinds["ENDED"], 10**6, 2, 2 << 16, 0])
                break
            at = places[dice.choice(onward)]
            events.append([self.kinds["STEP"], 10**6, 2, at, 0])
        path = os.path.join(WORK, "shape.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"uflow_replay": 2, "start": "0", "kinds": self.kinds, "flows": [[2, 1, "shape"]],
                       "types": [[1, "Shape", structure["source"], [["Run", 1]],
                                  [[step["name"], step["line"], 0] for step in steps]]], "events": events}, file)
        return path

    def check_shape(self, shape, size, **looks):
        text, count = program(shape, size, **looks)
        source = os.path.join(WORK, "shape.uflow")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        page, structure = page_of(source)
        self.assertEqual(len(structure["flows"][0]["tasks"][0]["steps"]), count)
        work = self.count_work(lambda: self.browser.open(page))
        drawn = self.browser.run(DRAWN)
        keys = max(self.work_of_replay(structure))
        print(f"{shape.__name__} {size} {looks or ''}: {count} steps, {'' if drawn['steps'] else 'not '}drawn, "
              f"{drawn['elements']} elements, {work / 1e6:.1f} million blocks, {keys / 1e6:.2f} per key")
        self.assertEqual(self.browser.errors, [])
        self.assertEqual(bool(drawn["said"]), not drawn["steps"])
        if size <= ALWAYS_DRAWN and shape not in (arbitrary, ring_with_ways_back):  # their edges are long
            self.assertTrue(drawn["steps"])
        if drawn["steps"]:
            self.assertEqual((drawn["steps"], drawn["wrong"]), (count, False))
            self.assertGreater(drawn["height"], 10)
        else:
            self.assertRegex(drawn["said"], rf"^Too large to draw: {count} steps, \d+ arrows")
        self.assertLess(drawn["lines"], 200001)
        self.assertLess(work, MOST_WORK)
        self.assertLess(keys, MOST_WORK_OF_KEY)

    def work_of_replay(self, structure):
        self.drop(self.replay(structure))
        for key in ("Home", "ArrowRight", "ArrowRight", "End"):
            yield self.count_work(lambda key=key: self.browser.key(key))

    def test_shapes(self):
        for size in SIZES:
            for shape in SHAPES:
                with self.subTest(shape=shape.__name__, size=size):
                    self.check_shape(shape, size)

    def test_long_names(self):
        for shape in (chain, complete, arbitrary):
            for size in SIZES:
                with self.subTest(shape=shape.__name__, size=size):
                    self.check_shape(shape, size, names="long")

    def test_limit(self):
        self.check_shape(chain_with_errors, LIMIT)

    def test_long_lines(self):
        """All of the program is in one line."""
        for size in SIZES:
            with self.subTest(size=size):
                self.check_shape(arbitrary, size, lines=False)


if __name__ == "__main__":
    main()
