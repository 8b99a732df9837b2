"""A line of the load report from what ghz measured, which is read as JSON; fails if no call was OK."""

import json
import sys

told = json.load(sys.stdin)
p99 = next((d["latency"] for d in told["latencyDistribution"] or [] if d["percentage"] == 99), 0)
codes = told["statusCodeDistribution"] or {}
bad = ", ".join(f"{count} {code}" for code, count in sorted(codes.items()) if code != "OK")
rate, mean = f"{told['rps']:.0f}", f"{told['average'] / 1e3:.0f}"
print(f"| {told['name']} | {rate} | {mean} | {p99 / 1e3:.0f} | {bad or '–'} |")
print(f"{told['name']:36} {rate:>9}/s  {codes}", file=sys.stderr)
if "OK" not in codes:
    sys.exit(f"{told['name']}: {told.get('errorDistribution')}")
