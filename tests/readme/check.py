#!/usr/bin/env python3
"""Runs every grpcurl example of a page against a real server and compares the answers.

An example is a fenced `sh` block with one grpcurl command to localhost:50051, followed by a fenced
`jsonc` block with its answer. In the answer `//` starts a comment; an object may leave fields out, and
a list may end early. Of a stream the last message counts. Numbers with a fraction are compared to six
digits, everything else exactly. Needs only the standard library, and grpcurl on the PATH.
"""

import argparse
import json
import math
import re
import shlex
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from server import Server

BLOCKS = re.compile(r"```sh\n(?P<command>grpcurl .*?)\n```\s*```jsonc\n(?P<answer>.*?)\n```", re.S)
COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*')


def without_comments(text):
    text = COMMENT.sub(lambda match: match.group(1) or "", text)
    # A list or object that a comment shortens may end with a comma.
    return re.sub(r",(\s*[\]}])", r"\1", text)


def differences(expected, got, path="answer"):
    if isinstance(expected, dict) and isinstance(got, dict):
        for key, value in expected.items():
            if key not in got:
                yield f"{path}.{key}: {value!r} is not in the answer"
            else:
                yield from differences(value, got[key], f"{path}.{key}")
    elif isinstance(expected, list) and isinstance(got, list):
        if len(expected) > len(got):
            yield f"{path}: expected {len(expected)} elements, got {len(got)}"
        for i, (one, other) in enumerate(zip(expected, got)):
            yield from differences(one, other, f"{path}[{i}]")
    elif isinstance(expected, float) and isinstance(got, (int, float)):
        if not math.isclose(expected, got, rel_tol=1e-6):
            yield f"{path}: expected {expected}, got {got}"
    elif expected != got:
        yield f"{path}: expected {expected!r}, got {got!r}"


def last(text):
    """The last message of an answer; a stream has several."""
    decoder, at = json.JSONDecoder(), 0
    while at < len(text.rstrip()):
        message, at = decoder.raw_decode(text, at)
        at += len(text[at:]) - len(text[at:].lstrip())
    return message


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True, help="the server program to start")
    parser.add_argument("pages", nargs="+")
    arguments = parser.parse_args()
    failed = passed = 0
    # The pages' rulesets with the tables for objectives and explanations, so that answers are final.
    tables = ["--solve-at-start", "dice-poker-13,yahtzee,objectives"]
    with Server(arguments.server, *tables) as server:
        for page in arguments.pages:
            with open(page, encoding="utf-8") as file:
                text = file.read()
            for example in BLOCKS.finditer(text):
                command = shlex.split(example["command"].replace("\\\n", " "))
                command = [word.replace("localhost:50051", server.address) for word in command]
                expected = json.loads(without_comments(example["answer"]))
                run = subprocess.run(command, capture_output=True, text=True)
                if run.returncode != 0:
                    problems = [run.stderr.strip()]
                else:
                    problems = list(differences(expected, last(run.stdout)))
                print(f"{'ok' if not problems else 'FAILED'}: {page}: {command[-1]}")
                for problem in problems:
                    print(f"  {problem}")
                failed += bool(problems)
                passed += not problems
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
