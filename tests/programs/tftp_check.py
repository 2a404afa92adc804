# SPDX-License-Identifier: MIT
"""Checks a TFTP client and server: against each other over a link that loses, repeats and reorders packets; against
tftpd-hpa or atftpd and curl if they are installed; and with packets that a proper peer does not send.

usage: tftp_check.py PROGRAM [--files N] [--kilobytes N] [--loss PERCENT] [--seed N] [--rollover]

PROGRAM has the command line of bench/programs/tftp_epoll.c."""
import argparse
import contextlib
import os
import random
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time

LOCAL = "127.0.0.1"


class Link(threading.Thread):
    """Passes packets between clients and a server; loses, repeats and delays some of them. Each client gets a port of
    its own, which stands for the server's port of that transfer."""

    def __init__(self, server_port, loss, seed):
        super().__init__(daemon=True)
        self.random, self.loss, self.server_port = random.Random(seed), loss, server_port
        self.entry = self.new_socket()
        self.port = self.entry.getsockname()[1]
        self.sessions, self.other_end, self.delayed, self.is_ending = {}, {}, [], False
        self.start()

    @staticmethod
    def new_socket():
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.bind((LOCAL, 0))
        return s

    def session(self, client):
        if client not in self.sessions:
            to_client, to_server = self.new_socket(), self.new_socket()
            self.sessions[client] = (to_client, to_server)
            self.other_end[to_client] = [to_server, (LOCAL, self.server_port)]
            self.other_end[to_server] = [to_client, client]
        return self.sessions[client]

    def send(self, out, data, to):
        if self.random.random() < self.loss:
            return
        for _ in range(2 if self.random.random() < self.loss else 1):
            if self.random.random() < self.loss:
                self.delayed.append((time.monotonic() + self.random.random() * 0.05, out, data, to))
            else:
                out.sendto(data, to)

    def run(self):
        while not self.is_ending:
            ready, _, _ = select.select([self.entry, *self.other_end], [], [], 0.01)
            due = [d for d in self.delayed if d[0] <= time.monotonic()]
            self.delayed = [d for d in self.delayed if d not in due]
            for _, out, data, to in due:
                out.sendto(data, to)
            for s in ready:
                data, sender = s.recvfrom(70000)
                if s is self.entry:
                    _, to_server = self.session(sender)
                    self.send(to_server, data, (LOCAL, self.server_port))
                else:
                    out, to = self.other_end[s]
                    if to == sender or out not in self.other_end:
                        continue
                    if sender[1] != self.other_end[out][1][1]:  # the server's port of this transfer
                        self.other_end[out][1] = sender
                    self.send(out, data, to)
        for s in [self.entry, *self.other_end]:
            s.close()


class Server:
    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "serve", folder, "0"], stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.DEVNULL)
        self.port = int(re.fullmatch(r"listening on port (\d+)\n", self.process.stdout.readline())[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            assert self.process.wait(timeout=20) == 0, "the server failed"
        finally:
            self.process.kill()
            self.process.stdout.close()


def foreign_server(folder):
    """A server by others: (process, port), or None."""
    s = Link.new_socket()
    port = s.getsockname()[1]
    s.close()
    atftpd = shutil.which("atftpd", path="/usr/sbin")
    hpa = shutil.which("in.tftpd", path="/usr/sbin")  # a link to atftpd, if that is installed
    if os.geteuid() != 0 or not (atftpd or hpa):  # both change their user
        return None
    if atftpd:
        command = [atftpd, "--daemon", "--no-fork", "--user", "root", "--group", "root", "--port", str(port),
                   "--bind-address", LOCAL, "--logfile", "/dev/null", folder]
    else:
        command = [hpa, "--foreground", "--create", "--permissive", "--user", "root", "--secure", "--address",
                   f"{LOCAL}:{port}", folder]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    time.sleep(0.5)
    assert process.poll() is None, f"{command[0]} did not start"
    return process, port


def make_files(folder, sizes, generator):
    os.makedirs(folder, exist_ok=True)
    for number, size in enumerate(sizes):
        with open(os.path.join(folder, f"file{number}"), "wb") as file:
            file.write(generator.randbytes(size))
    return [f"file{number}" for number in range(len(sizes))]


def same(one, other, name):
    with open(os.path.join(one, name), "rb") as a, open(os.path.join(other, name), "rb") as b:
        return a.read() == b.read()


def copy(program, action, folder, port, block_size, names, may_fail=False):
    done = subprocess.run([program, action, folder, str(port), str(block_size), *names], stderr=subprocess.PIPE,
                          text=True, timeout=300, check=False)
    assert may_fail or done.returncode == 0, f"{action} {block_size}: {done.returncode} {done.stderr}"
    return done


def check_both_ways(program, port, served, folder, names, block_size, may_fail=False):
    """Gets and puts all files at once. All arrive identical; with `may_fail`, each that is reported may be absent.
    Returns how many failed."""
    here, failures = os.path.join(folder, f"client{port}_{block_size}"), 0
    os.makedirs(here)
    failures += identical(served, here, names, copy(program, "get", here, port, block_size, names, may_fail))
    for name in os.listdir(here):
        os.rename(os.path.join(here, name), os.path.join(here, f"up_{block_size}_{name}"))
    up = os.listdir(here)
    failures += identical(here, served, up, copy(program, "put", here, port, block_size, up, may_fail))
    assert not [name for name in os.listdir(here) if name.endswith(".part")], "an unfinished file was left"
    shutil.rmtree(here)
    return failures


def identical(source, target, names, done):
    failed = 0
    for name in names:
        if os.path.exists(os.path.join(target, name)):
            # A put whose last ACKs were lost has failed for the client, and is complete at the server.
            assert same(source, target, name), f"{name} differs"
        else:
            assert f"{name}: " in done.stderr, f"{name} is absent, and nothing was said"
            failed += 1
    return failed


def check_strange_packets(port, name, content):
    """Speaks to the server as no client should."""
    with contextlib.closing(Link.new_socket()) as s, contextlib.closing(Link.new_socket()) as stranger:
        s.settimeout(5)
        stranger.settimeout(5)

        def error_of(request):
            s.sendto(request, (LOCAL, port))
            data, _ = s.recvfrom(2000)
            assert data[:2] == b"\0\5", f"{request}: {data[:20]}"
            return data[3]

        assert error_of(b"\0\1absent\0octet\0") == 1
        for bad in ("../secret", "/etc/passwd", "a/b", "..", ".hidden", ""):
            assert error_of(b"\0\1" + bad.encode() + b"\0octet\0") == 2, bad
        for bad in (b"", b"\0", b"\0\1", b"\0\1a", b"\0\1a\0octet", b"\0\1a\0octet\0blksize\0", b"\0\7aaaa",
                    b"\0\4\0\1",
                    b"\0\1a\0netascii\0", b"\1\1a\0octet\0"):
            if bad:
                assert error_of(bad) == 4, bad
        s.sendto(b"\0\5\0\0error\0", (LOCAL, port))  # an error is never answered
        s.sendto(b"\0\1" + name.encode() + b"\0OCTET\0blksize\x00600\0tsize\x000\0unknown\x001\0", (LOCAL, port))
        data, transfer = s.recvfrom(2000)
        assert data == b"\0\6blksize\x00600\0tsize\0" + str(len(content)).encode() + b"\0", data
        stranger.sendto(b"\0\4\0\0", transfer)
        data, _ = stranger.recvfrom(2000)
        assert data[:4] == b"\0\5\0\5", f"a strange transfer ID got {data[:20]}"
        s.sendto(b"\0\4\0\0", transfer)
        for block in range(1, 4):
            data, sender = s.recvfrom(2000)
            while struct.unpack("!H", data[2:4])[0] != block:  # a retransmission
                data, sender = s.recvfrom(2000)
            assert sender == transfer and data[4:] == content[600 * (block - 1):600 * block], block
            for _ in range(3):  # three ACKs of a block, one block each: no sorcerer's apprentice
                s.sendto(b"\0\4" + struct.pack("!H", block), transfer)
        s.settimeout(0.1)
        later = []
        with contextlib.suppress(TimeoutError):
            while True:
                later.append(struct.unpack("!H", s.recvfrom(2000)[0][2:4])[0])
        assert later in ([4], [4, 4]), f"after three ACKs of each block came {later}"  # twice: a retransmission
        s.sendto(b"\0\5\0\0enough\0", transfer)


def check_interrupt(program, folder):
    """A client that is stopped tells the server, and leaves nothing."""
    with contextlib.closing(Link.new_socket()) as server:
        server.settimeout(10)
        client = subprocess.Popen([program, "get", folder, str(server.getsockname()[1]), "0", "slow"],
                                  stderr=subprocess.DEVNULL)
        try:
            request, address = server.recvfrom(2000)
            assert request == b"\0\1slow\0octet\0", request
            server.sendto(b"\0\3\0\1" + bytes(512), address)
            while server.recvfrom(2000)[0] != b"\0\4\0\1":
                pass
            client.send_signal(signal.SIGTERM)
            time.sleep(0.2)
            client.send_signal(signal.SIGTERM)  # at once
            # Nothing catches a signal that comes while the program ends.
            assert client.wait(timeout=5) in (1, -signal.SIGTERM)
        finally:
            client.kill()
        packets = [server.recvfrom(2000)[0]]
        while packets[-1] == b"\0\4\0\1":
            packets.append(server.recvfrom(2000)[0])
        assert packets[-1][:4] == b"\0\5\0\0", packets
    assert not [name for name in os.listdir(folder) if "slow" in name or name.endswith(".part")], os.listdir(folder)


def check_foreign_client(port, served, folder, name):
    """curl, if it is installed and knows TFTP."""
    curl = shutil.which("curl")
    if not curl or b"tftp" not in subprocess.check_output([curl, "--version"]):
        return
    got = os.path.join(folder, "got")
    common = [curl, "--silent", "--show-error", "--max-time", "60", "--tftp-blksize", "1400"]
    subprocess.run([*common, "--output", got, f"tftp://{LOCAL}:{port}/{name}"], check=True)
    subprocess.run([*common, "--upload-file", got, f"tftp://{LOCAL}:{port}/sent"], check=True)
    with open(os.path.join(served, name), "rb") as file:
        content = file.read()
    for path in (got, os.path.join(served, "sent")):
        with open(path, "rb") as file:
            assert file.read() == content, path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--files", type=int, default=12)
    parser.add_argument("--kilobytes", type=int, default=40)
    parser.add_argument("--loss", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rollover", action="store_true", help="also a file of more than 65535 blocks")
    options = parser.parse_args()
    generator = random.Random(options.seed)
    sizes = [0, 1, 511, 512, 513, 1468, 5000][:options.files]
    sizes += [generator.randrange(options.kilobytes * 1024) for _ in range(options.files - len(sizes))]
    with tempfile.TemporaryDirectory() as folder:
        served = os.path.join(folder, "served")
        names = make_files(served, sizes, generator)
        with Server(options.program, served) as server:
            for block_size in (0, 8, 1000, 1468):
                check_both_ways(options.program, server.port, served, folder, names[:7], block_size)
            check_both_ways(options.program, server.port, served, folder, names, 512)
            with open(os.path.join(served, names[6]), "rb") as file:
                check_strange_packets(server.port, names[6], file.read())
            check_foreign_client(server.port, served, folder, names[-1])
            link = Link(server.port, options.loss / 100, options.seed)
            failures = check_both_ways(options.program, link.port, served, folder, names, 1024, may_fail=True)
            link.is_ending = True
            link.join()
            print(f"{2 * len(names)} transfers at {options.loss:g} % loss: {failures} failed cleanly")
            done = copy(options.program, "get", folder, server.port, 512, ["absent"], may_fail=True)
            assert done.returncode == 1 and "absent: " in done.stderr
            assert not os.path.exists(os.path.join(folder, "absent"))
            check_interrupt(options.program, folder)
            if options.rollover:
                make_files(os.path.join(folder, "long"), [0, 8 * 65540 + 3], generator)
                os.rename(os.path.join(folder, "long", "file1"), os.path.join(served, "long_file"))
                check_both_ways(options.program, server.port, served, folder, ["long_file"], 8)
        assert not [name for name in os.listdir(served) if name.endswith(".part")], "an unfinished file was left"
        done = copy(options.program, "get", folder, server.port, 512, ["file1"], may_fail=True)  # nobody is there
        assert done.returncode == 1 and "file1: " in done.stderr
        found = foreign_server(served)
        if not found:
            print("passed, but not compared: neither tftpd-hpa nor atftpd is installed, or this is not root")
            return
        process, port = found
        try:
            for block_size in (0, 1400):
                check_both_ways(options.program, port, served, folder, names, block_size)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=10)
    print("passed")


if __name__ == "__main__":
    main()
