# SPDX-License-Identifier: MIT
"""The names on the command line of a test: of examples, or of its own test cases."""
import os
import sys
import unittest


def chosen(given, known):
    """The names that are given, or all. An unknown one ends the test."""
    wrong = [name for name in given if name not in known]
    if wrong:
        print(f"{os.path.basename(sys.argv[0])}: there is no {', '.join(f'`{name}`' for name in wrong)}; there are:",
              *sorted(known), file=sys.stderr)
        sys.exit(2)
    return given or list(known)


def tests_of(suite):
    """The names of tests and of their classes, as unittest.main() takes them."""
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from tests_of(one)
        else:
            yield type(one).__name__
            yield f"{type(one).__name__}.{one.id().split('.')[-1]}"


def run_tests(update=None):
    """Runs the tests of the script; with --update, the function that writes the expected files."""
    names = [name for name in sys.argv[1:] if not name.startswith("-")]
    chosen(names, set(tests_of(unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"]))))
    if update and "--update" in sys.argv: update()
    else: unittest.main()
