# SPDX-License-Identifier: MIT
"""Checks that a file server obeys RFC 9112 and the claims of examples/12_http_server/http_message.h.

usage: http_conformance.py SERVER [--megabytes N] [--only WORD]

SERVER has the options of examples/12_http_server. Each check_...() gets a fresh Server and returns nothing, or asserts.
"""
import argparse
import contextlib
import os
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

SMALL = bytes(range(256)) * 4
GET = b"GET /small.bin HTTP/1.1\r\nHost: x\r\n\r\n"
IDLE_MS, STOP_MS = 700, 3000


class Server:
    threads = None

    def __init__(self, program, root, *options, descriptors=None):
        def limit():
            if descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

        if self.threads:
            options = "--threads", self.threads, *options
        self.process = subprocess.Popen([program, "--port", "0", *map(str, options), root], stdout=subprocess.PIPE,
                                        text=True, preexec_fn=limit)
        self.port = int(re.fullmatch(r"listening on port (\d+)\n", self.process.stdout.readline())[1])

    def connect(self, receive_buffer=None):
        s = socket.socket()
        if receive_buffer:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        s.settimeout(20)
        s.connect(("127.0.0.1", self.port))
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return s

    def cpu(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(timeout=20)
        finally:
            self.process.kill()
            self.process.stdout.close()


class Reader:
    """Reads responses from a connection."""

    def __init__(self, connection):
        self.connection, self.pending = connection, b""

    def more(self):
        data = self.connection.recv(1 << 16)
        self.pending += data
        return len(data) > 0

    def response(self, is_head=False):
        while b"\r\n\r\n" not in self.pending:
            if not self.more():
                raise EOFError(f"closed after {self.pending[:200]!r}")
        head, self.pending = self.pending.split(b"\r\n\r\n", 1)
        first, *lines = head.decode("latin-1").split("\r\n")
        assert re.fullmatch(r"HTTP/1\.1 \d{3} [\w -]+", first), first
        status = int(first.split(" ")[1])
        fields = {}
        for line in lines:
            name, value = line.split(": ", 1)
            assert name.lower() not in fields, f"{name} twice"
            fields[name.lower()] = value
        assert "date" in fields, fields
        length = 0 if is_head or status == 304 else int(fields["content-length"])
        while len(self.pending) < length:
            if not self.more():
                raise EOFError(f"closed after {len(self.pending)} of {length} bytes")
        body, self.pending = self.pending[:length], self.pending[length:]
        return status, fields, body

    def is_closed(self):
        """Whether the server closes, without sending anything more."""
        return not self.pending and not self.more()


def ask(server, *requests, count=None):
    """Sends the requests on one connection; returns the responses, and whether the server then closed."""
    with server.connect() as s:
        s.sendall(b"".join(requests))
        reader = Reader(s)
        found = [reader.response(is_head=b"HEAD" in request[:4]) for request in requests[:count]]
        s.settimeout(0.1)
        try:
            return found, reader.is_closed()
        except TimeoutError:
            return found, False


def ask_one(server, text):
    found, closed = ask(server, text)
    return (*found[0], closed)


def expect(server, text, status, closes=None, body=None):
    got, fields, found, closed = ask_one(server, text)
    assert got == status, f"{text[:80]!r}: {got}, not {status}"
    assert closes is None or closed == closes, f"{text[:80]!r}: {'closed' if closed else 'left open'}"
    assert closed == (fields.get("connection") == "close"), f"{text[:80]!r}: {fields}, closed: {closed}"
    assert body is None or found == body, f"{text[:80]!r}: {found[:80]!r}"
    return fields


# -- requests --------------------------------------------------------------------------------------------------------

def check_get(server, _):
    fields = expect(server, GET, 200, closes=False, body=SMALL)
    assert fields["content-type"] == "application/octet-stream" and "last-modified" in fields, fields
    fields = expect(server, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", 200, body=b"<p>index\n")
    assert fields["content-type"].startswith("text/html"), fields
    expect(server, b"GET /empty HTTP/1.1\r\nHost: x\r\n\r\n", 200, closes=False, body=b"")
    expect(server, b"GET /small.bin?a=/../b HTTP/1.1\r\nHost: x\r\n\r\n", 200, body=SMALL)
    expect(server, b"GET /absent HTTP/1.1\r\nHost: x\r\n\r\n", 404, closes=False)
    expect(server, b"GET /small.bin/ HTTP/1.1\r\nHost: x\r\n\r\n", 404)
    expect(server, b"GET /a%20b%C3%A4.txt HTTP/1.1\r\nHost: x\r\n\r\n", 200, body=b"space\n")


def check_directories(server, _):
    fields = expect(server, b"GET /sub HTTP/1.1\r\nHost: x\r\n\r\n", 301)
    assert fields["location"] == "./sub/", fields
    fields = expect(server, b"GET //deep/er%0d%0aX:%20y HTTP/1.1\r\nHost: x\r\n\r\n", 301)
    assert fields["location"] == "./er%0D%0AX%3A%20y/" and "x" not in fields, fields
    expect(server, b"GET /sub/ HTTP/1.1\r\nHost: x\r\n\r\n", 404)
    expect(server, b"GET /fifo HTTP/1.1\r\nHost: x\r\n\r\n", 403)


def check_byte_by_byte(server, _):
    with server.connect() as s:
        reader = Reader(s)
        for _ in range(3):
            for byte in b"\r\n" + GET.replace(b"Host", b"Range: bytes=5-9\r\nHost"):
                s.send(bytes([byte]))
            assert reader.response()[::2] == (206, SMALL[5:10])


def check_pipelining(server, _):
    kinds = [(GET, 200, SMALL), (b"GET /absent HTTP/1.1\r\nHost: x\r\n\r\n", 404, b"Not Found\n"),
             (b"HEAD /small.bin HTTP/1.1\r\nHost: x\r\n\r\n", 200, b""),
             (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nGET /", 405, b"Method Not Allowed\n"),
             (b"GET /64k HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nHost: y\r\n\r\n",
              200, SMALL * 64)]
    requests = [kinds[i % len(kinds)] for i in range(100)]
    responses, closed = ask(server, *(request for request, _, _ in requests))
    assert [(status, body) for status, _, body in responses] == [(status, body) for _, status, body in requests]
    assert not closed
    # After `close`, nothing more is answered.
    responses, closed = ask(server, GET, GET.replace(b"Host", b"Connection: close\r\nHost"), GET, count=2)
    assert closed and [status for status, _, _ in responses] == [200, 200]


def check_methods(server, _):
    responses, closed = ask(server, b"HEAD /64k HTTP/1.1\r\nHost: x\r\n\r\n", GET)
    assert not closed and responses[0][1]["content-length"] == "65536" and responses[1][2] == SMALL
    head = b"HEAD /absent HTTP/1.1\r\nHost: x\r\n\r\n"
    assert ask(server, head, GET)[0][0][0] == 404
    for method in (b"POST", b"PUT", b"DELETE", b"OPTIONS", b"TRACE", b"PATCH"):
        assert expect(server, method + b" / HTTP/1.1\r\nHost: x\r\n\r\n", 405)["allow"] == "GET, HEAD"
    expect(server, b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 405)
    expect(server, b"CONNECT a:80 HTTP/1.1\r\nHost: x\r\n\r\n", 501, closes=True)
    expect(server, b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n", 501, closes=True)
    expect(server, b"get / HTTP/1.1\r\nHost: x\r\n\r\n", 501, closes=True)


def check_targets(server, _):
    expect(server, b"GET http://any.host/small.bin HTTP/1.1\r\nHost: x\r\n\r\n", 200, body=SMALL)
    expect(server, b"GET http://any.host HTTP/1.1\r\nHost: x\r\n\r\n", 200, body=b"<p>index\n")
    expect(server, b"GET http://any.host?q HTTP/1.1\r\nHost: x\r\n\r\n", 200, body=b"<p>index\n")
    for target in (b"*", b"small.bin", b"", b"/a%0", b"/a%zz", b"/a%", b"/a%00", b"/small.bin%00.html", b"/a b"):
        expect(server, b"GET " + target + b" HTTP/1.1\r\nHost: x\r\n\r\n", 400)


def check_versions(server, _):
    expect(server, b"GET /small.bin HTTP/1.0\r\n\r\n", 200, closes=True, body=SMALL)
    got, fields, _, closed = ask_one(server, b"GET /small.bin HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
    assert got == 200 and not closed and fields["connection"] == "keep-alive"
    expect(server, GET.replace(b"Host", b"Connection: close\r\nHost"), 200, closes=True)
    expect(server, GET.replace(b"Host", b"Connection: foo, CLOSE\r\nHost"), 200, closes=True)
    expect(server, GET.replace(b"1.1", b"2.0"), 505, closes=True)
    expect(server, GET.replace(b"1.1", b"1.x"), 505, closes=True)
    expect(server, b"GET /\r\n\r\n", 505, closes=True)  # HTTP/0.9


def check_fields(server, _):
    expect(server, b"GET / HTTP/1.1\r\n\r\n", 400, closes=True)
    expect(server, b"GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n", 400, closes=True)
    expect(server, b"GET / HTTP/1.1\r\nHost: x y\r\n\r\n", 400, closes=True)
    expect(server, b"GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400, closes=True)
    expect(server, b"GET / HTTP/1.1\r\nHost: x\r\nA\0b: c\r\n\r\n", 400, closes=True)
    expect(server, b"GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400, closes=True)
    expect(server, b"GET / HTTP/1.1\nHost: x\n\n", 200)  # a recipient may take a bare LF for a line's end
    expect(server, b"GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n", 400, closes=True)
    expect(server, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n", 200)


def check_limits(server, _):
    expect(server, b"GET /" + b"a" * 7000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 404)
    expect(server, b"GET /" + b"a" * 8000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, closes=True)
    expect(server, b"GET /" + b"a" * 300000, 414, closes=True)
    expect(server, b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"b" * 14000 + b"\r\n\r\n", 200)
    expect(server, b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"b" * 17000 + b"\r\n\r\n", 431, closes=True)
    expect(server, b"GET / HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 3000 + b"\r\n", 431, closes=True)
    expect(server, b"GET / HTTP/1.1\r\nHost: x\r\n" + b"B" * 200000, 431, closes=True)
    expect(server, b"GET / HTTP/1.1\r\nHost: x\r\nA:" + b" " * 200000, 431, closes=True)


def check_bodies(server, _):
    head = b"GET /small.bin HTTP/1.1\r\nHost: x\r\n"
    for body in (b"Content-Length: 5\r\n\r\nhello", b"Content-Length: 0\r\n\r\n",
                 b"Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nTrailer: x\r\n\r\n"):
        responses, closed = ask(server, head + body, GET)
        assert not closed and [response[2] for response in responses] == [SMALL, SMALL], body
    for body in (b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                 b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
                 b"Transfer-Encoding: chunked\r\n\r\n-1\r\n",
                 b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", b"Content-Length: -5\r\n\r\nhello",
                 b"Content-Length: 5x\r\n\r\nhello", b"Content-Length: 99999999999999999999\r\n\r\n",
                 b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                 b"Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n"):
        expect(server, head + body, 400, closes=True)
    expect(server, head + b"Content-Length: 70000\r\n\r\n" + b"x" * 70000, 413, closes=True)
    expect(server, head + b"Transfer-Encoding: chunked\r\n\r\n" + b"4000\r\n" + b"x" * 0x4000 + b"\r\n4000\r\n" +
           (b"x" * 0x4000 + b"\r\n4000\r\n") * 4, 413, closes=True)


def check_expectations(server, _):
    head = b"GET /small.bin HTTP/1.1\r\nHost: x\r\nExpect: "
    expect(server, head + b"100-Continue\r\n\r\n", 200, closes=False)
    expect(server, head + b"100-continue\r\nContent-Length: 5\r\n\r\n", 200, closes=True, body=SMALL)
    expect(server, head + b"200-ok\r\n\r\n", 417, closes=True)
    expect(server, (head + b"100-continue\r\n\r\n").replace(b"1.1", b"1.0"), 200)


# -- ranges and conditions -------------------------------------------------------------------------------------------

def check_ranges(server, _):
    def ranged(value, more=b""):
        return GET.replace(b"Host", b"Range: " + value + b"\r\n" + more + b"Host")

    for value, first, last in ((b"bytes=0-0", 0, 0), (b"bytes=10-19", 10, 19), (b"bytes=1000-", 1000, 1023),
                               (b"bytes=-5", 1019, 1023), (b"bytes=-5000", 0, 1023), (b"Bytes=1020-9999", 1020, 1023),
                               (b"bytes=0-99999999999999999999999", 0, 1023)):
        fields = expect(server, ranged(value), 206, closes=False, body=SMALL[first:last + 1])
        assert fields["content-range"] == f"bytes {first}-{last}/1024", fields
    for value in (b"bytes=1024-", b"bytes=-0", b"bytes=99999999999999999999999-"):
        assert expect(server, ranged(value), 416, closes=False)["content-range"] == "bytes */1024"
    for value in (b"bytes=5-4", b"bytes=-", b"bytes=a-b", b"bytes=1-2,4-5", b"lines=1-2", b"bytes 1-2", b"bytes=1-2x",
                  b"bytes=--1", b"", b"bytes=" + b"0" * 100 + b"-1"):
        expect(server, ranged(value), 200, body=SMALL)
    assert ask_one(server, ranged(b"bytes=0-1", b"Range: bytes=2-3\r\n"))[2] == SMALL
    responses, _ = ask(server, ranged(b"bytes=0-1").replace(b"GET", b"HEAD"), GET)
    assert responses[0][0] == 200 and responses[0][1]["content-length"] == "1024"
    date = expect(server, GET, 200)["last-modified"].encode()
    expect(server, ranged(b"bytes=0-1", b"If-Range: " + date + b"\r\n"), 206)
    expect(server, ranged(b"bytes=0-1", b'If-Range: "tag"\r\n'), 200)
    expect(server, ranged(b"bytes=0-1").replace(b"small.bin", b"empty"), 416)
    expect(server, ranged(b"bytes=70000-70009").replace(b"small.bin", b"big"), 206, body=(SMALL * 69)[70000:70010])


def check_conditions(server, _):
    date = expect(server, GET, 200)["last-modified"].encode()
    with_date = GET.replace(b"Host", b"If-Modified-Since: " + date + b"\r\nHost")
    assert "content-length" not in expect(server, with_date, 304, closes=False, body=b"")
    assert ask(server, with_date.replace(b"GET", b"HEAD"), GET)[0][0][0] == 304
    expect(server, GET.replace(b"Host", b"If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\nHost"), 200)
    expect(server, GET.replace(b"Host", b"If-Modified-Since: yesterday\r\nHost"), 200)
    expect(server, with_date.replace(b"Host", b'If-None-Match: "tag"\r\nHost'), 200)


# -- paths -----------------------------------------------------------------------------------------------------------

def check_traversal(server, _):
    for path in ("/../secret", "/%2e%2e/secret", "/..%2fsecret", "/%2e%2e%2fsecret", "/.%2e/secret",
                 "/sub/../../secret",
                 "/sub/..%2f..%2fsecret", "/%2E%2E%2Fsecret", "/sub/%2e%2e/%2e%2e/secret", "//../secret",
                 "/./../secret",
                 "/..", "/sub/..", "/..%5csecret", "/%252e%252e/secret", "/..;/secret", "/%c0%ae%c0%ae/secret",
                 "/escape/secret", "/escaping_file", "http://x/../secret", "/%2fetc/passwd", "//etc/passwd",
                 "/proc_root/etc/passwd"):
        got, _, body, _ = ask_one(server, f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert got in (400, 403, 404) and b"secret" not in body and b"root:" not in body, f"{path}: {got} {body[:80]}"
    expect(server, b"GET /link.bin HTTP/1.1\r\nHost: x\r\n\r\n", 200, body=SMALL)  # a link that stays inside
    expect(server, b"GET /..name HTTP/1.1\r\nHost: x\r\n\r\n", 200, body=b"dots\n")
    if os.geteuid() != 0:
        expect(server, b"GET /unreadable HTTP/1.1\r\nHost: x\r\n\r\n", 403)


# -- time ------------------------------------------------------------------------------------------------------------

def seconds_until_closed(s):
    began = time.monotonic()
    with contextlib.suppress(ConnectionResetError):
        while s.recv(1 << 16):
            pass
    return time.monotonic() - began


def check_idle_timeout(server, _):
    with server.connect() as s:
        assert 0.5 <= seconds_until_closed(s) <= 10
    with server.connect() as s:
        s.sendall(GET)
        Reader(s).response()
        time.sleep(0.5)
        s.sendall(GET)  # a request begins a new time
        Reader(s).response()
        assert 0.5 <= seconds_until_closed(s) <= 10


def check_slow_loris(server, _):
    """Neither bytes of a head, nor empty lines, nor pieces of a body keep a connection open for longer."""
    for text, again in ((GET[:-2], b"A: b\r\n"), (b"", b"\r\n"),
                        (b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n", b"x")):
        with server.connect() as s:
            s.sendall(text)
            began = time.monotonic()
            with contextlib.suppress(OSError):
                s.settimeout(0.1)
                while time.monotonic() - began < 6:
                    with contextlib.suppress(TimeoutError):
                        if not s.recv(1000):
                            break
                    s.sendall(again)
            assert 0.5 <= time.monotonic() - began <= 4, time.monotonic() - began


def check_unread_response(server, _):
    """A client that does not read is given up; others are served meanwhile."""
    with server.connect(receive_buffer=4096) as s:
        s.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        expect(server, GET, 200)
        time.sleep(2.5)
        received = b""
        with contextlib.suppress(ConnectionResetError):
            while data := s.recv(1 << 16):
                received += data
        assert len(received) < 20_000_000, len(received)


def check_large_file(server, root):
    """Byte for byte, by a reader that pauses for longer than the socket's buffers last."""
    size = os.path.getsize(os.path.join(root, "large"))
    with server.connect(receive_buffer=65536) as s, open(os.path.join(root, "large"), "rb") as file:
        s.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n" + GET)
        text = b""
        while b"\r\n\r\n" not in text:
            text += s.recv(1000)
        text, got = text.split(b"\r\n\r\n", 1)[1], 0
        pauses = {size // 4, size // 2}
        while got < size:
            part = text[:size - got]
            assert part and part == file.read(len(part)), f"differs near byte {got}"
            got += len(part)
            text = text[len(part):] or s.recv(1 << 17)
            if pauses and got >= min(pauses):
                pauses.remove(min(pauses))
                time.sleep(IDLE_MS / 2000)
        reader = Reader(s)
        reader.pending = text
        assert reader.response()[2] == SMALL


def check_reset(server, _):
    """Clients that vanish at any moment, also in the middle of a file."""
    for i in range(60):
        with server.connect(receive_buffer=4096) as s:
            s.sendall((b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n", GET * 20, GET[:9])[i % 3])
            time.sleep(i % 4 * 0.003)
            if i % 2:
                s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    expect(server, GET, 200, body=SMALL)


def check_half_closed(server, _):
    with server.connect() as s:
        s.sendall(GET * 3)
        s.shutdown(socket.SHUT_WR)
        reader = Reader(s)
        assert [reader.response()[2] for _ in range(3)] == [SMALL] * 3 and reader.is_closed()


# -- many connections ------------------------------------------------------------------------------------------------

def check_few_descriptors(program, root):
    """More clients than descriptors: all are served in the end, and waiting for a descriptor costs no CPU time."""
    for at_start in (True, False):
        server = Server(program, root, "--connections", 1000, "--idle-ms", 60000, descriptors=40 if at_start else None)
        if not at_start:
            resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (40, 40))
        clients = [server.connect() for _ in range(100)]
        time.sleep(0.3)
        before = server.cpu()
        time.sleep(1)
        assert server.cpu() - before < 0.2, "a busy loop"
        for client in clients:
            client.sendall(GET.replace(b"Host", b"Connection: close\r\nHost"))
        statuses = []
        for client in clients:
            statuses.append(Reader(client).response()[0])
            client.close()
        assert set(statuses) <= ({200} if at_start else {200, 503}), statuses
        expect(server, GET, 200)
        assert server.end() == 0


def check_full(program, root):
    """More clients than --connections."""
    server = Server(program, root, "--connections", 4, "--idle-ms", 60000)
    clients = [server.connect() for _ in range(12)]
    time.sleep(0.2)
    before = server.cpu()
    time.sleep(1)
    assert server.cpu() - before < 0.2, "a busy loop"
    for client in clients:
        client.sendall(GET)
        assert Reader(client).response()[2] == SMALL
        client.close()
    assert server.end() == 0


# -- the end ---------------------------------------------------------------------------------------------------------

def check_stop_idle(program, root):
    for number in (signal.SIGTERM, signal.SIGINT):
        server = Server(program, root, "--stop-ms", 60000)
        with server.connect() as s, server.connect():
            s.sendall(GET)
            Reader(s).response()
            began = time.monotonic()
            assert server.end(number) == 0 and time.monotonic() - began < 2


def check_stop_download(program, root):
    """A download is finished; new connections are refused."""
    size = os.path.getsize(os.path.join(root, "large"))
    server = Server(program, root, "--stop-ms", 60000)
    with server.connect(receive_buffer=65536) as s:
        s.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        got = len(s.recv(1000))
        server.process.terminate()
        time.sleep(0.3)
        assert server.process.poll() is None, "it ended during a download"
        with contextlib.suppress(ConnectionRefusedError):
            server.connect().close()
            raise AssertionError("it still accepts connections")
        while data := s.recv(1 << 17):
            got += len(data)
        assert got > size, f"{got} of {size} bytes"
    assert server.process.wait(timeout=10) == 0


def check_stop_bounded(program, root):
    server = Server(program, root, "--stop-ms", 500)
    with server.connect(receive_buffer=4096) as s:
        s.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        s.recv(1000)
        began = time.monotonic()
        server.end()
        assert 0.3 < time.monotonic() - began < 10


# --------------------------------------------------------------------------------------------------------------------

OWN_SERVER = (check_few_descriptors, check_full, check_stop_idle, check_stop_download, check_stop_bounded)


def make_files(folder, megabytes):
    root = os.path.join(folder, "root")
    os.makedirs(os.path.join(root, "sub"))
    os.makedirs(os.path.join(root, "deep", "er\r\nX: y"))
    for name, content in (("small.bin", SMALL), ("64k", SMALL * 64), ("big", SMALL * 69), ("empty", b""),
                          ("index.html", b"<p>index\n"), ("a bä.txt", b"space\n"), ("..name", b"dots\n"),
                          ("unreadable", b"secret"), ("../secret", b"secret")):
        with open(os.path.join(root, name), "wb") as file:
            file.write(content)
    os.chmod(os.path.join(root, "unreadable"), 0)
    os.mkfifo(os.path.join(root, "fifo"))
    os.symlink("..", os.path.join(root, "escape"))
    os.symlink("../secret", os.path.join(root, "escaping_file"))
    os.symlink("/proc/self/root", os.path.join(root, "proc_root"))
    os.symlink("small.bin", os.path.join(root, "link.bin"))
    with open(os.path.join(root, "large"), "wb") as file:
        for _ in range(megabytes):
            file.write(os.urandom(1 << 20))
    return root


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--megabytes", type=int, default=30, help="size of the large file")
    parser.add_argument("--only", default="", help="checks whose name contains this")
    parser.add_argument("--threads", type=int, help="of the server")
    options = parser.parse_args()
    Server.threads = options.threads
    checks = [(name, check) for name, check in globals().items() if name.startswith("check_") and options.only in name]
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        root = make_files(folder, options.megabytes)
        for name, check in checks:
            server = None
            try:
                if check in OWN_SERVER:
                    check(options.server, root)
                else:
                    server = Server(options.server, root, "--idle-ms", IDLE_MS, "--stop-ms", STOP_MS)
                    check(server, root)
                    status = server.end()
                    assert status == 0, f"exit status {status}"
            except (AssertionError, EOFError, OSError, KeyError, ValueError) as error:
                failed.append(f"{name}: {type(error).__name__}: {error}")
                if server:
                    server.process.kill()
    print("\n".join(failed) or f"{len(checks)} checks passed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
