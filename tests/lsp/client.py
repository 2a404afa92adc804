# SPDX-License-Identifier: MIT
"""A client of uflow-lsp for tests: it speaks JSON-RPC over pipes, and waits for answers, never for a time."""
import json
import os
import signal
import subprocess
import urllib.parse

SERVER = os.environ["UFLOW_LSP"]
LIMIT = 120  # seconds until a server that does not answer fails its test


def uri_of(path):
    return "file://" + urllib.parse.quote(str(path))


def be_late(_signal, _frame):
    raise TimeoutError(f"the server has said nothing for {LIMIT} s")


signal.signal(signal.SIGALRM, be_late)


class Refused(Exception):
    """The answer of a request is an error."""

    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code, self.message = error["code"], error["message"]


class Client:
    def __init__(self, folders=(), capabilities=None, options=None, arguments=(), starts=True):
        self.process = subprocess.Popen([SERVER, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.number = 0
        self.published, self.messages, self.versions = {}, [], {}
        if starts:
            self.capabilities = self.ask("initialize", {
                "processId": os.getpid(), "rootUri": None, "capabilities": capabilities or {},
                "initializationOptions": options or {},
                "workspaceFolders": [{"uri": uri_of(folder), "name": "w"} for folder in folders]})["capabilities"]
            self.tell("initialized", {})

    def write(self, content, header=None):
        content = content if isinstance(content, bytes) else content.encode()
        header = header or b"Content-Length: %d\r\n\r\n" % len(content)
        self.process.stdin.write(header + content)
        self.process.stdin.flush()

    def read(self):
        signal.alarm(LIMIT)
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError(self.process.stderr.read().decode())
            if not line.strip():
                break
            name, value = line.split(b":")
            assert name == b"Content-Length"
            length = int(value)
        message = json.loads(self.process.stdout.read(length))
        signal.alarm(0)
        assert message["jsonrpc"] == "2.0"
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]
        elif "method" in message:
            self.messages.append(message)
        return message

    def tell(self, method, params):
        self.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    def send(self, method, params):
        self.number += 1
        self.write(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}))
        return self.number

    def answer_of(self, number):
        while True:
            message = self.read()
            if message.get("id") == number and "method" not in message:
                break
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    def ask(self, method, params):
        return self.answer_of(self.send(method, params))

    # -- documents --

    def open(self, path, text=None, uri=None, language="uflow"):
        uri = uri or uri_of(path)
        if text is None:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        self.versions[uri] = 1
        self.tell("textDocument/didOpen",
                  {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}})
        return uri

    def change(self, uri, *changes):
        self.versions[uri] += 1
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": self.versions[uri]},
                                             "contentChanges": list(changes)})

    def diagnostics(self, uri):
        """Those of the present text: before it answers a request about a document, the server publishes them."""
        self.about("foldingRange", uri)
        return self.published[uri]["diagnostics"]

    def about(self, method, uri, line=None, character=None, **more):
        params = {"textDocument": {"uri": uri}, **more}
        if line is not None:
            params["position"] = {"line": line, "character": character}
        return self.ask("textDocument/" + method, params)

    def child(self):
        """The process of clangd, which is the only child of the server."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children", encoding="ascii") as file:
            return int(file.read())

    def end(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        _, errors = self.process.communicate(timeout=LIMIT)  # which closes the pipes
        assert self.process.returncode == 0 and not errors, (self.process.returncode, errors.decode())


class Text:
    """A text with its places: `at("Push")` is the line and the character of the first one, in UTF-16."""

    def __init__(self, text):
        self.text = text

    def position(self, offset):
        line = self.text.count("\n", 0, offset)
        begin = self.text.rfind("\n", 0, offset) + 1
        return line, len(self.text[begin:offset].encode("utf-16-le")) // 2

    def at(self, words, nth=0, behind=0):
        offset = -1
        for _ in range(nth + 1):
            offset = self.text.index(words, offset + 1)
        return self.position(offset + behind)

    def offset(self, position):
        at = 0
        for _ in range(position["line"]):
            at = self.text.index("\n", at) + 1
        units = position["character"]
        while units > 0:
            units -= len(self.text[at].encode("utf-16-le")) // 2
            at += 1
        return at

    def of(self, place):
        """The text of a range."""
        return self.text[self.offset(place["start"]):self.offset(place["end"])]

    def edited(self, edits):
        text = self.text
        for edit in sorted(edits, key=lambda e: self.offset(e["range"]["start"]), reverse=True):
            begin, end = self.offset(edit["range"]["start"]), self.offset(edit["range"]["end"])
            text = text[:begin] + edit["newText"] + text[end:]
        return text
