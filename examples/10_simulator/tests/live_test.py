#!/usr/bin/env python3
"""live_test.py PROGRAM: types commands and checks the frames. Laps must match the time of the race. A pause must stop
the race but not the screen. A speed must take effect. Quit and the end of the input must end it. The test waits for
frames, not for times."""
import re
import subprocess
import sys
import time

WAYS = {"Atlas": 3.8, "Bolt": 2.6, "Comet": 4.6, "Dash": 3.2, "Echo": 5.2}
HEADER = re.compile(r"\[(PAUSED|RUNNING)\] +speed x([\d.]+)  time ([\d.]+) s")
ROW = re.compile(r"(\w+) +lap +(\d+) \[([#-]{20})\] +(\d+)%  (Gate|Move|Rest|Lap)\b")
PATIENCE = 60


class Frame:
    def __init__(self, text):
        state, speed, seconds = HEADER.search(text).groups()
        self.paused, self.speed, self.seconds = state == "PAUSED", float(speed), float(seconds)
        self.rows = {name: (int(lap), int(percent), step) for name, lap, _, percent, step in ROW.findall(text)}
        assert set(self.rows) == set(WAYS), text


class Simulator:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.text = ""

    def type(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def frame(self):
        """The next complete frame."""
        while self.text.count("\x1b[1;1H") < 2:
            piece = self.process.stdout.read1(4096).decode()
            assert piece, "it ended: " + self.text[-400:]
            self.text += piece
        begin = self.text.index("\x1b[1;1H")
        end = self.text.index("\x1b[1;1H", begin + 1)
        frame, self.text = self.text[begin:end], self.text[end:]
        return Frame(frame)

    def until(self, what):
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            frame = self.frame()
            if what(frame):
                return frame
        raise AssertionError("not seen")

    def end(self):
        rest = self.process.communicate(timeout=PATIENCE)[0].decode()
        assert self.process.returncode == 0, self.process.returncode
        assert "  simulator stopped." in self.text + rest


def laps_fit(frame):
    """A frame may be drawn in the round before the one that counts a lap."""
    for name, (laps, _, _) in frame.rows.items():
        due = int(frame.seconds / (WAYS[name] + 1.2))
        assert laps <= due, (name, laps, frame.seconds)
        late = int((frame.seconds - frame.speed) / (WAYS[name] + 1.2))  # a second of this machine at that speed
        assert laps >= late, (name, laps, frame.seconds)


def pause_one(simulator, name):
    """A runner stands while the others run, and goes on where it was. No runner needs 8 s for a lap."""
    simulator.type("pause " + name)
    still = simulator.frame()
    while True:
        later = simulator.until(lambda frame: frame.seconds > still.seconds + 8)
        if later.rows[name] == still.rows[name]:
            break
        still = later
    assert not later.paused and later.rows["Dash"] != still.rows["Dash"], later.rows
    simulator.type("resume " + name)
    simulator.until(lambda frame: frame.rows[name][0] > still.rows[name][0])


def main():
    simulator = Simulator(sys.argv[1])
    first = simulator.frame()
    assert not first.paused and first.speed == 1.0
    simulator.type("speed 50")
    fast = simulator.until(lambda frame: frame.speed == 50)
    for line in ("", "speed 0", "speed -3", "speed nan", "speed 3 x", "speed", "jump", "x" * 200):
        simulator.type(line)
    for _ in range(40):
        fast = simulator.frame()
        assert fast.speed == 50 and not fast.paused, vars(fast)
        laps_fit(fast)
    laps_fit(simulator.until(lambda frame: frame.seconds > 60))
    simulator.type("pause")
    still = simulator.until(lambda frame: frame.paused)
    still = simulator.frame()
    for _ in range(10):
        frame = simulator.frame()
        assert frame.paused and frame.rows == still.rows and frame.seconds == still.seconds
    simulator.type("resume")
    simulator.until(lambda frame: not frame.paused and frame.rows != still.rows)
    pause_one(simulator, "Bolt")
    simulator.type("quit")
    simulator.end()

    simulator = Simulator(sys.argv[1])
    simulator.frame()
    simulator.end()  # communicate() closes its input


if __name__ == "__main__":
    main()
