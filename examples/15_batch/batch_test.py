# SPDX-License-Identifier: MIT
"""Kills the dosing plant of this directory twenty times in one batch, as README.md does it once. The batch has the
right weight: 90 g, and what flows in while the valve closes, after a portion or a kill.

usage: batch_test.py BATCH [SEED]"""
import os
import random
import re
import subprocess
import sys
import tempfile

PORTIONS, AIM, KILLS = 3, 90, 20
WHILE_IT_CLOSES = 5 + 2  # grams: 100 ms of its spring, rounded up, and a scale that shows whole grams


class Plant:
    def __init__(self, program, database):
        self.process = subprocess.Popen([program, database], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.said = []

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def expect(self, pattern):
        """The first line that matches."""
        for line in self.process.stdout:
            self.said.append(line)
            found = re.search(pattern, line)
            if found: return found
        sys.exit(f"no line like {pattern}:\n" + "".join(self.said))

    def quit(self):
        self.say("quit")
        rest = self.process.communicate(timeout=60)[0]
        assert self.process.returncode == 0, self.process.returncode
        return rest

    def kill(self):
        self.process.kill()
        self.process.communicate(timeout=60)


def main():
    program, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        database = os.path.join(folder, "plant.db")
        plant = Plant(program, database)
        plant.expect("^ready")
        plant.say("start")
        plant.expect("60 g of flour")
        plant.expect("g of water") if chance.random() < 0.3 else None
        kills = 0
        while True:
            plant.kill()
            kills += 1
            plant = Plant(program, database)
            held = plant.expect("held in (Begin|Weigh|Fill|Shut)|the last batch has")
            if held[0].startswith("the last"): break
            if kills == 3:  # a restart in good order, before the release
                assert plant.quit() == "suspended\n"
                plant = Plant(program, database)
                plant.expect("held in")
            if kills == KILLS: break
            plant.say("release")
            plant.expect("goes on in")
            try: plant.process.wait(timeout=chance.random() * 0.1)
            except subprocess.TimeoutExpired: pass
        if not held[0].startswith("the last"):
            plant.say("release")
            plant.expect("the last batch")
        plant.quit()
        plant = Plant(program, database)  # the end is kept, and is not made again
        grams = int(plant.expect("the last batch has ([0-9]+) g")[1])
        plant.quit()
        print(f"{kills} kills, {grams} g")
        assert AIM <= grams <= AIM + PORTIONS * WHILE_IT_CLOSES, grams


if __name__ == "__main__":
    main()
