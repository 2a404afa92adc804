# SPDX-License-Identifier: MIT
"""Checks an MQTT client against mosquitto, which is killed with SIGKILL several times. No message that the client
published may be lost, and none may arrive in a wrong order for the first time. The client stays within its memory.

usage: mqtt_check.py CLIENT [--messages N] [--kills N]

CLIENT has the command line of bench/programs/mqtt_poll.c. The client subscribes to its own topic: then a broker sends
each message to it before it acknowledges the message. Exit status 77: mosquitto is not installed."""
import argparse
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

CONFIGURATION = """listener {port} 127.0.0.1
allow_anonymous true
persistence false
max_inflight_messages 0
max_queued_messages 0
log_type none
"""


class Broker:
    def __init__(self, program, folder):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        self.program, self.path, self.process = program, os.path.join(folder, "mosquitto.conf"), None
        with open(self.path, "w", encoding="ascii") as file:
            file.write(CONFIGURATION.format(port=self.port))
        self.start()

    def start(self):
        self.process = subprocess.Popen([self.program, "-c", self.path], stderr=subprocess.DEVNULL)
        until = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                assert time.monotonic() < until and self.process.poll() is None, "mosquitto did not start"
                time.sleep(0.02)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Client:
    """A client, with a thread that reads what it prints."""

    def __init__(self, program, port, *options):
        self.process = subprocess.Popen([program, "--port", str(port), *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines, self.errors = [], []
        self.threads = [threading.Thread(target=self.read, args=a, daemon=True)
                        for a in ((self.process.stdout, self.lines), (self.process.stderr, self.errors))]
        for thread in self.threads:
            thread.start()

    @staticmethod
    def read(stream, lines):
        for line in stream:
            lines.append(line.rstrip(b"\n"))

    def wait_for(self, count, seconds=60):
        until = time.monotonic() + seconds
        while len(self.lines) < count:
            assert time.monotonic() < until, f"{len(self.lines)} of {count} lines; {self.errors[-3:]}"
            assert self.process.poll() is None or len(self.lines) >= count, f"ended: {self.errors[-3:]}"
            time.sleep(0.001)

    @staticmethod
    def wait_for_connection(port, seconds=20):
        until = time.monotonic() + seconds
        while True:
            with open("/proc/net/tcp", encoding="ascii") as file:
                if any(f":{port:04X} 01" in line for line in file):  # of the remote address, established
                    return
            assert time.monotonic() < until, "no connection"
            time.sleep(0.005)

    def end(self, number=None, seconds=60):
        if number:
            self.process.send_signal(number)
        else:
            self.process.stdin.close()
        try:
            return self.process.wait(timeout=seconds)
        finally:
            self.process.kill()
            for thread in self.threads:
                thread.join(timeout=10)

    def resident(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])


def check_messages(program, broker, qos):
    """Payloads of all sizes, through a second client that only subscribes."""
    subscriber = Client(program, broker.port, "--client", "s", "--subscribe", "sizes/#")
    publisher = Client(program, broker.port, "--client", "p", "--publish", "sizes/x", "--qos", qos)
    time.sleep(0.5)
    sizes = [0, 1, 2, 100, *range(110, 130), 500, 1000, 1023]
    texts = [bytes(random.choices(b"abcdefgh \xc3\xa4", k=size)) for size in sizes]
    publisher.process.stdin.write(b"\n".join(texts) + b"\n")
    assert publisher.end() == 0
    subscriber.wait_for(len(texts))
    assert subscriber.lines == [b"sizes/x " + text for text in texts]
    assert subscriber.end(signal.SIGTERM) == 0
    last = Client(program, broker.port, "--client", "q", "--subscribe", "last", "--publish", "last")
    last.process.stdin.write(b"no newline")
    assert last.end() == 0 and last.lines == [b"last no newline"], last.lines


def check_file(program, broker, qos):
    """A file as stdin: the client is never short of work, and does not stall until the next ping. A session of its own,
    because a broker may keep messages of the other for the next connection."""
    with tempfile.TemporaryFile() as file:
        file.write(b"".join(b"%d\n" % number for number in range(30000)))
        file.seek(0)
        result = subprocess.run([program, "--port", str(broker.port), "--client", "f" + qos, "--subscribe", "f",
                                 "--publish", "f", "--qos", qos],
                                stdin=file, capture_output=True, timeout=25, check=True)
    numbers = [int(line.split(b" ")[1]) for line in result.stdout.splitlines()]
    assert numbers == sorted(set(numbers)) and not result.stderr, result.stderr
    assert qos == "0" or len(numbers) == 30000  # brokers may drop messages with QoS 0


def check_keep_alive(program, broker):
    """An idle client stays connected; one whose broker stops answering notices."""
    client = Client(program, broker.port, "--client", "k", "--keep-alive", "1", "--subscribe", "k")
    time.sleep(3.5)
    assert not client.errors, client.errors
    broker.process.send_signal(signal.SIGSTOP)
    time.sleep(3.5)
    broker.process.send_signal(signal.SIGCONT)
    assert client.errors, "it did not notice that the broker does not answer"
    time.sleep(0.5)
    assert client.end(signal.SIGTERM) == 0


def check_stop(program, broker):
    """Without a broker, a signal ends the client, within a bound. It reports unacknowledged messages."""
    broker.kill()
    client = Client(program, broker.port, "--publish", "x")
    client.process.stdin.write(b"one\ntwo\n")
    client.process.stdin.flush()
    time.sleep(0.5)
    began = time.monotonic()
    assert client.end(signal.SIGTERM) == 1 and time.monotonic() - began < 8
    assert any(re.search(rb"\b2\b", line) for line in client.errors), client.errors
    broker.start()


def check_kills(program, broker, messages, kills):
    client = Client(program, broker.port, "--subscribe", "numbers", "--publish", "numbers")
    sizes = []

    def write():
        for number in range(messages):
            client.process.stdin.write(b"%d\n" % number)
        client.process.stdin.flush()

    writer = threading.Thread(target=write, daemon=True)  # is ahead of the client all the time
    writer.start()
    for number in range(kills):
        client.wait_for(messages * (number + 1) // (kills + 2))
        client.wait_for_connection(broker.port)
        broker.kill()
        time.sleep(random.random() * 0.3)
        broker.start()
        sizes.append(client.resident())
    writer.join(timeout=120)
    status = client.end(seconds=120)
    assert status == 0, f"exit status {status}: {client.errors[-3:]}"
    numbers = [int(line.split(b" ")[1]) for line in client.lines]
    lost = set(range(messages)) - set(numbers)
    assert not lost, f"{len(lost)} were acknowledged and lost, for example {sorted(lost)[:5]}"
    first = list(dict.fromkeys(numbers))
    assert first == sorted(first), "out of order"
    assert sum(b"lost" in line for line in client.errors) == kills, client.errors
    assert max(sizes) - min(sizes) < 2000, f"memory grows: {sizes}"
    print(f"{messages} messages, {kills} kills: {len(numbers) - messages} came twice")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("client")
    parser.add_argument("--messages", type=int, default=3000)
    parser.add_argument("--kills", type=int, default=2)
    options = parser.parse_args()
    mosquitto = shutil.which("mosquitto", path=os.environ["PATH"] + ":/usr/sbin")
    if not mosquitto:
        print("mosquitto is not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        broker = Broker(mosquitto, folder)
        try:
            for qos in "0", "1":
                check_messages(options.client, broker, qos)
                check_file(options.client, broker, qos)
            check_keep_alive(options.client, broker)
            check_stop(options.client, broker)
            check_kills(options.client, broker, options.messages, options.kills)
        finally:
            broker.kill()
    print("passed")


if __name__ == "__main__":
    main()
