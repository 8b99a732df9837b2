"""Starts the service for the checks that are written in Python, because their tools are: grpcio, grpcurl
and promtool. The tests in Rust have tests/testkit."""

import json
import os
import subprocess
import threading

READY_SECONDS = 300


class Server:
    """A running service with an admin page, ready; its addresses are host:port."""

    def __init__(self, program, *flags):
        ports = ["--address", "127.0.0.1:0", "--admin-address", "127.0.0.1:0", "--log-format", "json"]
        self.process = subprocess.Popen(
            [program, *ports, *flags], stderr=subprocess.PIPE, text=True, env={"PATH": os.environ["PATH"]})
        self.address = self.admin = None
        self.ready = threading.Event()
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self):
        """Reads the log to its end: a full pipe would block the service."""
        for line in self.process.stderr:
            entry = json.loads(line) if line.startswith("{") else {}
            if entry.get("message") == "listening":
                self.address = entry["address"]
            elif entry.get("message") == "listening for operators":
                self.admin = entry["address"]
            elif entry.get("message") == "ready":
                self.ready.set()
        self.ready.set()

    def __enter__(self):
        self.ready.wait(READY_SECONDS)
        if self.process.poll() is not None or not (self.address and self.admin):
            self.__exit__()
            raise SystemExit(f"{self.process.args[0]} did not get ready")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
