#!/usr/bin/env python3
"""Tests the program from outside, against servers that misbehave.

usage: sidecar_test.py sidecar_feed price_server.py [TEST...]

A test fails if an expected line does not come within a very generous time."""
import contextlib
import os
import selectors
import subprocess
import sys
import time

PROGRAM, SERVER = sys.argv[1:3]
LONG = 60


class Lines:
    """The lines that a process prints, one by one."""

    def __init__(self, pipe):
        self.pipe, self.rest = pipe, b""
        self.selector = selectors.DefaultSelector()
        self.selector.register(pipe, selectors.EVENT_READ)

    def next(self):
        end = time.monotonic() + LONG
        while b"\n" not in self.rest:
            if not self.selector.select(max(0, end - time.monotonic())):
                raise AssertionError(f"no line within {LONG} s; so far: {self.rest!r}")
            more = os.read(self.pipe.fileno(), 65536)
            if not more:
                raise AssertionError(f"it has ended; so far: {self.rest!r}")
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode()


class Process:
    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = Lines(self.process.stdout)

    def end(self):
        """Returns the status after the end of its input has ended it."""
        self.process.stdin.close()
        status = self.process.wait(LONG)
        self.process.stdout.close()
        return status


@contextlib.contextmanager
def server(mode, count=0, port=0):
    process = Process(sys.executable, SERVER, mode, str(count), "--port", str(port))
    process.port = int(process.lines.next())
    try:
        yield process
    finally:
        process.end()


class Program(Process):
    def __init__(self, port):
        super().__init__(PROGRAM, f"ws://127.0.0.1:{port}/")

    def ask(self, command):
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()
        return self.lines.next()

    def ask_until(self, command, good):
        """Asks again until the answer is one of the expected ones."""
        end = time.monotonic() + LONG
        while time.monotonic() < end:
            answer = self.ask(command)
            if good(answer):
                return answer
            time.sleep(0.01)
        raise AssertionError(f"{command}: still {answer!r}")

    def expect(self, command, answer):
        got = self.ask(command)
        assert got == answer, f"{command}: {got!r} instead of {answer!r}"

    def expect_end(self, how):
        self.process.stdin.close()
        line = self.lines.next()
        assert line == f"link: {how}", line
        assert self.process.wait(LONG) == 0
        self.process.stdout.close()


def connected(port):
    program = Program(port)
    line = program.lines.next()
    assert line == "connected", line
    return program


def test_prices():
    with server("feed") as feed:
        program = connected(feed.port)
        program.expect("subscribe ACME", "subscribed ACME")
        program.expect("subscribe GLOBEX", "subscribed GLOBEX")
        assert float(program.ask("latest ACME").removeprefix("ACME ")) > 100
        assert float(program.ask("latest GLOBEX").removeprefix("GLOBEX ")) > 250
        program.expect("subscribe NOPE", "error: unknown symbol")
        program.expect("latest NOPE", "error: not subscribed to NOPE")
        program.expect("what", "error: subscribe SYMBOL, latest SYMBOL, status, quit")
        status = program.ask("status")
        assert status.startswith("connected, 2 symbols, ") and status.endswith(", 0 out of order, 0 drops"), status
        program.expect_end("done")


def test_1000_in_order():
    with server("quiet", 1000) as feed:
        program = connected(feed.port)
        program.expect("subscribe ACME", "subscribed ACME")
        program.ask_until("status", lambda it: it == "connected, 1 symbols, 1000 prices, 0 out of order, 0 drops")
        program.expect("latest ACME", "ACME 110.00")
        program.expect_end("done")


def test_nobody_listens():
    with server("quiet") as feed:
        port = feed.port
    program = Program(port)
    assert program.lines.next() == "error: cannot connect: Connection refused"
    assert program.process.wait(LONG) == 1
    program.process.stdin.close()
    program.process.stdout.close()


def test_refused():
    with server("forbid") as feed:
        program = Program(feed.port)
        assert program.lines.next() == "error: the peer refused: 403 Forbidden"
        assert program.end() == 1


def test_peer_goes_and_comes_back():
    with server("feed") as feed:
        port = feed.port
        program = connected(port)
        program.expect("subscribe ACME", "subscribed ACME")
    program.ask_until("latest ACME", lambda it: it.startswith("error: "))
    for _ in range(3):  # each time
        assert program.ask("latest ACME").startswith("error: ")
    assert program.ask("subscribe GLOBEX").startswith("error: ")
    assert program.ask("status").startswith("not connected, 1 symbols")
    with server("feed", port=port):
        program.ask_until("latest ACME", lambda it: it.startswith("ACME "))
        program.expect("subscribe GLOBEX", "subscribed GLOBEX")
        status = program.ask("status")
        assert ", 2 symbols, " in status and ", 0 out of order, " in status, status
        program.expect_end("done")


def test_peer_drops_again_and_again():
    with server("drop", 5) as feed:
        program = connected(feed.port)
        program.ask("subscribe ACME")
        program.ask_until("status", lambda it: ", 0 out of order, 3 drops" in it)
        program.ask_until("latest ACME", lambda it: it == "error: the peer dropped the connection")
        program.end()


def test_peer_closes():
    with server("bye", 5) as feed:
        program = connected(feed.port)
        program.ask("subscribe ACME")
        program.ask_until("latest ACME", lambda it: it == "error: the peer closed: 1001 going away")
        program.end()


def end_takes(mode, count, how, least, most):
    with server(mode, count) as feed:
        program = connected(feed.port)
        if count:
            program.expect("subscribe ACME", "subscribed ACME")
        begin = time.monotonic()
        program.expect_end(how)
        took = time.monotonic() - begin
        assert least <= took <= most, f"{mode}: {took:.2f} s"


def test_close_with_a_quiet_peer():
    end_takes("quiet", 0, "done", 0, 1)  # as fast as with an active one


def test_close_that_nobody_answers():
    for mode in ("deaf", "halfopen"):
        end_takes(mode, 3, "failed: the peer did not answer the close within 1000 ms", 0.9, 10)


def test_idle_costs_nothing():
    if not os.path.exists("/proc/self/stat"):
        print("test_idle_costs_nothing: skipped, there is no /proc")
        return
    with server("quiet", 1) as feed:
        program = connected(feed.port)
        program.expect("subscribe ACME", "subscribed ACME")
        used = cpu_ticks(program.process.pid)
        time.sleep(2)  # the measurement itself
        used = cpu_ticks(program.process.pid) - used
        assert used <= 2, f"{used} of 200 ticks"  # 1 %
        program.expect_end("done")


def cpu_ticks(pid):
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


tests = [test for name, test in sorted(globals().items()) if name.startswith("test_")]
wanted = sys.argv[3:]
for test in tests:
    if not wanted or test.__name__ in wanted:
        test()
        print(f"{test.__name__}: ok", flush=True)
