#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random edits of all examples, and of those of diagnostics, in uflow-lsp: after each burst of keys, the diagnostics
equal those of `ufc --check`. Requests at random places must be answered. The memory of the server stays bounded.

With --clangd, C is served, too.

usage: edits.py [--bursts N] [--seed N] [--clangd]"""
import argparse
import glob
import json
import os
import random
import shutil
import subprocess
import tempfile

from client import Client, Refused, Text

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
UFC = os.environ["UFC"]
KEYS = ["{", "}", "(", ")", ";", ",", "->", ".", "\n", " ", "\"", "/*", "*/", "//", "#if X\n", "#endif\n", "'",
        "\\", "é", "𝄞",
        "flow->", "self->", "await ", "next ", "done;", "on ", "task A ", "step B { ", "timeout 5ms -> ", "else ",
        "fail ", "%", "run ", "import \"x.uflow\";", "signal s;", "= 3", "\t"]
ABOUT = ["hover", "completion", "definition", "references", "documentHighlight", "prepareRename", "rename",
         "signatureHelp", "prepareCallHierarchy"]
WHOLE = ["documentSymbol", "foldingRange", "semanticTokens/full", "formatting", "codeLens", "inlayHint"]


def place(text, offset):
    return dict(zip(("line", "character"), Text(text).position(offset)))


def burst(rng, text):
    """A few changes as an editor sends them, and the text after them."""
    changes = []
    at = rng.randrange(len(text) + 1)
    for _ in range(rng.randint(1, 8)):
        if rng.random() < 0.2: at = rng.randrange(len(text) + 1)
        end = min(len(text), at + (rng.choice([1, 1, 3, 20, 200]) if rng.random() < 0.4 else 0))
        if "\r" in text[at:end + 1]: continue
        new = rng.choice(KEYS) if rng.random() < 0.7 else ""
        if rng.random() < 0.05 and end > at: new = text[at:end] * 2
        changes.append({"range": {"start": place(text, at), "end": place(text, end)}, "text": new})
        text = text[:at] + new + text[end:]
        at += len(new)
    return changes, text


def by_ufc(path):
    run = subprocess.run([UFC, "--check", "--diagnostics=json", path], capture_output=True, text=True, check=False)
    assert run.returncode in (0, 1), (run.returncode, run.stderr)
    return [(d["code"], d["message"], d["line"]) for d in json.loads(run.stderr) if d.get("file") == path]


def by_server(client, uri, path):
    shown = []
    for d in client.diagnostics(uri):
        if d["source"] != "ufc": continue
        said = d["message"].split("\nhelp: ")[0].split("\nnote: ")[0]
        elsewhere = [r for r in d["relatedInformation"] if r["message"] == said.split(": ", 1)[-1]]
        if elsewhere and os.path.basename(elsewhere[0]["location"]["uri"]) != os.path.basename(path): continue
        shown.append((d["code"], said, d["range"]["start"]["line"] + 1))
    return shown


def is_text(path):
    with open(path, "rb") as file: content = file.read()
    try:
        return b"\0" not in content and b"\r" not in content and bool(content.decode())
    except UnicodeDecodeError:
        return False


def resident(client):
    with open(f"/proc/{client.process.pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def ask(rng, client, uri, text):
    if rng.random() < 0.3:
        call = rng.choice(WHOLE)
        more = {"options": {}, "range": {"start": place(text, 0), "end": place(text, len(text))}}
        position = ()
    else:
        call = rng.choice(ABOUT)
        position = Text(text).position(rng.randrange(len(text) + 1))
        more = {"context": {"includeDeclaration": True}, "newName": "renamed"}
    try:
        answer = client.about(call, uri, *position, **more)
        for item in answer or [] if call == "prepareCallHierarchy" else []:
            for way in ("incoming", "outgoing"): client.ask(f"callHierarchy/{way}Calls", {"item": item})
        if rng.random() < 0.2:
            end = place(text, min(len(text), rng.randrange(len(text) + 1)))
            client.about("codeAction", uri, range={"start": {"line": 0, "character": 0}, "end": end}, context={})
            client.about("selectionRange", uri, positions=[end])
            client.ask("workspace/executeCommand", {"command": rng.choice(["uflow.diagram", "uflow.generatedC"]),
                                                    "arguments": [uri, end]})
    except Refused:
        pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bursts", type=int, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--clangd", action="store_true")
    chosen = parser.parse_args()
    print("seed", chosen.seed, flush=True)
    rng = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as made:
        folder = os.path.join(os.path.realpath(made), "examples")
        shutil.copytree(os.path.join(ROOT, "examples"), folder, ignore=shutil.ignore_patterns("adopt"))
        paths = sorted(glob.glob(folder + "/**/*.uflow", recursive=True))
        shutil.copytree(os.path.join(ROOT, "tests/golden/errors"), os.path.join(made, "errors"))
        wrong = [path for path in sorted(glob.glob(os.path.realpath(made) + "/errors/*.uflow")) if is_text(path)]
        client, most = Client([], options={} if chosen.clangd else {"clangd": []}), 0
        for number in range(chosen.bursts):
            path = rng.choice(rng.choice((paths, wrong)))
            with open(path, encoding="utf-8", newline="") as file:
                original = text = file.read()
            uri = client.open(path, text)
            for _ in range(rng.randint(1, 4)):
                changes, text = burst(rng, text)
                for change in changes: client.change(uri, change)
                if rng.random() < 0.7: ask(rng, client, uri, text)
                with open(path, "w", encoding="utf-8", newline="") as file:
                    file.write(text)
                shown, said = by_server(client, uri, path), by_ufc(path)
                if shown != said:
                    print(f"burst {number}: {path}\nserver: {shown}\nufc:    {said}\n{text}")
                    raise SystemExit(1)
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(original)
            client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
            if number == 50: most = resident(client) * 2 + (32 << 20)
            if number > 50: assert resident(client) < most, (resident(client), most)
        client.end()


if __name__ == "__main__":
    main()
