#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests with sockets of their own: what a disturbed network finds, shrunk and replayed.

usage: network.py PROGRAM FILE"""
import re

import exploring


class Network(exploring.Case):
    def test_those_that_pass(self):
        for name in ("an echo", "a latency", "datagrams that are asked for again",
                     "two that overtake each other", "what an input sends is there in its round",
                     "an order of descriptors"):
            self.one(name, status=0)

    def test_bugs_are_found_and_repeated(self):
        for name, schedule, text, message in (
                ("one that takes each read for a line", "wire.cut@1", "descriptor 5 reads 1 of 6 bytes",
                 "always: flow->echo.length == 0 || flow->echo.line[flow->echo.length - 1] == '\\n'"),
                ("one that gives up", "wire.descriptors@1", "socket() fails with EMFILE", "the connection was lost"),
                ("one that takes an old answer for a new one", "wire.twice@1",
                 "a datagram of descriptor 4 arrives twice",
                 "expected flow->asker.answers == 5: flow->asker.answers is 1")):
            block, _ = self.one(name)
            self.assertEqual((block["schedule"], block["message"]), (schedule, message))
            self.assertRegex(block["disturbances"][0], rf"^at \d\.\d+ s, {re.escape(text)}$")
            self.assertEqual(self.one(name, "--replay", schedule)[0], block)

    def test_other_schedules(self):
        name = "one that gives up"
        for schedule, text in (("wire.reset@1", "a connection is refused"),
                               ("wire.late@1=5", "a connection is 30 s late"),
                               ("wire.reset@2", "the connection of descriptor 4 breaks")):
            block, _ = self.one(name, "--replay", schedule)
            self.assertEqual(block["message"], "the connection was lost")
            self.assertRegex(block["disturbances"][0], rf"^at \d\.\d+ s, {re.escape(text)}$")

    def test_kinds_that_do_no_harm(self):
        for schedule in ("wire.cut@1=4", "wire.short@1", "wire.again@1", "wire.again@2", "wire.late@1=1",
                         "wire.half@1"):
            self.one("one that gives up", "--replay", schedule, status=0)

    def test_what_sockets_tell(self):
        for name, message in (("a socket is left open", "expected uf_wire_open() == 0: uf_wire_open() is 1"),
                              ("a descriptor that was closed", "readable: closed"),
                              ("a call that would wait", "recv() would wait for ever: the socket has no O_NONBLOCK, "
                                                         "and time passes between steps only")):
            block, _ = self.one(name)
            self.assertEqual(block["message"], message)


if __name__ == "__main__":
    exploring.main()
