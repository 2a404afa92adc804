"""The files of core include no header of a higher layer. runtime/core/layers.txt states the order.

core_layers.py RUNTIME_DIRECTORY"""
import os
import re
import sys


def layers_of(path):
    """The layer of each file, as (number, name)."""
    layers = {}
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
    for number, (name, *files) in enumerate(lines):
        layers.update((file, (number, name)) for file in files)
    return layers


def main():
    core = os.path.join(sys.argv[1], "core")
    layers = layers_of(os.path.join(core, "layers.txt"))
    sources = {name for name in os.listdir(core) if name.endswith((".c", ".h"))}
    problems = [f"{name} is in no layer" for name in sorted(sources - set(layers))]
    problems += [f"{name} does not exist" for name in sorted(set(layers) - sources)]
    for name in sorted(sources & set(layers)):
        with open(os.path.join(core, name), encoding="utf-8") as file:
            included = re.findall(r'^#include "([^/"]+)"', file.read(), re.MULTILINE)
        for header in included:
            if header in layers and layers[header][0] > layers[name][0]:
                problems.append(f"{name} ({layers[name][1]}) includes {header} of the higher layer {layers[header][1]}")
    print("\n".join(problems) or f"{len(sources)} files in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
