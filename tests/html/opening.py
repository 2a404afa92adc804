#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the page shows first, how large diagrams and panes are, and what closes. The environment is that of check.py."""
import os

from check import CROWD, STUCK, WORK, PageTest, main, page_of, replay_of


class Opening(PageTest):
    def open_program(self, text):
        source = os.path.join(WORK, "opened.uflow")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        self.browser.open(page_of(source)[0])

    def test_opening(self):
        """The flow that is no part of another, at its task with the most steps; or the richest of its parts."""
        steps = "".join(f"step S{i} {{ await 1ms -> S{(i + 1) % 9}; }}\n" for i in range(9))
        tasks = "".join(f"forever task T{i} {{ step Wait {{ stay every 1ms; }} }}\n" for i in range(40))
        rich = f"{{ {tasks} forever task Rich {{\n{steps} }} }}\n"
        single = "forever task Run { step Wait { stay every 1ms; } }"
        for text, flow in (("flow Part " + rich + f"flow Whole {{ flow Part part; {single} }}", "Part"),
                           (f"flow Part {{ {single} }} flow Whole {{ flow Part part; {rich[1:]}", "Whole")):
            self.open_program(text)
            self.assertEqual(self.browser.run("document.getElementById('flows').value"), flow)
            place = self.browser.run("""(box => [box.top, innerHeight])([...document.querySelectorAll('.task')].find(
                task => task.querySelector('h2 button').textContent === 'Rich').getBoundingClientRect())""")
            self.assertLess(place[0], place[1] - 100)

    def test_diagrams_fit(self):
        """A diagram is as large as its pane, if it can then be read; otherwise it can be scrolled to."""
        for width, height in ((1280, 800), (900, 500), (1280, 2000)):
            self.browser.open(page_of(STUCK)[0], width, height)
            seen, pane, scale = self.browser.run("""(svg => [svg.getBoundingClientRect().height,
                document.getElementById('chart').clientHeight,
                svg.getBoundingClientRect().width / svg.viewBox.baseVal.width
            ])(document.querySelector('#chart svg'))""")
            self.assertTrue(0.74 < scale <= 1.01, scale)
            self.assertTrue(seen <= pane or scale < 0.76, (seen, pane, scale))

    def test_opening_of_a_replay(self):
        """In the middle of the longest stay in a step, after another step, of the richest diagram."""
        page, replay = replay_of("crowd", CROWD)
        self.browser.open(page)
        self.assertIn("flow Walker", self.text("#state"))
        self.assertIn("came from", self.text("#state"))
        self.assertEqual(len(self.texts("#chart .step.now")), 1)
        self.assertTrue(self.texts("#chart .taken"))
        self.assertNotRegex(self.text("#clock"), rf"event (1|{len(replay['events'])}) of")

    def test_panes(self):
        """Dividers move with the mouse and with keys, and the page stays whole."""
        self.browser.open(replay_of("stuck", STUCK)[0])
        sizes = """['#chart', '#names', '#tracks', 'main'].map(name => {
            const box = document.querySelector(name).getBoundingClientRect();
            return name === '#chart' || name === '#names' ? box.width : box.height; })"""
        across, down = ("ArrowRight", "ArrowLeft"), ("ArrowDown", "ArrowUp")
        dividers = (("chart", *across), ("names", *across), ("tracks", *down), ("upper", *down))
        for i, (name, more, less) in enumerate(dividers):
            clock, before = self.text("#clock"), self.browser.run(sizes)[i]
            self.browser.run(f"document.querySelector('[data-share={name}]').focus()")
            self.browser.key(more)
            larger = self.browser.run(sizes)[i]
            self.assertGreater(larger, before, name)
            self.browser.key(less)
            self.assertAlmostEqual(self.browser.run(sizes)[i], before, delta=1)
            self.assertEqual(self.text("#clock"), clock)  # the replay does not use these keys
            for key in ("Home", "End"):
                self.browser.key(key)
                self.assertEqual(self.browser.run("[document.documentElement.scrollWidth <= innerWidth, "
                                                  "document.documentElement.scrollHeight <= innerHeight]"),
                                 [True, True], (name, key))
            x, y = self.browser.run(f"""(box => [box.left + box.width / 2, box.top + box.height / 2])(
                document.querySelector('[data-share={name}]').getBoundingClientRect())""")
            to = {"chart": (400, y), "names": (400, y), "tracks": (x, 600), "upper": (x, 300)}[name]
            self.browser.drag((x, y), to)
            place = self.browser.run(f"""(box => [box.left, box.top])(
                document.querySelector('[data-share={name}]').getBoundingClientRect())""")
            self.assertAlmostEqual(place[more == "ArrowDown"], to[more == "ArrowDown"], delta=3)

    def test_escape(self):
        """Escape closes the list of keys, wherever the focus is."""
        self.browser.open(page_of(STUCK)[0])
        for place in ("help", "flows"):
            self.browser.key("?")
            self.assertIn("next, previous failure", self.text("#keys"))
            self.browser.run(f"document.getElementById('{place}').focus()")
            self.browser.key("Escape")
            self.assertTrue(self.browser.run("document.getElementById('keys').hidden"))
            self.browser.run("document.activeElement.blur()")


if __name__ == "__main__":
    main()
