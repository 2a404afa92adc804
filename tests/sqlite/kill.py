#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills a plant of durable flows at random moments, and lets it go on.

kill.py PLANT DIRECTORY KILLS [SEED]

Of each maker: no body runs after a later one has begun, also not in a later process; within one process, each body
runs once; each order that was begun ends once, in its turn, with the sum and the number of portions that it must
have; what was answered as ended never runs again. Of each line: no body runs after a later one; each child, start and
spawn of a step is one run; two lines share a press; each end of a member is taken once. One process in
eight is stopped by SIGTERM instead: it ends in good order and cancels nothing."""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

MAKERS = 100
PAIRS = 15       # of lines: seven durable flows and eight places of a pool
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


class Line:
    WORK = ("first", "second", "third", "own", "shared", "extra")

    def __init__(self):
        self.shift = self.ended = 0
        self.place, self.process, self.repeated = (0, 0), -1, 0
        self.work = {}  # of this shift: the run, the latest body, and the process of that

    def body(self, process, shift, run, ordinal):
        assert shift == self.ended + 1, f"shift {shift} runs after {self.ended} has ended"
        assert run == shift, f"shift {shift} is run {run}"
        assert (run, ordinal) >= self.place, f"{(run, ordinal)} after {self.place}"
        assert (run, ordinal) > self.place or process > self.process, f"{self.place} twice in a process"
        self.repeated += (run, ordinal) == self.place
        if shift != self.shift: self.work = {}
        self.shift, self.place, self.process = shift, (run, ordinal), process

    def work_body(self, process, what, shift, run, ordinal):
        assert shift == self.shift and shift > self.ended, f"{what} of shift {shift} in {self.shift}"
        first, latest, last_process = self.work.get(what, (run, -1, -1))
        assert run == first, f"{what} of shift {shift} is run {run}, and was {first}"
        assert ordinal > latest or (ordinal == latest and process > last_process), f"{what}: {ordinal} after {latest}"
        self.work[what] = run, ordinal, process

    def end(self, shift, result):
        assert shift in (self.ended, self.ended + 1) and shift == self.shift, f"shift {shift} ends in {self.shift}"
        assert result == shift * 20 + 3, f"shift {shift} has made {result}"
        for what in self.WORK: assert self.work.get(what, (0, 0, 0))[1] == 1, f"{what} of shift {shift} is not over"
        self.ended = shift


def look(world, makers, lines_of, process):
    """Takes the lines of a process. A line that the kill has cut is none: each is one write."""
    stops = lines = 0
    with open(world, encoding="ascii") as file:
        for line in file:
            what, number, order, a, b = line.split()
            lines += 1
            if what == "stop":
                stops += 1
                continue
            if what in Line.WORK: lines_of[int(number)].work_body(process, what, int(order), int(a), int(b))
            elif what == "line": lines_of[int(number)].body(process, int(order), int(a), int(b))
            elif what == "over": lines_of[int(number)].end(int(order), int(a))
            if what in Line.WORK or what in ("line", "over"): continue
            maker = makers[int(number)]
            if what == "end": maker.end(int(order), int(a), int(b))
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
        lines_of = [Line() for _ in range(2 * PAIRS)]
        for process in range(kills + 1):
            finish = ["finish"] if process == kills else []
            running = subprocess.Popen([plant, database, world, str(MAKERS), str(PAIRS), *finish])
            is_stopped = not finish and chance.random() < 1 / 8
            if not finish:
                if is_stopped or chance.random() < 3 / 4: wait_for_line(world)  # else, it may be while it restores
                time.sleep(chance.random() * LONGEST)
                running.send_signal(signal.SIGTERM if is_stopped else signal.SIGKILL)
            status = running.wait(timeout=120)
            assert status in ([0, -signal.SIGTERM] if is_stopped else [0] if finish else [-signal.SIGKILL]), status
            if not os.path.exists(world): continue
            stops, lines = look(world, makers, lines_of, process)
            assert stops <= int(is_stopped)
            bodies += lines
        for number, maker in enumerate(makers): assert maker.order == maker.ended, f"maker {number} has not ended"
        for number, line in enumerate(lines_of): assert line.shift == line.ended, f"line {number} has not ended"
    shifts = sum(line.ended for line in lines_of)
    made, repeated = sum(maker.ended for maker in makers), sum(maker.repeated for maker in makers)
    print(f"{kills} processes, {bodies} lines, {made} orders, {repeated} bodies repeated, {shifts} shifts, "
          f"{sum(line.repeated for line in lines_of)} bodies of lines repeated")
    assert made > 0 and shifts > 0


if __name__ == "__main__":
    main()
