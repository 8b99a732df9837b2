"""A line of the load report from what ghz measured, which is read as JSON; fails if no call was OK."""

import json
import sys

measured = json.load(sys.stdin)
p99 = next((d["latency"] for d in measured["latencyDistribution"] or [] if d["percentage"] == 99), 0)
codes = measured["statusCodeDistribution"] or {}
bad = ", ".join(f"{count} {code}" for code, count in sorted(codes.items()) if code != "OK")
rate, mean = f"{measured['rps']:.0f}", f"{measured['average'] / 1e3:.0f}"
print(f"| {measured['name']} | {rate} | {mean} | {p99 / 1e3:.0f} | {bad or '–'} |")
print(f"{measured['name']:36} {rate:>9}/s  {codes}", file=sys.stderr)
if "OK" not in codes:
    sys.exit(f"{measured['name']}: {measured.get('errorDistribution')}")
