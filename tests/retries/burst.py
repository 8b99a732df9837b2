#!/usr/bin/env python3
"""How many of 500 Suggest calls at once are refused: ten bursts on one channel of @grpc/grpc-js without retries.

    burst.py SERVER      a dicepoker-server; needs @grpc/grpc-js in NODE_PATH
"""

import json
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from server import Server

BURSTS, CALLS = 10, 500
# Position: five dice, two throws left.
POSITION = bytes([1 << 3 | 2, 5, 1, 3, 2, 4, 4, 2 << 3, 2])


def suggest(ruleset):
    """A SuggestRequest."""
    return bytes([1 << 3 | 2, len(ruleset)]) + ruleset.encode() + bytes([4 << 3 | 2, len(POSITION)]) + POSITION


with Server(sys.argv[1], "--solve-at-start", "yahtzee") as running:
    for name in ("yahtzee", "poquer-tradicional"):
        plan = {"address": running.address, "method": "/dicepoker.v1.DicePokerService/Suggest", "retries": 0,
                "request": list(suggest(name)), "seconds": 0, "channels": 1, "callers": CALLS}
        refused = []
        for _ in range(BURSTS):
            # Nothing was refused in the second before a burst.
            time.sleep(1.2)
            program = Path(__file__).with_name("caller.cjs")
            done = subprocess.run(["node", program, json.dumps(plan)], capture_output=True, text=True, check=True)
            statuses = json.loads(done.stdout)
            refused.append(CALLS - statuses.pop("OK", 0))
        print(f"{name}: refused of {CALLS}: {refused}", *statuses)
