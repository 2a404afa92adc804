# SPDX-License-Identifier: MIT
"""The external symbols of core: memory functions, the compiler's helpers, and the port.

core_symbols.py NM OBJECT..."""
import re
import subprocess
import sys

ALLOWED = re.compile(r"mem(cpy|move|set|cmp)|ufp_\w+|__aeabi_\w+|__\w*di[0-9]?|"
                     r"__(gnu_thumb1_case|clz|ctz)\w*|_GLOBAL_OFFSET_TABLE_")


def outside_symbols(nm, objects):
    defined, wanted = set(), {}
    for path in objects:
        for line in subprocess.run([nm, path], stdout=subprocess.PIPE, universal_newlines=True,
                                   check=True).stdout.splitlines():
            kind, name = line.split()[-2:]
            if kind in ("U", "w"):
                wanted.setdefault(name, path)
            else:
                defined.add(name)
    return {name: path for name, path in wanted.items() if name not in defined and not ALLOWED.fullmatch(name)}


def main():
    found = outside_symbols(sys.argv[1], sys.argv[2:])
    for name, path in sorted(found.items()):
        print(f"{path}: needs {name}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
