#!/usr/bin/env python3
"""Calls while connections end: at their age, at a drain behind a balancer, and at a reload, where none ends.

Clients of grpcio and @grpc/grpc-js call through a proxy that counts calls on the wire. The server must answer each
call that was sent. A client without retries may fail calls that it had begun, and not sent, when it read a GOAWAY:
the proxy never sees them. A client with retries makes them again, and none fails.

    goaway.py SERVER [SECONDS]      a dicepoker-server; needs grpcio, and @grpc/grpc-js in NODE_PATH
"""

import asyncio
import collections
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import grpc

sys.path.insert(0, str(Path(__file__).parents[1]))
from server import Server

METHOD = "/dicepoker.v1.DicePokerService/Score"
SCORE = bytes([1 << 3 | 2, 13]) + b"dice-poker-13" + bytes([4 << 3 | 2, 5, 1, 2, 3, 4, 5])
CHANNELS, CALLERS = 4, 8
HEADERS, GOAWAY, END_STREAM = 1, 7, 1
PREFACE = 24


class Proxy:
    """Forwards connections to the server at hand, and counts the frames of HTTP/2."""

    def __init__(self, server):
        self.server = server
        self.sent = self.answered = self.goaways = self.connections = 0
        listening = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._serve(listening)), daemon=True).start()
        listening.wait()

    async def _serve(self, listening):
        listener = await asyncio.start_server(self._connect, "127.0.0.1", 0, backlog=512)
        self.address = "127.0.0.1:%d" % listener.sockets[0].getsockname()[1]
        listening.set()
        await listener.serve_forever()

    async def _connect(self, reader, writer):
        self.connections += 1
        host, _, port = self.server.address.rpartition(":")
        try:
            there, back = await asyncio.open_connection(host, int(port))
        except OSError:
            return writer.close()
        await asyncio.gather(self._forward(reader, back, PREFACE, self._call), self._forward(there, writer, 0, self._response))
        writer.close()
        back.close()

    async def _forward(self, reader, writer, skip, seen):
        """Counts frames by `seen`, after `skip` bytes."""
        rest = b""
        try:
            while data := await reader.read(1 << 16):
                rest += data
                cut, skip = min(skip, len(rest)), max(0, skip - len(rest))
                while len(rest) >= cut + 9:
                    end = cut + 9 + int.from_bytes(rest[cut:cut + 3])
                    if len(rest) < end:
                        break
                    seen(kind=rest[cut + 3], flags=rest[cut + 4])
                    cut = end
                rest = rest[cut:]
                writer.write(data)
                await writer.drain()
            writer.write_eof()
        except OSError:
            writer.close()

    def _call(self, kind, flags):
        self.sent += kind == HEADERS

    def _response(self, kind, flags):
        self.answered += kind == HEADERS and flags & END_STREAM
        self.goaways += kind == GOAWAY


def grpcio_calls(address, seconds, retries):
    """Calls of grpcio for so long: the number for each status."""
    statuses = collections.Counter()
    end = time.monotonic() + seconds

    def calls(method):
        while time.monotonic() < end:
            try:
                method(SCORE, timeout=20)
                statuses["OK"] += 1
            except grpc.RpcError as error:
                statuses[f"{error.code().name}: {error.details()}"] += 1

    options = [("grpc.enable_retries", retries), ("grpc.use_local_subchannel_pool", 1)]
    channels = [grpc.insecure_channel(address, options=options) for _ in range(CHANNELS)]
    methods = [channel.unary_unary(METHOD, bytes, bytes) for channel in channels for _ in range(CALLERS)]
    threads = [threading.Thread(target=calls, args=(method,)) for method in methods]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for channel in channels:
        channel.close()
    return statuses


def grpc_js_calls(address, seconds, retries):
    """The same with @grpc/grpc-js."""
    plan = {"address": address, "method": METHOD, "request": list(SCORE), "seconds": seconds, "retries": retries,
            "channels": CHANNELS, "callers": CALLERS}
    program = Path(__file__).with_name("caller.cjs")
    done = subprocess.run(["node", program, json.dumps(plan)], capture_output=True, text=True, check=True)
    return collections.Counter(json.loads(done.stdout))


def nothing(proxy, start):
    """Lets the connections reach their age."""
    time.sleep(0.1)


def drain(proxy, start):
    """Replaces the server as a rolling update does: new connections go to the new one, then the old one drains."""
    old, proxy.server = proxy.server, start()
    old.process.send_signal(signal.SIGTERM)
    if old.process.wait(timeout=60):
        raise SystemExit(f"the server ended with {old.process.returncode}")


def reload(proxy, start):
    """Has the server read its files again."""
    proxy.server.process.send_signal(signal.SIGHUP)
    time.sleep(0.1)


def main():
    program, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 3
    passed = failed = 0
    clients = [grpcio_calls]
    if "NODE_PATH" in os.environ:
        clients.append(grpc_js_calls)
    else:
        print("!! SKIPPED: @grpc/grpc-js: no npm", file=sys.stderr)
    for name, what, flags in (
        ("age", nothing, ("--connection-age-seconds", "0.5")),
        ("drain", drain, ("--drain-seconds", "20")),
        ("reload", reload, ()),
    ):
        def start():
            return Server(program, "--solve-at-start", "none", *flags).__enter__()

        for calls in clients:
            for retries in (0, 1):
                proxy = Proxy(start())
                statuses = []
                caller = threading.Thread(target=lambda: statuses.append(calls(proxy.address, seconds, retries)))
                caller.start()
                while caller.is_alive():
                    what(proxy, start)
                proxy.server.__exit__()
                ok, lost = statuses[0].pop("OK", 0), statuses[0].total()
                good = (
                    proxy.sent == proxy.answered == ok
                    and not (retries and lost)
                    and (name == "reload" or proxy.goaways > 0)
                )
                passed, failed = passed + good, failed + (not good)
                print(
                    f"{'ok' if good else 'FAILED'}: {name}, {calls.__name__}, {'' if retries else 'no '}retries: "
                    f"{proxy.connections} connections, {proxy.sent} calls sent, {proxy.answered} answered, {ok} OK, "
                    f"{lost} not sent {dict(statuses[0])}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
