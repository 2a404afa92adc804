#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Variables of the environment that show a runtime: a console, a trace and a socket, with names made of %p, %n and %i.

A program that does not ask for them reads none, and links nothing for them.

usage: environment.py SHOWN UNSHOWN UFLOW_TRACE NM"""
import os
import socket
import stat
import subprocess
import sys
import tempfile

SHOWN, UNSHOWN, TRACE, NM = sys.argv[1:5]
NAMES = ["first", "a_b_c"]
VARIABLES = ("UFLOW_CONSOLE", "UFLOW_RECORD", "UFLOW_INSPECT")


class Run:
    """The program, which has run its flows and waits."""

    def __init__(self, program, folder, **variables):
        environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
        self.process = subprocess.Popen([program], cwd=folder, env=environment | variables, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.out = ""
        while not self.out.endswith("ran\n"):
            line = self.process.stdout.readline()
            assert line, self.process.communicate()
            self.out += line

    def end(self):
        out, errors = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, (self.process.returncode, errors)
        return self.out + out, errors


def text_of(path):
    with open(path, encoding="utf-8") as file: return file.read()


def is_log(text): return all(part in text for part in ("[worker]", "FLOW START  Count", "FLOW END  Done"))


def check_files(folder):
    run = Run(SHOWN, folder, UFLOW_CONSOLE="%n-%p.log", UFLOW_RECORD="%i-%n-%%.uftrace", UFLOW_INSPECT="%n.sock")
    for number, name in enumerate(NAMES):
        assert is_log(text_of(f"{folder}/{name}-{run.process.pid}.log"))      # while the program runs
        assert stat.S_ISSOCK(os.stat(f"{folder}/{name}.sock").st_mode)
        with socket.socket(socket.AF_UNIX) as viewer: viewer.connect(f"{folder}/{name}.sock")
    assert run.end() == ("ran\n", "")
    for number, name in enumerate(NAMES):
        assert not os.path.exists(f"{folder}/{name}.sock")
        trace = subprocess.run([TRACE, f"{folder}/{number}-{name}-%.uftrace"], check=True, stdout=subprocess.PIPE,
                               text=True).stdout
        assert "worker" in trace and "Count" in trace, trace


def check_killed(folder):
    """The console's lines are in the file, and the trace at least after its interval."""
    run = Run(SHOWN, folder, UFLOW_CONSOLE="killed.log", UFLOW_RECORD="killed-%n")
    path = f"{folder}/killed-first"
    while os.stat(path).st_size == 0: pass
    run.process.kill()
    run.process.communicate()
    assert is_log(text_of(f"{folder}/killed.log"))
    subprocess.run([TRACE, path], check=True, stdout=subprocess.DEVNULL)


def check_streams(folder):
    assert is_log(Run(SHOWN, folder, UFLOW_CONSOLE="stderr").end()[1])
    assert is_log(Run(SHOWN, folder, UFLOW_CONSOLE="stdout").end()[0])
    before = os.listdir(folder)
    assert Run(SHOWN, folder, UFLOW_CONSOLE="", UFLOW_RECORD="").end() == ("ran\n", "")
    assert os.listdir(folder) == before


def check_complaints(folder):
    """The program goes on."""
    out, errors = Run(SHOWN, folder, UFLOW_CONSOLE="none/log", UFLOW_RECORD="none/%n", UFLOW_INSPECT="x" * 5000).end()
    assert out == "ran\n"
    for name in NAMES:
        assert f"uflow: UFLOW_RECORD: none/{name}: No such file or directory\n" in errors, errors
    assert errors.count("uflow: UFLOW_CONSOLE: none/log: No such file or directory\n") == 2, errors
    assert errors.count("the path is too long") == 2, errors


def check_unshown(folder):
    variables = {name: f"unshown-{name}" for name in VARIABLES}
    assert Run(UNSHOWN, folder, **variables).end() == ("ran\n", "")
    assert not [name for name in os.listdir(folder) if name.startswith("unshown")]
    linked = subprocess.run([NM, UNSHOWN], check=True, stdout=subprocess.PIPE, text=True).stdout
    for symbol in ("uf_environment", "ufp_environment", "getenv", "uf_inspect", "uf_console", "uf_recorder"):
        assert symbol not in linked, symbol


def main():
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_files, check_killed, check_streams, check_complaints, check_unshown): check(folder)


main()
