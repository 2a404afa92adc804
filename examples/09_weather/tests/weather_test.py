#!/usr/bin/env python3
"""Tests the program through its output, against the stub server: weather_test.py weather directory-of-stub_server"""
import os
import subprocess
import sys
import time

sys.path.insert(0, sys.argv[2])
sys.dont_write_bytecode = True
import stub_server

PROGRAM, LONG = sys.argv[1], "60000"


def run(page, summariser, key="sesame", patience=LONG, *more):
    environment = {name: value for name, value in os.environ.items() if name != "WEATHER_KEY"}
    if key is not None:
        environment["WEATHER_KEY"] = key
    ended = subprocess.run([PROGRAM, page, summariser, patience, *more], env=environment, capture_output=True,
                           timeout=120)
    return ended.returncode, ended.stdout.decode(errors="replace"), ended.stderr.decode(errors="replace")


def expect(got, status, begins, ends=""):
    assert got[0] == status and got[1].startswith(begins) and got[1].endswith(ends + "\n") and got[2] == "", got


with stub_server.Server() as server:
    page, summariser = server.url + "/page", server.url + "/summary"

    expect(run(page, summariser), 0, "1520 bytes\ntokens 1024, 1566 bytes, key good")
    expect(run(page, summariser, key="no"), 0, "1520 bytes\ntokens 1024, 1566 bytes, key bad")
    print("ok: passed")

    got = run(page, summariser, key=None)
    expect(got, 0, "1520 bytes\nTomorrow: rain from the west")
    assert len(got[1].encode(errors="replace").split(b"\n", 1)[1]) <= 502, got
    print("no key: passed")

    for large in ("/huge", "/stream"):
        expect(run(server.url + large, summariser), 0, "5000000 bytes\ntokens 1024, 30046 bytes, key good")
        expect(run(server.url + large, summariser, None, LONG, "70000"), 1,
               "failed: no page: the answer is longer than 70000 bytes")
    print("large: passed")

    expect(run(page, server.url + "/error"), 1, "1520 bytes\nfailed: no summary: status 400, your key is wrong")
    expect(run(page, server.url + "/garbage"), 1, "1520 bytes\nfailed: no summary: status 200, the answer is no JSON: ")
    expect(run(server.url + "/missing", summariser), 1, "failed: no page: status 404")
    for wrong in (run(page, server.url + "/garbage"), run(page, server.url + "/controls"),
                  run(server.url + "/controls", page, key=None)):
        assert not set(wrong[1]) - {"\n"} & {chr(c) for c in (*range(32), *range(127, 160))}, wrong
    print("errors: passed")

    expect(run(server.refused, summariser), 1, "failed: no page: Failed to connect")
    expect(run(page, server.refused), 1, "1520 bytes\nfailed: no summary: Failed to connect")
    print("refused: passed")

    for slow in ((server.url + "/slow", summariser), (page, server.url + "/slow")):
        begin = time.monotonic()
        got = run(*slow, patience="200")
        assert got[0] == 1 and got[1].endswith(": timed out\n"), got
        assert time.monotonic() - begin < 30  # and not the 60 s of the request
    print("slow: passed")
