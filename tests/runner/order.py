#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests with `order` in `explore`: what is found, shrunk and replayed.

usage: order.py PROGRAM FILE"""
import exploring


class Order(exploring.Case):
    def test_each_order_is_a_schedule(self):
        for name, count in (("each order of four", 24), ("one signal keeps the order of those who wait", 2),
                            ("a mailbox keeps the order of its values", 2), ("no order in the quiet end", 1)):
            self.assertEqual(self.count(name), count)

    def test_bugs_are_found_and_repeated(self):
        for name, text in (("two signals of one round", "at 1.000 s, signal b.go comes before signal a.go"),
                           ("a file after a signal", "at 1.000 s, mailbox b.parts comes before descriptor 9"),
                           ("two jobs of one round",
                            "at 0.000 s, the end of job b.weigh comes before the end of job a.weigh")):
            block, _ = self.one(name)
            self.assertEqual((block["schedule"], block["disturbances"]), ("order@1", [text]))
            self.assertEqual(block["message"], 'expect_text: "ba" and "ab" differ at byte 0')
            self.assertEqual(self.one(name, "--replay", "order@1")[0], block)

    def test_any_place_in_the_order(self):
        """The first question of the round has four answers, the second one three."""
        self.one("each order of four", "--replay", "order@1=3,order@2=2,order@3", status=0)


if __name__ == "__main__":
    exploring.main()
