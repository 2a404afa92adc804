#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills a plant of durable flows at random moments, and lets it go on.

kill.py PLANT DIRECTORY KILLS [SEED]

Of each maker: no body runs after a later one has begun, also not in a later process; within one process, each body
runs once; each order that was begun ends once, in its turn, with the sum and the number of portions that it must
have; what was answered as ended never runs again. One process in eight is stopped by SIGTERM instead: it ends in good
order and cancels nothing."""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

MAKERS = 200
LONGEST = 0.2  # seconds that a process runs after it has begun


class Maker:
    def __init__(self):
        self.ended = 0            # the last order that was answered as ended
        self.order, self.what = 0, "close"
        self.place = (0, 0)       # run and ordinal of the latest body
        self.process = -1         # in which that was
        self.repeated = 0

    def body(self, process, what, order, run, ordinal):
        assert order == self.ended + 1, f"order {order} runs after {self.ended} has ended"
        assert run == order, f"order {order} is run {run}"
        assert (run, ordinal) >= self.place, f"{what} of {(run, ordinal)} after {self.place}"
        assert (run, ordinal) > self.place or process > self.process, f"{what} of {self.place} twice in a process"
        if (run, ordinal) == self.place:
            assert what == self.what, f"{what} repeats {self.what}"
            self.repeated += 1
        self.order, self.what, self.place, self.process = order, what, (run, ordinal), process

    def end(self, order, total, portions):
        assert order in (self.ended, self.ended + 1), f"order {order} ends after {self.ended}"
        assert self.order == order and self.what == "close", f"order {order} ends after {self.what} of {self.order}"
        fills = order % 4 + 1
        assert total == fills * (fills + 1) // 2, f"order {order} has made {total}"
        expected = sum(one % 4 + 1 for one in range(1, order + 1))
        assert portions == expected, f"{portions} portions after order {order}, not {expected}"
        self.ended = order


def look(world, makers, process):
    """Takes the lines of a process. A line that the kill has cut is none: each is one write."""
    stops = lines = 0
    with open(world, encoding="ascii") as file:
        for line in file:
            what, number, order, a, b = line.split()
            maker, lines = makers[int(number)], lines + 1
            if what == "stop": stops += 1
            elif what == "end": maker.end(int(order), int(a), int(b))
            else: maker.body(process, what, int(order), int(a), int(b))
    os.truncate(world, 0)
    return stops, lines


def wait_for_line(world):
    until = time.monotonic() + 30
    while time.monotonic() < until and not (os.path.exists(world) and os.path.getsize(world)): time.sleep(0.002)


def main():
    plant, directory, kills = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 32)
    print("seed", seed, flush=True)
    chance = random.Random(seed)
    os.makedirs(directory, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=directory) as here:
        database, world = os.path.join(here, "plant.db"), os.path.join(here, "world")
        makers, bodies = [Maker() for _ in range(MAKERS)], 0
        for process in range(kills + 1):
            finish = ["finish"] if process == kills else []
            running = subprocess.Popen([plant, database, world, str(MAKERS), *finish])
            is_stopped = not finish and chance.random() < 1 / 8
            if not finish:
                if is_stopped or chance.random() < 3 / 4: wait_for_line(world)  # else, it may be while it restores
                time.sleep(chance.random() * LONGEST)
                running.send_signal(signal.SIGTERM if is_stopped else signal.SIGKILL)
            status = running.wait(timeout=120)
            assert status in ([0, -signal.SIGTERM] if is_stopped else [0] if finish else [-signal.SIGKILL]), status
            if not os.path.exists(world): continue
            stops, lines = look(world, makers, process)
            assert stops <= int(is_stopped)
            bodies += lines
        for number, maker in enumerate(makers): assert maker.order == maker.ended, f"maker {number} has not ended"
    made, repeated = sum(maker.ended for maker in makers), sum(maker.repeated for maker in makers)
    print(f"{kills} processes, {bodies} lines, {made} orders, {repeated} bodies repeated")
    assert made > 0


if __name__ == "__main__":
    main()
