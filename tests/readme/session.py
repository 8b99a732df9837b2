#!/usr/bin/env python3
"""Runs the Python program of a page against a running service, and compares the session.

The program is the page's fenced `python` block, the session the `console` block after it that begins
with `$ python`. What follows `> ` at the start of a line there is typed, the rest must be printed.

  session.py --address HOST:PORT --most-lines 30 README.md    by a Python with gRPC and the stubs
"""

import argparse
import re
import subprocess
import sys

PROGRAM = re.compile(r"```python\n(.*?)```", re.S)
SESSION = re.compile(r"```console\n\$ python [^\n]*\n(.*?)```", re.S)
TYPED = re.compile(r"^(\[[^\]]*\]> )(.*)\n", re.M)
PLACE = "localhost:50051"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--address", required=True, help="where the service is")
    parser.add_argument("--most-lines", type=int, help="lines that the program may have")
    parser.add_argument("page")
    arguments = parser.parse_args()
    with open(arguments.page, encoding="utf-8") as file:
        page = file.read()
    program, session = PROGRAM.search(page), SESSION.search(page)
    if not program or not session or PLACE not in program[1]:
        sys.exit(f"FAILED: {arguments.page}: no program of {PLACE} with a session")
    lines = program[1].count("\n")
    if arguments.most_lines and lines > arguments.most_lines:
        sys.exit(f"FAILED: {arguments.page}: the program has {lines} lines")
    typed = "".join(answer + "\n" for _, answer in TYPED.findall(session[1]))
    # What is typed is not printed where it comes from a pipe.
    expected = TYPED.sub(r"\1", session[1])
    text = program[1].replace(PLACE, arguments.address)
    run = subprocess.run(
        [sys.executable, "-c", text], input=typed, capture_output=True, text=True, timeout=120
    )
    if run.returncode != 0 or run.stdout != expected:
        sys.exit(f"FAILED: {arguments.page}: printed\n{run.stdout}{run.stderr}\nexpected\n{expected}")
    print(f"ok: {arguments.page}: a Python program of {lines} lines: {expected.splitlines()[-1]}")


if __name__ == "__main__":
    main()
