#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""uflow-store on the file of a program: beside it, after a kill, and when it has ended; files that are none, damaged
records, and what cannot be done. What it prints is in expected.txt.

check.py UFLOW_STORE WORKS [--update]     --update writes expected.txt"""
import contextlib
import json
import math
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time

TOOL, WORKS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "expected.txt")
CONTROLS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
PATHS = ["works.done", "works.line", "works.line#starts", "works.line.press", "works.line.stamp", "works.stuck"]


def store(*arguments, status=0):
    done = subprocess.run([TOOL, *arguments], capture_output=True, check=False, timeout=60)
    out, error = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == status, f"{arguments}: status {done.returncode}: {out}{error}"
    assert not CONTROLS.search(out + error), (out, error)
    return out if status == 0 else (out, error)


def exported(path="works.db"):
    return json.loads(store("--export", path))


def flows_of(document):
    return {flow["path"]: flow for flow in document["flows"]}


@contextlib.contextmanager
def connected(path="works.db"):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    yield connection
    connection.close()


class Works:
    """The program, when its flows are where they stay."""

    def __enter__(self):
        self.process = subprocess.Popen([WORKS, "works.db"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.report = self.process.stdout.readline()
        assert self.process.stdout.readline() == "ready\n", self.report
        until = time.monotonic() + 60
        while not flows_of(exported()).get("works.line.press", {}).get("record", {}).get("runs"):
            assert time.monotonic() < until, store("works.db")
        return self

    def __exit__(self, *_):
        if self.process.poll() is None: self.process.kill()
        self.process.communicate(timeout=60)

    def end(self):
        self.process.communicate("", timeout=60)
        assert self.process.returncode == 0


def files():
    return sorted(os.listdir("."))


# -- transcripts -------------------------------------------------------------------------------------------------------

SAID = []


def say(*arguments, status=0):
    """Adds a command to the transcript, without what changes from run to run."""
    given = store(*arguments, status=status)
    text = given if status == 0 else given[0] + given[1]
    text = re.sub(r"\b[0-9a-f]{16}\b", "0123456789abcdef", text)
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "2026-11-29T12:00:00.000Z", text)
    text = re.sub(r"(?:\d+min )?[\d.]+(?:ms|s) ago", "3.00s ago", text)
    text = re.sub(r"\S+(?: \S+)? of logical time", "5min 2.00s of logical time", text)
    text = re.sub(r'("(?:time|since|logical_time)": |false, )\d{6,}', r"\g<1>302000000000", text)
    text = re.sub(r"process \d+", "process 4711", text)
    text = re.sub(r"(KEPT) +(REASON)", r"\1       \2", text)
    words = " ".join(f"'{word}'" if " " in word or not word else word for word in arguments)
    SAID.append(f"$ uflow-store {words}\n{text}" + (f"exit status {status}\n" if status else ""))


def transcripts():
    with Works() as works:
        say("works.db")
        say("--show=works.line", "works.db")
        say("--forget=works.done", "works.db", status=3)
        say("--new-identity", "works.db", status=3)
        assert store("--forget", "works.done", "works.db", status=3)[1].count(f"process {works.process.pid} ") == 1
        works.process.kill()
        works.process.wait()
    say("--show", "works.line.press", "works.db")
    assert files() == ["works.db", "works.db-owner"], files()
    say("--show=works.stuck", "works.db")
    say("--export", "works.db")
    say("--show=works.stick", "works.db", status=1)
    say("--show=nothing like it", "works.db", status=1)
    shutil.copy("works.db", "copy.db")
    say("--new-identity", "copy.db")
    say("--forget=works.line.press", "copy.db")
    say("--forget=works.line.press", "copy.db", status=1)
    shutil.copy("works.db", "copy.db")
    say("--forget=works.line", "copy.db")
    say("copy.db")
    say("missing.db", status=1)
    say("--show=a", "--export", "works.db", status=2)
    say(status=2)
    say("works.db", "copy.db", status=2)


# -- the rest ----------------------------------------------------------------------------------------------------------


def a_program_takes_what_was_changed():
    """A kill, a list, and the program goes on: nothing was lost. What was forgotten begins anew."""
    with Works() as works: assert works.report.startswith("3 restored, 2 idle"), works.report
    before = exported()["identity"]
    store("--new-identity", "works.db")
    assert exported()["identity"] != before and len(exported()["identity"]) == 16
    with Works() as works:
        assert works.report.startswith("3 restored, 2 idle"), works.report
        works.end()
    store("--forget=works.done", "works.db")
    with Works() as works: assert works.report.startswith("3 restored, 1 idle"), works.report
    assert sorted(flows_of(exported())) == PATHS[1:]


def a_list_disturbs_no_program():
    with Works() as works:
        lists = [subprocess.Popen([TOOL, "works.db"], stdout=subprocess.DEVNULL) for _ in range(8)]
        assert all(one.wait(timeout=60) == 0 for one in lists)
        assert {"works.db-wal", "works.db-shm"} <= set(files())
        works.end()


def values_are_exact():
    document = exported()
    assert document["format"] == "uflow-store" and document["version"] == 1
    assert isinstance(document["logical_time"], int)
    fields = flows_of(document)["works.line"]["record"]["fields"]
    assert fields["least"] == -2**63 and fields["most"] == 2**64 - 1, fields
    assert fields["third"] == 1.0 / 3 and fields["tenth"] == 0.1, fields
    assert fields["portions"][1] == {"grams": 10, "name": 'a "b" \\ c'}, fields
    assert fields["note"] == "\033[2J" and fields["counts"] == [1, -2, 3], fields


def files_that_are_none():
    def refused(path, text): assert store(path, status=1)[1] == f"uflow-store: {path}: {text}\n", store(path, status=1)

    before = files()
    refused("missing.db", "No such file or directory")
    refused(".", "Is a directory")
    refused("/dev/null", "is no file of a store")
    with open("text", "w", encoding="ascii") as file: file.write("no database " * 100)
    refused("text", "is no database of SQLite")
    with open("empty", "wb"): pass
    refused("empty", "is empty: no program has kept flows in it")
    with connected("guests") as db: db.execute("CREATE TABLE guest (name TEXT)")
    for arguments in ((), ("--forget=a",), ("--new-identity",)):
        assert "is a database of another program" in store(*arguments, "guests", status=1)[1]
    shutil.copy("works.db", "newer")
    with connected("newer") as db: db.execute("PRAGMA user_version = 2")
    refused("newer", "a newer uflow has written it: its tables have version 2, not 1")
    with open("works.db", "rb") as file: content = file.read()
    for length in (4096, len(content) // 2):
        with open("cut", "wb") as file: file.write(content[:length])
        assert "is damaged" in store("cut", status=1)[1]
    for name in ("text", "empty", "guests", "newer", "cut"):
        os.remove(name)
        with contextlib.suppress(FileNotFoundError): os.remove(name + "-owner")
    assert files() == before, files()


def where_nothing_can_be_written():
    """As another user than root: a backup on a medium that is read-only."""
    os.mkdir("backup")
    shutil.copy("works.db", "backup/works.db")
    os.chmod("backup/works.db", 0o444)
    os.chmod("backup", 0o555)
    user = {"user": 65534} if os.geteuid() == 0 else {}
    os.chmod(".", 0o755)
    shutil.copy(TOOL, "tool")  # that user may not see where the build is

    def run(*arguments):
        done = subprocess.run(["./tool", *arguments], capture_output=True, text=True, check=False, **user)
        return done.returncode, done.stdout + done.stderr

    status, text = run("backup/works.db")
    assert status == 0 and text.count("\n") == 6, text
    assert os.listdir("backup") == ["works.db"]
    status, text = run("--forget=works.line", "backup/works.db")
    assert (status, text) == (1, "uflow-store: backup/works.db: cannot be written: Permission denied\n"), text
    os.chmod("backup", 0o755)
    with open("backup/works.db-wal", "wb") as file: file.write(b"a log")
    os.chmod("backup", 0o555)
    status, text = run("backup/works.db")
    assert status == 1 and text.endswith("cannot be read here: copy both to where you may write\n"), text
    os.chmod("backup", 0o755)
    os.chmod("backup/works.db", 0o600)
    if user: assert run("backup/works.db") == (1, "uflow-store: backup/works.db: Permission denied\n")
    shutil.rmtree("backup")
    os.remove("tool")


def the_lock_is_for_the_owner_of_the_file():
    if os.geteuid() != 0: return
    shutil.copy("works.db", "copy.db")
    os.chown("copy.db", 65534, 65534)
    with contextlib.suppress(FileNotFoundError): os.remove("copy.db-owner")
    store("--new-identity", "copy.db")
    found = os.stat("copy.db-owner")
    assert found.st_uid == 65534 and stat.S_IMODE(found.st_mode) == 0o600


def damaged_records():
    """Each byte of a record in turn: there is always JSON, and an error for each record that cannot be one."""
    shutil.copy("works.db", "copy.db")
    with connected("copy.db") as db:
        record = bytes(db.execute("SELECT record FROM flow WHERE path = 'works.line'").fetchone()[0])
        cases = [record[:i] for i in range(len(record))]
        cases += [record[:i] + bytes([byte]) + record[i + 1:] for i in range(len(record))
                  for byte in (record[i] ^ 1, record[i] ^ 0x80, 0x1b, 0x5b, 0x9b, 0xff)]
        db.execute("BEGIN")
        db.execute("DELETE FROM flow")
        for number, case in enumerate(cases):
            db.execute("INSERT INTO flow VALUES (?, 'T', 'A', 'S', 1, 'running', '', '', ?)", (f"{number:05}", case))
        db.execute("INSERT INTO flow (path, record) VALUES ('', ?)", (b"\xa1",))
        db.execute("COMMIT")
    out, error = store("--export", "copy.db", status=1)
    flows = json.loads(out)["flows"]
    assert len(flows) == len(cases)
    told = [f"the record of `{flow['path']}` is damaged" for flow in flows if flow["record"] is None]
    told.insert(0, "the record of the time is damaged")
    assert error.splitlines() == [f"uflow-store: copy.db: {text}" for text in told]
    assert all(("damaged" in flow) == (flow["record"] is None) for flow in flows)
    assert all(flow["damaged"] == case.hex() for flow, case in zip(flows, cases) if "damaged" in flow)
    assert len(told) > 1000 and len(flows) - len(told) > 300, (len(told), len(flows))
    out, again = store("copy.db", status=1)
    assert again == error and out.count("\n") == len(cases) + 2
    for flow in flows[::97]: store(f"--show={flow['path']}", "copy.db", status=int("damaged" in flow))


def hostile_texts():
    """The columns may hold anything. Numbers of the record, too."""
    shutil.copy("works.db", "copy.db")
    with connected("copy.db") as db:
        db.execute("UPDATE flow SET reason = ?, task = NULL, type = ?, run = -1 WHERE path = 'works.stuck'",
                   ("\033[31m\u202e\u0085x", b"\xff\x00a"))
        db.execute("UPDATE store SET identity = ?", ('a"\033b\\',))
    out = store("copy.db")
    assert "[31m" in out
    flow = flows_of(exported("copy.db"))["works.stuck"]
    assert flow["reason"] == "\033[31m\u202e\u0085x" and flow["type"] == "\ufffd\0a" and flow["task"] is None, flow
    with connected("copy.db") as db:
        record = bytes(db.execute("SELECT record FROM flow WHERE path = 'works.line'").fetchone()[0])
        third = record.index(b"\x65third\xfb") + 6
        for bits, value in (("7ff0000000000000", "Infinity"), ("fff0000000000000", "-Infinity"),
                            ("7ff8000000000000", "NaN"), ("0000000000000001", 5e-324), ("c008000000000000", -3.0)):
            case = record[:third] + b"\xfb" + bytes.fromhex(bits) + record[third + 9:]
            db.execute("UPDATE flow SET record = ? WHERE path = 'works.line'", (case,))
            found = flows_of(exported("copy.db"))["works.line"]["record"]["fields"]["third"]
            assert found == value and type(found) is type(value), (found, value)
            assert not isinstance(found, float) or math.isfinite(found)
        least = record.index(b"\x65least\x3b") + 6
        case = record[:least] + b"\x3b" + b"\xff" * 8 + record[least + 9:]
        db.execute("UPDATE flow SET record = ? WHERE path = 'works.line'", (case,))
    assert flows_of(exported("copy.db"))["works.line"]["record"]["fields"]["least"] == -2**64


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        transcripts()
        for test in (a_program_takes_what_was_changed, a_list_disturbs_no_program, values_are_exact,
                     files_that_are_none, where_nothing_can_be_written, the_lock_is_for_the_owner_of_the_file,
                     damaged_records, hostile_texts):
            test()
            print(test.__name__, flush=True)
        os.chdir("/")
    text = "\n".join(SAID)
    if "--update" in sys.argv:
        with open(EXPECTED, "w", encoding="utf-8") as file: file.write(text)
    with open(EXPECTED, encoding="utf-8") as file: expected = file.read()
    if text != expected: sys.exit(f"{text}\nis not expected.txt; check.py UFLOW_STORE WORKS --update writes it")


if __name__ == "__main__":
    main()
