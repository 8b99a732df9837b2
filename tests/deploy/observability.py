#!/usr/bin/env python3
"""Checks dashboard and alerts: they are valid, and the server has their metrics.

With `--server` it starts a server, calls it, and reads its /metrics page, which must have each metric and
label that a rule or panel names. Metrics of Kubernetes and Prometheus are recognised by their prefixes.
"""

import argparse
import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).parents[1]))
from server import Server

ROOT = Path(__file__).parents[2]
OBSERVABILITY = ROOT / "deploy/observability"
FOREIGN = ("kube_", "container_", "up")
# Labels and metrics that scraping in Kubernetes adds.
ADDED_LABELS = {"namespace", "pod", "job", "le"}
OURS = re.compile(r"\b(?:rpc|dicepoker)_[a-z0-9_]+\b(?:\{([^}]*)\})?")
LABEL = re.compile(r"([a-z_]+)\s*(?:=~|!=|!~|=)")
BY = re.compile(r"\b(?:by|on|ignoring)\s*\(([^)]*)\)")


def alert_rules():
    groups = yaml.safe_load((OBSERVABILITY / "alerts.yaml").read_text(encoding="utf-8"))["groups"]
    return groups, [rule for group in groups for rule in group["rules"]]


def check_alerts(want):
    groups, rules = alert_rules()
    names = [rule["alert"] for rule in rules if "alert" in rule]
    want(len(names) == len(set(names)), "alerts: names are used twice")
    for rule in rules:
        if "alert" in rule:
            name = rule["alert"]
            want(rule.get("annotations", {}).get("runbook", "").strip(), f"{name}: no runbook")
            want(rule.get("annotations", {}).get("summary"), f"{name}: no summary")
            want(rule.get("labels", {}).get("severity") in ("page", "ticket"), f"{name}: severity")
            want("for" in rule, f"{name}: fires at the first blink")
    operator = ROOT / "deploy/kubernetes/components/alerts/prometheusrule.yaml"
    resource = yaml.safe_load(operator.read_text(encoding="utf-8"))
    want(resource["spec"]["groups"] == groups, "components/alerts differs from observability/alerts.yaml")


def dashboard():
    return json.loads((OBSERVABILITY / "dashboard/dicepoker.json").read_text(encoding="utf-8"))


def check_dashboard(want):
    board = dashboard()
    panels = board["panels"]
    ids = [panel["id"] for panel in panels]
    want(len(ids) == len(set(ids)), "dashboard: ids are used twice")
    variables = {variable["name"] for variable in board["templating"]["list"]} | {"__rate_interval"}
    taken = {}
    for panel in panels:
        title = panel["title"]
        place = panel["gridPos"]
        want(place["x"] + place["w"] <= 24, f"dashboard: {title} is wider than the page")
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                other = taken.setdefault((x, y), title)
                if other != title:
                    want(False, f"dashboard: {title} lies on {other}")
        if panel["type"] == "row":
            continue
        want(panel.get("description"), f"dashboard: {title} explains nothing")
        want(panel["fieldConfig"]["defaults"].get("unit"), f"dashboard: {title} has no unit")
        want(panel["datasource"]["uid"] == "${datasource}", f"dashboard: {title}: a data source of its own")
        want(panel["targets"], f"dashboard: {title} shows nothing")
        for target in panel["targets"]:
            for variable in re.findall(r"\$([a-z_]+)", target["expr"]):
                want(variable in variables, f"dashboard: {title}: no variable ${variable}")


def queries():
    for rule in alert_rules()[1]:
        yield rule.get("alert", rule.get("record")), rule["expr"]
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"]
    adapter = yaml.safe_load((OBSERVABILITY / "prometheus-adapter.yaml").read_text(encoding="utf-8"))
    for rule in adapter["rules"]:
        yield "prometheus-adapter", rule["seriesQuery"]


def panels_as_rules():
    """The dashboard's queries as a file of rules, for promtool to read."""
    rules = []
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", []):
            expression = target["expr"].replace("$__rate_interval", "5m")
            rules.append({"record": f"panel:{panel['id']}:{target['refId']}", "expr": expression})
    return yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]})


def scrape(program):
    """The metrics page of a running server after a few calls, or None if it has none."""
    flags = ["--solve-at-start", "dice-poker-13", "--rate-per-second", "1", "--rate-burst", "1"]
    with Server(program, *flags) as server:
        # An answer, mistakes, a refusal by the rate limit, a failure (no such method).
        for method, request in (
            ("Score", '{"ruleset": "dice-poker-13", "dice": [1, 3, 2, 4, 4]}'),
            ("Score", '{"ruleset": "dice-poker-13", "dice": [7]}'),
            ("Score", '{"ruleset": "dice-poker-13", "dice": [1, 3, 2, 4, 4]}'),
        ):
            subprocess.run(["grpcurl", "-plaintext", "-d", request, server.address,
                            f"dicepoker.v1.DicePokerService/{method}"], capture_output=True, check=False, timeout=30)
        # grpcurl would ask reflection first, and not send an unknown method.
        subprocess.run(["curl", "-s", "--http2-prior-knowledge", "-m", "5", "-H", "content-type: application/grpc",
                        "-H", "te: trailers", "--data-binary", "@-", f"http://{server.address}/x.Y/Z"],
                       input=b"\0\0\0\0\0", capture_output=True, check=False)
        try:
            with urllib.request.urlopen(f"http://{server.admin}/metrics", timeout=5) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError:
            return None


def check_metrics(want, page):
    there, labels = set(), {}
    for line in page.splitlines():
        match = re.match(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ", line)
        if match and not line.startswith("#"):
            there.add(match[1])
            labels.setdefault(match[1], set()).update(re.findall(r'([a-zA-Z_]+)="', match[2] or ""))
    every_label = set().union(*labels.values()) | ADDED_LABELS
    for where, query in queries():
        for match in OURS.finditer(query):
            name = re.match(r"[a-z0-9_]+", match[0])[0]
            if name in every_label:
                continue
            want(name in there, f"{where}: the server has no metric {name}")
            known = labels.get(name, set()) | ADDED_LABELS | {"error_type"}
            for label in LABEL.findall(match[1] or ""):
                want(label in known, f"{where}: {name} has no label {label}")
        for names in BY.findall(query):
            for label in filter(None, map(str.strip, names.split(","))):
                want(label in every_label | {"error_type", "severity"}, f"{where}: nothing has the label {label}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", help="a dicepoker-server whose /metrics are read")
    parser.add_argument("--panels", type=Path, help="write the dashboard's queries to this file, as rules")
    arguments = parser.parse_args()
    if arguments.panels:
        arguments.panels.write_text(panels_as_rules(), encoding="utf-8")
    counts = {True: 0, False: 0}

    def want(good, fault):
        counts[bool(good)] += 1
        if not good:
            print(fault)

    check_alerts(want)
    check_dashboard(want)
    page = scrape(arguments.server) if arguments.server else None
    if page:
        check_metrics(want, page)
    else:
        print("!! SKIPPED: metrics against a server: " + ("it serves no /metrics" if arguments.server else "none given"))
    print(f"observability: {counts[True]} passed, {counts[False]} failed")
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main())
