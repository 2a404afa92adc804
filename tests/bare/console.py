#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the console of docs/guides/bare-metal.md on an emulated Cortex-M3, with lines that come by its UART: with all of
core, and with the config of its flow.

console.py UFC WORK_DIRECTORY. Exit status 77 (skipped) without a cross compiler or an emulator."""
import os
import re
import subprocess
import sys
import threading

import images

GUIDE = f"{images.ROOT}/docs/guides/bare-metal.md"
LINES = ("status", "lamp on", "a line that is longer than the console keeps of it", "", "bye")
KEPT = 31  # bytes of a line


def talk(command):
    """Sends each line when the one before is answered: the mailbox has room for one. Returns: status, answers."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as running:
        limit = threading.Timer(100, running.kill)
        limit.start()
        said = ""
        for line in LINES:
            running.stdin.write(f"{line}\n")
            said += running.stdout.readline()
        said += running.stdout.read()
        status = running.wait()
        limit.cancel()
    return status, said


def main():
    ufc, work = sys.argv[1:]
    images.skip_if_missing("cortex-m3")
    os.makedirs(work, exist_ok=True)
    with open(GUIDE, encoding="utf-8") as file: guide = file.read()
    for name in ("console.uflow", "uart.h", "uart.c"):
        text = re.search(rf"<!-- save: {name} -->\n```\w+\n(.*?)```", guide, re.S)[1]
        with open(os.path.join(work, name), "w", encoding="utf-8") as file: file.write(text)
    flow, config = os.path.join(work, "console.uflow"), os.path.join(work, "uf_config.h")
    generated = os.path.join(work, "generated.c")
    images.call([ufc, flow, "-o", os.path.join(work, "console.c")])
    os.replace(os.path.join(work, "console.c"), generated)  # the start-up code has that name, too
    images.call([ufc, "--emit=config", flow, "-o", config])
    expected = "".join(f"> {line[:KEPT]}\n" for line in LINES)
    wrong = 0
    for options in ((), (f'-DUF_CONFIG_FILE="{config}"',)):
        builder = images.Builder("cortex-m3", os.path.join(work, str(len(options))), ("-Os", *options),
                                 of_core=("-Wall", "-Wextra", "-Werror"))
        image = builder.link([f"{images.HERE}/console.c", generated, os.path.join(work, "uart.c")],
                             os.path.join(builder.work, "console.elf"), f"-I{work}")
        command = builder.command(image)
        command[command.index("-serial") + 1] = "stdio"
        status, said = talk(command)
        if said == expected and status == 0: continue
        print(f"{' '.join(options)}: status {status}, it prints:\n{said}and should print:\n{expected}")
        wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
