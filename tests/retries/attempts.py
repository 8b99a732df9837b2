#!/usr/bin/env python3
"""How often a client with client/service-config.json sends a call that fails, counted by the server.

What can never succeed is sent once: also by a client whose own policy retries RESOURCE_EXHAUSTED, since the
server forbids it (grpc-retry-pushback-ms: -1). That policy does retry what is only limited by rate.

    attempts.py SERVER      a dicepoker-server; needs grpcio
"""

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import grpc

CONFIG = json.loads((Path(__file__).parents[2] / "client/service-config.json").read_text(encoding="utf-8"))
SCORE = "Score"


def field(number, value):
    """One protobuf field of bytes."""
    size, length = b"", len(value)
    while length > 127:
        size, length = size + bytes([length & 127 | 128]), length >> 7
    return bytes([number << 3 | 2]) + size + bytes([length]) + value


GOOD = field(1, b"dice-poker-13") + field(4, bytes([1, 2, 3, 4, 5]))
# Beyond --max-request-kib 16, but small enough for the buffers in which clients keep a call for its retries.
TOO_LARGE_MESSAGE = field(1, b"x" * 30_000)


class Server:
    """A server with its admin page."""

    def __init__(self, path, *flags):
        self.process = subprocess.Popen(
            [path, "--address", "127.0.0.1:0", "--admin-address", "127.0.0.1:0", "--solve-at-start", "none", *flags],
            stderr=subprocess.PIPE, text=True)
        self.address = self.admin = None
        for line in self.process.stderr:
            address = re.search(r"address=(\S+)", line)
            if address and "operators" in line:
                self.admin = address[1]
            elif address:
                self.address = address[1]
            if " ready" in line:
                break

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate()

    def attempts(self):
        """Calls that ended with RESOURCE_EXHAUSTED."""
        with urllib.request.urlopen(f"http://{self.admin}/metrics", timeout=10) as page:
            text = page.read().decode()
        lines = [line for line in text.splitlines()
                 if line.startswith("rpc_server_call_duration_seconds_count") and "RESOURCE_EXHAUSTED" in line]
        return sum(int(float(line.split()[-1])) for line in lines)

    def call(self, config, method, request):
        """Makes the call; how often it was sent, and the last status."""
        choices = [("grpc.service_config", json.dumps(config)), ("grpc.enable_retries", 1)]
        before = self.attempts()
        with grpc.insecure_channel(self.address, options=choices) as channel:
            path = f"/dicepoker.v1.DicePokerService/{method}"
            try:
                channel.unary_unary(path, lambda b: b, lambda b: b)(request, timeout=20)
                status = grpc.StatusCode.OK
            except grpc.RpcError as error:
                status = error.code()
        return self.attempts() - before, status


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
    with Server(sys.argv[1], "--max-request-kib", "16") as server:
        for policy, config in (("service-config.json", CONFIG), ("a policy that retries RESOURCE_EXHAUSTED", wider(CONFIG))):
            sent, status = server.call(config, SCORE, TOO_LARGE_MESSAGE)
            want((sent, status) == (1, exhausted), f"a message that is too large, {policy}: sent {sent} times, {status.name}")
    with Server(sys.argv[1], "--rate-per-second", "4", "--rate-burst", "1") as server:
        server.call(CONFIG, SCORE, GOOD)
        sent, status = server.call(wider(CONFIG), SCORE, GOOD)
        want(sent >= 1 and status == grpc.StatusCode.OK, f"a call beyond the rate: rejected {sent} times, then {status.name}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
