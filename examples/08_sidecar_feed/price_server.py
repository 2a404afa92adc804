#!/usr/bin/env python3
"""A price feed that misbehaves on demand; it uses python3-websockets.

    price_server.py MODE [COUNT] [--port PORT]

prints the port that it listens on, and serves until its standard input ends. A client sends `subscribe SYMBOL` and gets
`price SYMBOL VALUE NUMBER`, numbered from 1 for each connection, or `refused SYMBOL why`. After COUNT prices (0: no
end):

    feed      one more price every 5 ms, for every symbol
    drop      drops the connection, without a close
    bye       the server closes, with 1001
    quiet     sends no more prices, but answers pings and the close
    deaf      continues to send prices, but reads nothing and answers no close
    halfopen  neither reads nor sends, but TCP stays open
    flood     sends without pauses; prints `blocked` once the client has stopped reading, and `sent COUNT` at the end
    split     sends every price in three frames, with a ping between two prices
    long      sends a message of 100000 bytes

Before the upgrade:

    stall     never answers the request
    forbid    answers with 403
    http      answers with a web page
    badkey    accepts with a wrong key
    noise     answers with bytes that are not HTTP
"""
import argparse
import asyncio
import contextlib
import http
import os
import socket
import sys

import websockets
from websockets.legacy.server import WebSocketServerProtocol, serve  # the API of Debian 12 is in that of 13

LISTED = {"ACME": 100.0, "GLOBEX": 250.0, "INITECH": 17.5}
LISTED |= {f"S{i}": 100000.0 * (i + 1) for i in range(8)}
BEFORE_UPGRADE = {
    "http": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    "badkey": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
              b"Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n",
    "noise": b"\x00\x01\x02 what?\r\n\r\n",
}


def say(text):
    print(text, flush=True)


def price(symbol, number):
    return f"price {symbol} {LISTED[symbol] + number / 100:.2f} {number}"


async def send_prices(peer, symbols, first, count):
    for number in range(first, first + count):
        await peer.send(price(symbols[number % len(symbols)], number))
    return first + count


async def tell_when_blocked(sent):
    """Prints `blocked` once the number has not changed for a while: the client has stopped reading."""
    before = -1
    while sent["count"] != before:
        before = sent["count"]
        await asyncio.sleep(0.3)
    say("blocked")


async def flood(peer, symbol, count):
    sent = {"count": 0}
    watcher = asyncio.create_task(tell_when_blocked(sent))
    for number in range(1, count + 1):
        await peer.send(price(symbol, number).ljust(1000))
        sent["count"] = number
    watcher.cancel()
    say(f"sent {count}")


async def split(peer, symbol, count):
    for number in range(1, count + 1):
        text = price(symbol, number)
        await peer.send([text[:3], text[3:7], text[7:]])
        await (await peer.ping())


async def prices_for_ever(peer, symbols, number):
    while True:
        for symbol in list(symbols):
            await peer.send(price(symbol, number))
            number += 1
        await asyncio.sleep(0.005)


async def serve_client(peer, mode, count):
    """The first subscription starts the mode. Later ones join if the mode has no end."""
    symbols, going_on = [], None
    try:
        async for request in peer:
            symbol = request.removeprefix("subscribe ")
            if symbol not in LISTED:
                await peer.send(f"refused {symbol} unknown symbol")
                continue
            if symbol in symbols:
                continue
            symbols.append(symbol)
            if going_on is None:
                going_on = asyncio.create_task(serve_mode(peer, mode, count, symbols))
    except websockets.ConnectionClosed:
        pass
    finally:
        if going_on is not None:
            going_on.cancel()
            with contextlib.suppress(asyncio.CancelledError, websockets.ConnectionClosed):
                await going_on


async def serve_mode(peer, mode, count, symbols):
    with contextlib.suppress(websockets.ConnectionClosed):
        if mode == "flood":
            return await flood(peer, symbols[0], count)
        if mode == "split":
            return await split(peer, symbols[0], count)
        if mode in ("deaf", "halfopen"):
            peer.transport.pause_reading()
        number = await send_prices(peer, symbols, 1, count)
        if mode in ("feed", "deaf"):
            await prices_for_ever(peer, symbols, number)
        elif mode == "drop":
            peer.transport.abort()
        elif mode == "bye":
            await peer.close(1001, "going away")
        elif mode == "long":
            await peer.send("price ACME " + "9" * 100000)


class QuickToFlush(WebSocketServerProtocol):
    """Sends and waits until the system has the bytes: messages sent before a drop arrive."""

    def connection_made(self, transport):
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)


async def answer_raw(reader, writer, answer):
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
        await reader.readuntil(b"\r\n\r\n")
        if answer is not None:
            writer.write(answer)
            await writer.drain()
        await reader.read()
    writer.close()


async def forbid(path, headers):
    return http.HTTPStatus.FORBIDDEN, [], b"not you\n"


async def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("mode")
    arguments.add_argument("count", type=int, nargs="?", default=0)
    arguments.add_argument("--port", type=int, default=0)
    wanted = arguments.parse_args()

    if wanted.mode == "stall" or wanted.mode in BEFORE_UPGRADE:
        answer = BEFORE_UPGRADE.get(wanted.mode)
        server = await asyncio.start_server(lambda r, w: answer_raw(r, w, answer), "127.0.0.1", wanted.port)
    else:
        server = await serve(
            lambda peer, *path: serve_client(peer, wanted.mode, wanted.count), "127.0.0.1", wanted.port,
            create_protocol=QuickToFlush, process_request=forbid if wanted.mode == "forbid" else None,
            ping_interval=None, compression=None, close_timeout=1)
    say(server.sockets[0].getsockname()[1])

    await asyncio.to_thread(sys.stdin.buffer.read)
    os._exit(0)  # drops the remaining connections


asyncio.run(main())
