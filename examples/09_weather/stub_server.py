#!/usr/bin/env python3
"""Simulates a weather page and a summariser, with only the standard library.

    stub_server.py COMMAND...     replaces {url} in the command by the server's address, and {refused} by an address
                                  that refuses connections; runs it, and returns its status

GET  /page           a short report            /moved     redirects to it     /again    redirects to itself
     /long           200000 bytes              /latin     bytes that are not UTF-8
     /missing        404                       /slow      answers when the server ends
     /cut            less than it announces    /huge      5 000 000 bytes
     /stream         the same, without a length
POST /summary        the request, in a valid answer: its tokens, its length, whether the key was right
     /escapes        an answer with escapes and a surrogate pair
     /error          400 with an error in JSON     /limit  429 without one     /garbage   invalid JSON
     /empty          an empty body                 /slow
     /controls       characters that control a terminal, as a page, too
"""
import contextlib
import http.server
import json
import socket
import subprocess
import sys
import threading

PAGES = {
    "/page": "Tomorrow: rain from the west, 12 °C. " * 40,
    "/long": "x" * 200000,
    "/huge": "0123456789" * 500000,
    "/latin": b"12 \xb0C, \xff\x00\xc3",
    "/controls": "\x1b[31m red \x9b32m green \x7f",
}
ANSWERS = {
    "/escapes": (r'{"content":[{"text":"\"a\\b\"\t\u00b0 \ud83c\udf27"}]}', 200),
    "/error": ('{"error":{"type":"invalid","message":"your key is wrong"}}', 400),
    "/limit": ("slow down", 429),
    "/controls": (r'{"content":[{"text":"\u001b[31m red \u009b32m green"}]}', 200),
    "/garbage": ("<html>\r\n\x1b[31mwhat?", 200),
    "/empty": ("", 200),
}
over = threading.Event()


def summary(request, key):
    content = request["messages"][0]["content"]
    text = f"tokens {request['max_tokens']}, {len(content.encode())} bytes, key {'good' if key == 'sesame' else 'bad'}"
    return json.dumps({"content": [{"type": "thinking"}, {"type": "text", "text": text}]})


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, body, status=200, announced=None, **headers):
        body = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        self.send_header("Content-Length", announced or len(body))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = announced is not None

    def wait_until_over(self):
        over.wait()
        self.close_connection = True

    def handle(self):
        with contextlib.suppress(ConnectionError):  # the client has closed: many tests do
            super().handle()

    def do_GET(self):
        if self.path == "/slow":
            self.wait_until_over()
        elif self.path == "/cut":
            self.answer("not all", announced=1000)
        elif self.path == "/stream":  # ends with the connection
            self.send_response(200)
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(PAGES["/huge"].encode())
            self.close_connection = True
        elif self.path in ("/moved", "/again"):
            self.answer("", 302, Location="/page" if self.path == "/moved" else "/again")
        elif self.path in PAGES:
            self.answer(PAGES[self.path])
        else:
            self.answer("no such page", 404)

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/slow":
            self.wait_until_over()
        elif self.path == "/summary":
            self.answer(summary(request, self.headers["x-api-key"]))
        else:
            self.answer(*ANSWERS.get(self.path, ("{}", 404)))


class Server:
    """with Server() as server: … server.url, server.refused"""

    def __enter__(self):
        self.nobody = socket.socket()  # reserves its port, and does not listen
        self.nobody.bind(("127.0.0.1", 0))
        self.refused = f"http://127.0.0.1:{self.nobody.getsockname()[1]}"
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        over.set()
        self.server.shutdown()
        self.nobody.close()


if __name__ == "__main__":
    with Server() as server:
        status = subprocess.call([it.replace("{url}", server.url).replace("{refused}", server.refused)
                                  for it in sys.argv[1:]])
    sys.exit(status)
