#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small flows, each with one fault of waiting: its test finds it in few schedules, and shrinks it to few disturbances.

A line that ends with `// wrong`, or with `// wrong: WHY`, is the fault. `// right: ` begins a line of the right flow.

usage: planted.py --mend DIRECTORY          writes the right flows
       planted.py WRONG RIGHT DOCUMENT SCHEDULES [SEEDS] [--update]"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../runner"))
import tap  # noqa: E402

MOST, DISTURBANCES = 1000, 3
WRONG = re.compile("// wrong(: .*)?$")
BEGIN, END = "<!-- planted: tests/planted/planted.py --update -->\n", "<!-- /planted -->\n"


def flows():
    return sorted(os.path.basename(path) for path in glob.glob(os.path.join(HERE, "*.uflow")))


def lines_of(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file: return file.read().split("\n")


def mend(directory):
    """Writes the right flows. Files that are right already keep their time."""
    os.makedirs(directory, exist_ok=True)
    for name in flows():
        right = (line.replace("// right: ", "") if not WRONG.search(line) else "" for line in lines_of(name))
        path, text = os.path.join(directory, name), "\n".join(right)
        if os.path.exists(path) and open(path, encoding="utf-8").read() == text: continue
        with open(path, "w", encoding="utf-8") as file: file.write(text)


def run(program, *options):
    done = subprocess.run([program, *options], capture_output=True, check=False, timeout=3000)
    return done.returncode, done.stdout.decode() + done.stderr.decode()


def head(name):
    """FILE:LINE of the test of a flow."""
    return f"{name}:{1 + next(i for i, line in enumerate(lines_of(name)) if line.startswith('test '))}"


def block_of(output):
    return next(iter(tap.read(output)[0].values()))[1]


def find(program, name, seed):
    """Returns: schedules that were needed, the report, what is wrong with it."""
    options = ["--only", head(name), "--schedules", str(MOST), "--limit", str(MOST), "--seed", str(seed)]
    status, output = run(program, *options)
    if status != 1: return 0, {}, f"not found in {MOST} schedules:\n{output}"
    block, explored = block_of(output), int(re.search(r"# explored (\d+) schedule", output)[1])
    if not 1 < explored < MOST: return explored, block, f"{explored} schedules"
    if not 1 <= len(block["disturbances"]) <= DISTURBANCES: return explored, block, f"not shrunk:\n{output}"
    status, again = run(program, *block["replay"].split(" ")[1:])
    if status != 1 or block_of(again) != block: return explored, block, f"the replay differs:\n{output}\n{again}"
    return explored, block, None


def table(found):
    """The rows of the document."""
    rows = ["| what is wrong | found in schedule | shrunk to |\n", "|---|--:|---|\n"]
    for name, (explored, block, _) in sorted(found.items()):
        text = lines_of(name)[0].removeprefix("// ")
        rows.append(f"| [{name.removesuffix('.uflow')}](../../tests/planted/{name}): {text[0].lower() + text[1:-1]} "
                    f"| {explored} | {'; '.join(block['disturbances'])} |\n")
    return "".join(rows)


def check_document(path, rows, updates):
    with open(path, encoding="utf-8") as file: text = file.read()
    before, rest = text.split(BEGIN)
    written = before + BEGIN + rows + END + rest.split(END)[1]
    if written == text: return []
    if not updates: return [f"{path}: the table is another one; planted.py … --update writes it"]
    with open(path, "w", encoding="utf-8") as file: file.write(written)
    return []


def main():
    if sys.argv[1] == "--mend": return mend(sys.argv[2])
    words = [word for word in sys.argv[1:] if word != "--update"]
    wrong, right, document, schedules = words[:4]
    seeds = range(1, 1 + int(words[4] if len(words) > 4 else 1))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = {(name, seed): pool.submit(find, wrong, name, seed) for seed in seeds for name in flows()}
        all_found = {key: job.result() for key, job in jobs.items()}
    problems = [f"{name}, seed {seed}: {found[2]}" for (name, seed), found in all_found.items() if found[2]]
    status, output = run(right, "--schedules", schedules, "--limit", schedules, "--quiet", "--jobs", "2")
    if status != 0: problems.append(f"the right flows:\n{output}")
    if not problems:
        rows = table({name: found for (name, seed), found in all_found.items() if seed == 1})
        problems = check_document(document, rows, "--update" in sys.argv)
    print("\n".join(problems) or f"{len(flows())} flows")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
