#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of `ufc --emit=html` with traces that are damaged, or made to need time, memory or room on the screen. It
shows the same as uflow-trace, or reports the fault. The environment is that of check.py."""
import json
import os
import random
import struct

from check import EVENTS, ROOT, STUCK, UFLOW_TRACE, WORK, PageTest, bytes_of, main, page_of, replay_of, run


def define(kind, number, a=0, b=0, text=b""):
    return struct.pack("<4I", len(text), kind << 24 | number, a, b) + text + bytes(-len(text) % 16)


def event(time, kind, flow=0, a=0, b=0):
    return struct.pack("<4I", time, kind << 24 | flow, a, b)


def wait(flow, *targets):
    last = len(targets) - 1
    return b"".join(event(1, 5, flow, 5 | 0x80 * (i == 0) | 0x8000 * (i == last), target)
                    for i, target in enumerate(targets))


def trace(name, count, waits):
    flows = [define(66, i, 1, 0, name) for i in range(2, count + 2)]
    starts = [event(0, 3, i, 0, 1) for i in range(2, count + 2)]
    return b"".join((b"UFLOWTRC", struct.pack("<14I", 0x01020304, 2, 1, *[0] * 6, 1, 0, *[0] * 3),
                     define(65, 1, text=b"T\0s"), *flows, event(0, 1), *starts, *waits))


def places(value):
    """All that can be replaced in a document."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from places(value[key])


class Hostile(PageTest):
    def test_damaged_traces(self):
        """Damage of any kind of event is reported in words of the page, or shown; a trace that is cut, up to there."""
        page, _ = page_of(os.path.join(ROOT, "tests/trace/events.uflow"))
        stream, image = os.path.join(WORK, "mutated.uftrace"), os.path.join(WORK, "mutated.image")
        run(EVENTS, stream, image)
        dice, mutants, whole = random.Random(1), [], (bytes_of(stream), bytes_of(image))
        for number in range(20 * int(os.environ["LAYOUTS"])):
            data = bytearray(whole[number % 2])
            del data[dice.choice((8, 9, 63, 64, 65, dice.randrange(8, len(data)), *[len(data)] * 12)):]
            for _ in range(dice.choice((0, 1, 3, 30)) * (len(data) > 16)):
                byte = dice.choice((0, 1, 0x41, 0x42, 0x45, 0x48, 0xff, dice.randrange(256)))
                data[dice.randrange(16, len(data))] = byte
            mutants.append((f"mutant-{number}", data))
        self.browser.open(page)
        self.browser.run("""window.said = new Set(), new MutationObserver(() =>
            said.add(document.getElementById('message').textContent))
            .observe(document.getElementById('message'), { childList: true })""")
        for some in range(0, len(mutants), 10):
            self.drop_bytes(*mutants[some:some + 10])
            self.browser.key("End")
        for said in self.browser.run("[...said]"):
            self.assertRegex(said, r"^$|: (its header is damaged|it is cut in its header)$|"
                                   r"^There are no events in this trace\.$|^The diagrams are of ")

    def test_damaged_replays(self):
        page, replay = replay_of("stuck", STUCK)
        dice, mutants = random.Random(1), []
        for number in range(5 * int(os.environ["LAYOUTS"])):
            mutant = json.loads(json.dumps(replay))
            for _ in range(dice.choice((1, 1, 1, 10))):
                of, key = dice.choice([*places(mutant)][:400])
                of[key] = dice.choice((None, -1, 0, 1, 7, 1e300, "x", "12", [], {}, True, [None], [[]]))
            mutants.append((f"mutant-{number}.json", json.dumps(mutant).encode()))
        self.browser.open(page)
        for some in range(0, len(mutants), 10):
            self.drop_bytes(*mutants[some:some + 10])
            self.browser.key("End")
            self.browser.key("Home")

    def test_crafted_traces(self):
        """Long lists, names and look-ahead: the page shows the same as uflow-trace, and no list is too long for it."""
        many, count = 70000, 5000
        state = define(72, 2, text=struct.pack("<8I", 2, 3 | 1 << 16, *[0] * 6) + bytes(8))
        crafted = {
            "themselves": (trace(b"f", count, (wait(i, i) for i in range(2, count + 2))), "waits for itself"),
            "ring": (trace(b"f", many, (wait(i, 2 + (i - 1) % many) for i in range(2, many + 2))),
                     f"and {many - 60} more wait for each other"),
            "chain": (trace(b"f", count, (wait(i, i + 1) for i in range(2, count + 1))), f"Waiting: {count - 1}"),
            "names": (trace(b"n\x1b" * 30000, 1, (wait(2, *[2] * 130) for _ in range(200))), "waits for itself"),
            "gaps": (trace(b"f", 1, [*[event(1, 16) + state] * count, event(0, 1)]), "Waiting: 1"),
        }
        self.browser.open(page_of(os.path.join(ROOT, "tests/trace/events.uflow"))[0])
        self.browser.run("document.addEventListener('uflow-replay', e => window.seen = e.detail)")
        for what, (data, said) in crafted.items():
            path = os.path.join(WORK, "crafted")
            with open(path, "wb") as file: file.write(data)
            replay = json.loads(run(UFLOW_TRACE, "--format=replay", path))
            self.browser.run("window.seen = null")
            self.drop(path)
            self.browser.key("End")
            self.assertIn(said, self.text("#waiting"), what)
            for part in ("flows", "types", "events"):
                self.assertEqual(self.browser.run(f"window.seen.{part}.length"), len(replay[part]), what)
            self.assertEqual(self.browser.run("window.seen.flows[0]"), replay["flows"][0], what)
            self.assertLessEqual(self.browser.run("(window.seen.events.pop()[5] ?? '').length"), 1023, what)

    def test_far_times(self):
        """The page shows times of any size with the resolution of its numbers, and goes on."""
        for high in (1, 0xffff, 0xffffffff):
            path = os.path.join(WORK, "far")
            with open(path, "wb") as file: file.write(trace(b"f", 1, [event(0, 1, 0, high, high), wait(2, 2)]))
            self.browser.open(page_of(os.path.join(ROOT, "tests/trace/events.uflow"))[0])
            self.drop(path)
            self.browser.key("End")
            for _ in range(64): self.browser.key("+")
            self.browser.settle()
            self.assertIn("event 2 of 2", self.text("#clock"), high)


if __name__ == "__main__":
    main()
