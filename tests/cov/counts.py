# SPDX-License-Identifier: MIT
"""Compares the counts of uflow-cov with those of observer.c."""
import collections
import json
import subprocess

EDGES = {"next", "await", "timeout", "else"}  # `stay` is no change of steps


class Observed:
    def __init__(self, path):
        self.steps, self.edges, self.ended, self.failed, self.last = {}, {}, {}, {}, {}
        with open(path, encoding="utf-8") as file:
            for line in file:
                kind, *key, first, second = line.split()
                table = {"steps": self.steps, "edge": self.edges, "ended": self.ended, "failed": self.failed,
                         "last": self.last}[kind]
                table[tuple(key)] = (int(first), int(second))


def tasks_of(data):
    for file in data["files"]:
        for flow in file["flows"]:
            for task in flow["tasks"]: yield flow, task


def check_lcov(text):
    """As genhtml of lcov 2 demands: where a function or a branch was taken, its line was."""
    for record in text.split("end_of_record")[:-1]:
        rows = [row.split(":", 1) for row in record.splitlines() if ":" in row]
        lines = dict(row.split(",")[:2] for kind, row in rows if kind == "DA")
        starts = {row.split(",")[1]: row.split(",")[0] for kind, row in rows if kind == "FN"}
        taken = [(starts[row.split(",")[1]], row.split(",")[0]) for kind, row in rows if kind == "FNDA"]
        taken += [(row.split(",")[0], row.split(",")[3]) for kind, row in rows if kind == "BRDA"]
        for line, count in taken:
            assert line in lines, f"line {line} has a function or branch, and no count"
            assert count in ("0", "-") or lines[line] != "0", f"line {line} was not taken, but a part of it was"


def read(tool, *arguments):
    done = subprocess.run([tool, "--format=lcov", *arguments], stdout=subprocess.PIPE, check=True, text=True)
    check_lcov(done.stdout)
    done = subprocess.run([tool, "--format=json", *arguments], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def check_steps(data, seen):
    number = again = 0
    for flow, task in tasks_of(data):
        for step in task["steps"]:
            key = (flow["name"], task["name"], step["name"])
            expected = seen.steps.get(key, (0, 0))
            assert (step["runs"], step["count"]) == expected, \
                f"{'.'.join(key)}: ran {step['runs']}, entered {step['count']}; observed {expected}"
            number += expected[1]
            again += expected[0] - expected[1]
    return number, again


def check_edges(data, seen):
    """Each transition that was observed belongs to edges of its step, or to a handler."""
    number = 0
    for flow, task in tasks_of(data):
        entries = {t["name"]: t["steps"][0]["name"] for t in flow["tasks"]}
        handlers = collections.Counter()
        for handler in [*flow["handlers"], *task["handlers"]]:
            if "target" in handler: handlers[handler["target"]] += handler["count"]
        for step in task["steps"]:
            targets = collections.Counter({edge["target"]: 0 for edge in step["edges"]})
            for edge in step["edges"]:
                if edge["on"] in EDGES: targets[edge["target"]] += edge["count"]
            key = (flow["name"], task["name"], step["name"])
            came = collections.Counter()
            for (name, of, source, to_task, to), (count, _) in seen.edges.items():
                if (name, of, source) != key: continue
                # A `become` of the task itself looks like a `next` to its first step.
                itself = to_task == task["name"] and to == entries[to_task]
                came[None if itself else to if to_task == task["name"] else "become " + to_task] += count
            merged, both = collections.Counter(), collections.Counter(came)
            first = {entries[task["name"]], "become " + task["name"]}
            for target, count in targets.items():
                if target not in ("done", "fail"): merged[None if target in first else target] += count
            for target in set(merged) | set(both):
                most = handlers[target] + (sum(handlers[t] for t in first) if target is None else 0)
                lost = seen.failed.get(key, (0, 0))[0]
                assert merged[target] - lost <= both[target] <= merged[target] + most, \
                    f"{'.'.join(key)} -> {target}: {merged[target]} taken, {both[target]} observed"
                number += both[target]
    return number


def check_endings(data, seen):
    number = 0
    for flow, task in tasks_of(data):
        endings = task["endings"]
        key = (flow["name"], task["name"])
        everything, entered = seen.last.get(key, (0, 0))
        left = endings["done"] + endings["failed"] + endings["cancelled"]
        assert entered <= left <= everything, f"{'.'.join(key)}: ended {left} times; observed {entered} to {everything}"
        assert left + endings["became"] <= task["count"], f"{'.'.join(key)}: entered {task['count']}, {endings}"
        for outcome in ("done", "failed", "cancelled"):
            most = seen.ended.get((*key, outcome), (0, 0))[0]
            assert endings[outcome] <= most, f"{'.'.join(key)}: {outcome} {endings[outcome]}; observed {most}"
        number += left
    return number


def check(data, observed_path):
    """Returns how many entries of steps, further runs of them, transitions and endings were compared."""
    seen = Observed(observed_path)
    return *check_steps(data, seen), check_edges(data, seen), check_endings(data, seen)
