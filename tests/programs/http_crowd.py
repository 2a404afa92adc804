# SPDX-License-Identifier: MIT
"""More connections than a file server has descriptors: opened, served, idle and closed in any order; and a stop at any
moment.

usage: http_crowd.py SERVER [--connections N] [--descriptors N] [--stops N] [--seed N]

SERVER has the options of examples/12_http_server. Its exit status must be 0 each time. tests/programs/http_counted.c
fails if it has left a descriptor open, and a build with AddressSanitizer if it has left memory."""
import argparse
import os
import random
import resource
import select
import signal
import socket
import sys
import tempfile
import time

from http_conformance import Server

BODY = os.urandom(3000)
GET = b"GET /small HTTP/1.1\r\nHost: x\r\n\r\n"
LARGE = b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n"


class Crowd:
    """Clients that do not block. Each sends a request when it is connected, and stays open until it is closed."""

    def __init__(self, port):
        self.port, self.poll, self.open, self.got, self.served = port, select.epoll(), {}, {}, set()
        self.statuses, self.lost = set(), 0

    def connect(self, request=GET):
        s = socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        self.poll.register(s.fileno(), select.EPOLLOUT)
        self.open[s.fileno()], self.got[s.fileno()] = (s, request), b""
        s.connect_ex(("127.0.0.1", self.port))

    def close(self, fd):
        self.poll.unregister(fd)
        self.open.pop(fd)[0].close()
        del self.got[fd]
        self.served.discard(fd)

    def handle(self, fd, events):
        s, request = self.open[fd]
        try:
            if events & select.EPOLLOUT:
                s.send(request)
                self.poll.modify(fd, select.EPOLLIN)
                return
            data = s.recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            self.lost += 1
            self.close(fd)
            return
        self.got[fd] += data
        if request is GET and self.got[fd].endswith((BODY, b"\r\n\r\nService Unavailable\n")):
            self.statuses.add(self.got[fd][9:12])
            self.served.add(fd)
            self.got[fd] = b""

    def run(self, seconds):
        for fd, events in self.poll.poll(seconds):
            if fd in self.open:
                self.handle(fd, events)

    def close_all(self):
        for fd in list(self.open):
            self.close(fd)
        self.poll.close()


def descriptors_of(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def check_crowd(options, root, at_start):
    """All are served. Connections that find no place wait, and the server sleeps meanwhile. A server that knows the
    limit at its start keeps descriptors for files; the other one may answer that it has none."""
    limit = options.descriptors
    server = Server(options.server, root, "--connections", 1 << 14, "--idle-ms", 600000,
                    descriptors=limit if at_start else None)
    if not at_start:
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (limit, limit))
    crowd, total = Crowd(server.port), 0
    for _ in range(options.connections):
        crowd.connect()
    until = time.monotonic() + 5
    while time.monotonic() < until and len(crowd.served) < limit // 2:
        crowd.run(0.1)
    while any(crowd.poll.poll(0.5)):
        crowd.run(0)
    assert limit // 2 <= len(crowd.served) < limit, len(crowd.served)
    before = server.cpu()
    time.sleep(1)
    assert server.cpu() - before <= 0.1, f"a busy loop: {server.cpu() - before} s"
    until = time.monotonic() + 120
    while crowd.open and time.monotonic() < until:
        crowd.run(0.02)
        for fd in random.sample(list(crowd.served), min(len(crowd.served), random.randrange(200))):
            crowd.close(fd)
            total += 1
    assert not crowd.open and not crowd.lost and total == options.connections, (len(crowd.open), crowd.lost, total)
    assert crowd.statuses <= ({b"200"} if at_start else {b"200", b"503"}), crowd.statuses
    time.sleep(0.2)
    assert descriptors_of(server) < 80, descriptors_of(server)  # some files stay open
    assert server.end() == 0
    return f"{total} connections served with {limit} descriptors"


def check_stop(options, root):
    """A stop at a random moment, while connections are opened, served, idle and closed."""
    server = Server(options.server, root, "--connections", random.choice((20, 200, 2000)), "--idle-ms", 300,
                    "--stop-ms", random.choice((0, 100, 600)), "--linger-ms", 100, descriptors=1000)
    crowd = Crowd(server.port)
    until = time.monotonic() + random.random() * random.choice((0.05, 0.7))
    while time.monotonic() < until:
        for _ in range(random.randrange(40)):
            crowd.connect(random.choice((GET, GET, LARGE, GET[:20])))
        crowd.run(random.random() * 0.02)
        for fd in random.sample(list(crowd.open), min(len(crowd.open), random.randrange(30))):
            crowd.close(fd)
    server.process.send_signal(signal.SIGTERM)
    began = time.monotonic()
    while server.process.poll() is None:
        crowd.run(0.01)
        assert time.monotonic() - began < 10, "it does not stop"
    crowd.close_all()
    assert server.end() == 0, f"its exit status is {server.process.returncode}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--connections", type=int, default=10000)
    parser.add_argument("--descriptors", type=int, default=4000)
    parser.add_argument("--stops", type=int, default=5)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    random.seed(options.seed)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY:
        options.connections = min(options.connections, hard - 100)
    resource.setrlimit(resource.RLIMIT_NOFILE, (options.connections + 100, hard))
    with tempfile.TemporaryDirectory() as root:
        for name, content in (("small", BODY), ("large", os.urandom(1 << 22))):
            with open(os.path.join(root, name), "wb") as file:
                file.write(content)
        try:
            for at_start in (True, False):
                print(check_crowd(options, root, at_start), flush=True)
            for _ in range(options.stops):
                check_stop(options, root)
        except AssertionError as error:
            sys.exit(f"seed {options.seed}: {error}")
    print(f"stopped {options.stops} times at a random moment")


if __name__ == "__main__":
    main()
