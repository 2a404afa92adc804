# SPDX-License-Identifier: MIT
"""A stuck cell with a socket, and uflow-top on it."""
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time

BUILD = os.environ.get("UFLOW_BUILD", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build"))
TOP, CELL, PEERS, TRACE = (os.path.join(BUILD, "bin", name)
                           for name in ("uflow-top", "stuck_cell", "stuck_peers", "uflow-trace"))
PATIENCE = 60


class Cell:
    """The process, as a context."""

    def __init__(self, program=CELL, *arguments):
        self.program, self.arguments = program, arguments

    def __enter__(self):
        self.folder = tempfile.mkdtemp()
        self.socket = os.path.join(self.folder, "cell.sock")
        self.process = subprocess.Popen([self.program, *self.arguments, "--listen", self.socket], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        assert self.process.stdout.readline() == b"stuck\n"
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        status = self.process.wait(PATIENCE)
        left = os.listdir(self.folder)
        shutil.rmtree(self.folder)
        assert status == 0, f"stuck_cell: exit status {status}"
        assert "cell.sock" not in left, left

    def top(self, *arguments, status=0, **environment):
        done = subprocess.run([TOP, *arguments, self.socket], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=PATIENCE, env={**os.environ, "LC_ALL": "C.UTF-8", **environment})
        assert done.returncode == status, f"{arguments}: exit status {done.returncode}: {done.stderr}"
        return done.stdout

    def document(self):
        return json.loads(self.top("--json"))


class Answers:
    """A socket that gives these answers, one by one, as a context; a number: a space each time so many seconds pass."""

    def __init__(self, answers):
        self.answers = answers

    def __enter__(self):
        self.folder = tempfile.mkdtemp()
        self.socket = os.path.join(self.folder, "socket")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.socket)
        self.listener.listen()
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()
        return self

    def serve(self):
        for answer in self.answers:
            connection, _ = self.listener.accept()
            with connection:
                while not connection.recv(256).endswith(b"\n"): pass
                try:
                    if isinstance(answer, bytes): connection.sendall(answer)
                    else:
                        while not connection.send(b" ") or not time.sleep(answer): pass
                except (BrokenPipeError, ConnectionResetError): pass

    def __exit__(self, failure, *_):
        if not failure: self.thread.join(PATIENCE)
        self.listener.close()
        shutil.rmtree(self.folder)


class Terminal:
    """uflow-top under tmux, as a context."""

    def __init__(self, cell, *arguments, columns=120, lines=40):
        self.name = f"uflow-top-{os.getpid()}-{time.monotonic_ns()}"
        command = " ".join(["exec", TOP, "--delay=0.2", *arguments, cell.socket])
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(lines), command)

    def tmux(self, *arguments):
        done = subprocess.run(["tmux", "-L", self.name, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=PATIENCE, env={**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm"})
        return done.stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server")

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def wait_for(self, pattern):
        """Waits until the screen matches. Returns the match."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            screen = self.screen()
            found = re.search(pattern, screen, re.M)
            if found: return found
            time.sleep(0.05)
        raise AssertionError(f"{pattern!r} does not appear:\n{screen}")

    def wait_for_end(self):
        end = time.monotonic() + PATIENCE
        while "no server running" not in (said := self.tmux("list-sessions")) and "error connecting" not in said:
            assert time.monotonic() < end, said
            time.sleep(0.05)
