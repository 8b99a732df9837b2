#!/usr/bin/env python3
"""How often a client with client/service-config.json sends a call that fails, counted by the server.

A call that can never succeed is sent once, even by a client whose own policy retries RESOURCE_EXHAUSTED,
since the server forbids it (grpc-retry-pushback-ms: -1). Calls beyond the rate are retried by that policy.

    attempts.py SERVER      a dicepoker-server; needs grpcio
"""

import json
import struct
import sys
import urllib.request
from pathlib import Path

import grpc

sys.path.insert(0, str(Path(__file__).parents[1]))
from server import Server

CONFIG = json.loads((Path(__file__).parents[2] / "client/service-config.json").read_text(encoding="utf-8"))
SCORE, SUGGEST = "Score", "Suggest"


def field(number, value):
    """One protobuf field of bytes."""
    size, length = b"", len(value)
    while length > 127:
        size, length = size + bytes([length & 127 | 128]), length >> 7
    return bytes([number << 3 | 2]) + size + bytes([length]) + value


def option(name, value):
    """An entry of a google.protobuf.Struct: a number or a text."""
    number = isinstance(value, float)
    kind = bytes([2 << 3 | 1]) + struct.pack("<d", value) if number else field(3, value.encode())
    return field(1, field(1, name.encode()) + field(2, kind))


GOOD = field(1, b"dice-poker-13") + field(4, bytes([1, 2, 3, 4, 5]))
# Beyond --max-request-kib 16, but small enough for the buffers in which clients keep a call for its retries.
TOO_LARGE_MESSAGE = field(1, b"x" * 30_000)
# A matrix game for every pair of rolls and every lap, at the start of a round: five throws left.
RULES = option("order", "simultaneous") + option("rethrows", 4.0)
TOO_LARGE_RULES = field(1, b"dice-poker-classic") + field(2, RULES) + field(4, bytes([2 << 3, 5]))


def attempts(server):
    """Calls that ended with RESOURCE_EXHAUSTED."""
    with urllib.request.urlopen(f"http://{server.admin}/metrics", timeout=10) as page:
        text = page.read().decode()
    lines = [line for line in text.splitlines()
             if line.startswith("rpc_server_call_duration_seconds_count") and "RESOURCE_EXHAUSTED" in line]
    return sum(int(float(line.split()[-1])) for line in lines)


def call(server, config, method, request):
    """Makes the call; how often it was sent, and the last status."""
    choices = [("grpc.service_config", json.dumps(config)), ("grpc.enable_retries", 1)]
    before = attempts(server)
    with grpc.insecure_channel(server.address, options=choices) as channel:
        path = f"/dicepoker.v1.DicePokerService/{method}"
        try:
            channel.unary_unary(path, lambda b: b, lambda b: b)(request, timeout=20)
            status = grpc.StatusCode.OK
        except grpc.RpcError as error:
            status = error.code()
    return attempts(server) - before, status


def wider(config):
    """The same configuration, retrying RESOURCE_EXHAUSTED too."""
    copy = json.loads(json.dumps(config))
    for method in copy["methodConfig"]:
        method["retryPolicy"]["retryableStatusCodes"].append("RESOURCE_EXHAUSTED")
    return copy


def main():
    passed = failed = 0

    def want(good, what):
        nonlocal passed, failed
        passed, failed = passed + good, failed + (not good)
        print(f"{'ok' if good else 'FAILED'}: {what}")

    exhausted = grpc.StatusCode.RESOURCE_EXHAUSTED
    with Server(sys.argv[1], "--solve-at-start", "none", "--max-request-kib", "16") as server:
        for policy, config in (("service-config.json", CONFIG), ("a policy that retries RESOURCE_EXHAUSTED", wider(CONFIG))):
            for what, method, request in (
                ("a message that is too large", SCORE, TOO_LARGE_MESSAGE),
                ("a showdown that is too large", SUGGEST, TOO_LARGE_RULES),
            ):
                sent, status = call(server, config, method, request)
                want((sent, status) == (1, exhausted), f"{what}, {policy}: sent {sent} times, {status.name}")
    with Server(sys.argv[1], "--solve-at-start", "none", "--rate-per-second", "4", "--rate-burst", "1") as server:
        call(server, CONFIG, SCORE, GOOD)
        sent, status = call(server, wider(CONFIG), SCORE, GOOD)
        want(sent >= 1 and status == grpc.StatusCode.OK, f"a call beyond the rate: rejected {sent} times, then {status.name}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
