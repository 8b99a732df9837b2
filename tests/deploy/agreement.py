#!/usr/bin/env python3
"""Compares the rendered manifests with each other and with the program that they run.

Ports, addresses, probes, settings, grace periods and memory limits are written in several places; the program
reports its own side with `--help`, `--check-config` and `--print-config`.
"""

import argparse
import ipaddress
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

SERVICE = "dicepoker.v1.DicePokerService"
LIVENESS = "liveness"
SPARE_SECONDS = 5
# Bounds of memory, explained in deploy/CAPACITY.md.
PROGRAM_MIB = 64  # with the rulesets that are solved at the start
TABLES_MIB = 800  # of all built-in rulesets, made on first use
HALF_SENT_MIB = 32  # messages that have not arrived whole
KEYS_MIB = 8  # of rulesets in the cache
CONNECTION_KIB = 56
LONG_CALL_COPIES = 4  # a request that waits for long work: its bytes, decoded


def manifests(path):
    with open(path, encoding="utf-8") as file:
        return [manifest for manifest in yaml.safe_load_all(file) if manifest]


def named(documents, kind, pattern="dicepoker"):
    return [m for m in documents if m["kind"] == kind and re.fullmatch(pattern, m["metadata"]["name"])]


class Program:
    """The built server: its settings and their defaults."""

    def __init__(self, path):
        self.path = path
        help_text = self.run("--help")
        self.variables = set(re.findall(r"DICEPOKER_[A-Z_]+", help_text))

    def run(self, *flags, env=None):
        done = subprocess.run(
            [self.path, *flags], env=env or {}, capture_output=True, text=True, check=False, timeout=30
        )
        if done.returncode:
            raise SystemExit(f"{self.path} {' '.join(flags)}: {done.stderr}")
        return done.stdout

    def settings(self, env):
        """The settings in force under `env`, which the program must accept."""
        # Files of Secrets are not here; the settings that name them are checked nevertheless.
        return tomllib.loads(self.run("--print-config", env=env))


class Check:
    """One rendering, and its violations."""

    def __init__(self, name, documents, program):
        self.name = name
        self.documents = documents
        self.program = program
        self.faults = []
        self.checks = 0
        deployment, = named(documents, "Deployment")
        self.pod = deployment["spec"]["template"]["spec"]
        self.container, = self.pod["containers"]
        self.ports = {port["name"]: port["containerPort"] for port in self.container["ports"]}
        settings, = named(documents, "ConfigMap", "dicepoker-settings-.*")
        self.env = settings["data"]
        self.config = program.settings(self.env)

    def want(self, good, fault):
        self.checks += 1
        if not good:
            self.faults.append(f"{self.name}: {fault}")

    def all(self):
        self.settings()
        self.addresses()
        self.probes()
        self.life()
        self.routes()
        self.memory()
        return self

    def settings(self):
        for variable in self.env:
            self.want(variable in self.program.variables, f"{variable} is no setting of the program")
            word = variable.removeprefix("DICEPOKER_").lower().replace("_", "-")
            self.want(
                str(self.config.get(word)) == self.env[variable] or str(self.config.get(word)) == f"{self.env[variable]}.0",
                f"{variable}={self.env[variable]} became {self.config.get(word)!r}",
            )
        injected = [e["name"] for e in self.container.get("env", [])]
        self.want(not injected, f"{injected}: settings belong into the ConfigMap, where they are checked")
        self.want(self.pod["enableServiceLinks"] is False, "enableServiceLinks must be off")

    def addresses(self):
        for setting, port in {"address": "grpc", "admin-address": "admin"}.items():
            host, _, number = self.config[setting].rpartition(":")
            self.want(int(number) == self.ports[port], f"{setting} listens on {number}, port {port} is {self.ports[port]}")
            self.want(ipaddress.ip_address(host.strip("[]")).is_unspecified, f"{setting} {host} is not reachable from outside")

    def probes(self):
        tls = bool(self.config["tls-cert"])
        for kind, service, page in (
            ("startupProbe", LIVENESS, "/livez"),
            ("readinessProbe", SERVICE, "/readyz"),
            ("livenessProbe", LIVENESS, "/livez"),
        ):
            probe = self.container[kind]
            if tls:
                # Kubernetes' gRPC probes speak no TLS.
                self.want("grpc" not in probe, f"{kind}: gRPC cannot work with TLS")
                self.want(probe.get("httpGet") == {"path": page, "port": "admin"}, f"{kind}: {probe.get('httpGet')}")
            else:
                expected = {"port": self.ports["grpc"], "service": service}
                self.want(probe.get("grpc") == expected, f"{kind}: {probe.get('grpc')}, not {expected}")

    def life(self):
        sleep = self.container["lifecycle"]["preStop"]["sleep"]["seconds"]
        drain = self.config["drain-wait-seconds"] + self.config["drain-seconds"]
        grace = self.pod["terminationGracePeriodSeconds"]
        self.want(grace >= sleep + drain + SPARE_SECONDS, f"grace {grace} s, but {sleep} s + {drain} s to end")
        self.want(
            0 < self.config["max-call-seconds"] <= self.config["drain-seconds"],
            "a call may take longer than the drain lets it",
        )
        readiness = self.container["readinessProbe"]
        noticed = readiness["periodSeconds"] * readiness["failureThreshold"]
        self.want(
            noticed <= sleep + self.config["drain-wait-seconds"],
            f"readiness needs {noticed} s to notice; the service drains before",
        )

    def routes(self):
        services = named(self.documents, "Service", "dicepoker.*")
        self.want(len(services) == 2, f"{len(services)} Services")
        labels = {"app.kubernetes.io/name": "dicepoker"}
        for service in services:
            self.want(service["spec"]["selector"] == labels, f"selector {service['spec']['selector']}")
            for port in service["spec"]["ports"]:
                self.want(self.ports.get(port["targetPort"]) == port["port"], f"Service port {port}")
        for route in named(self.documents, "GRPCRoute"):
            for rule in route["spec"]["rules"]:
                for backend in rule["backendRefs"]:
                    self.want(backend["port"] == self.ports["grpc"], f"route to {backend}")
        for monitor in named(self.documents, "ServiceMonitor"):
            selected = monitor["spec"]["selector"]["matchLabels"]
            matching = [s for s in services if selected.items() <= s["metadata"]["labels"].items()]
            self.want(len(matching) == 1, f"the ServiceMonitor finds {len(matching)} Services")
            for endpoint in monitor["spec"]["endpoints"]:
                found = [p for s in matching for p in s["spec"]["ports"] if p["name"] == endpoint["port"]]
                self.want(bool(found), f"the ServiceMonitor scrapes port {endpoint['port']}, which is not there")
        for policy in named(self.documents, "NetworkPolicy", "dicepoker.*"):
            for rule in policy["spec"].get("ingress", []):
                for port in rule.get("ports", []):
                    self.want(port["port"] in self.ports, f"NetworkPolicy {policy['metadata']['name']}: port {port['port']}")
        if self.config["otlp-endpoint"]:
            host, port = self.config["otlp-endpoint"].removeprefix("http://").split(":")
            collectors = named(self.documents, "Service", re.escape(host))
            self.want(
                any(p["port"] == int(port) for c in collectors for p in c["spec"]["ports"]),
                f"no Service for {self.config['otlp-endpoint']}",
            )

    def memory(self):
        limit = self.container["resources"]["limits"]["memory"]
        self.want(limit.endswith("Mi"), f"memory limit {limit}")
        config = self.config
        long_calls = config["long-work-queue"] + config["long-work-threads"]
        parts = {
            "program": PROGRAM_MIB,
            "tables of built-in rulesets": TABLES_MIB,
            "cache": config["cache-mib"] + KEYS_MIB,
            "solving": config["solve-mib"] * config["long-work-threads"],
            "half-sent messages": HALF_SENT_MIB,
            "connections": config["max-connections"] * CONNECTION_KIB / 1024,
            "calls that wait for long work": long_calls * config["max-request-kib"] * LONG_CALL_COPIES / 1024,
        }
        self.want(config["long-work-threads"] > 0, "long-work-threads must be set, for memory to have a bound")
        total = sum(parts.values())
        self.want(total < int(limit[:-2]), f"memory limit {limit}, but the bounds add up to {total:.0f} MiB: {parts}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", required=True, type=os.path.abspath)
    parser.add_argument("rendered", type=Path, help="folder of rendered manifests")
    arguments = parser.parse_args()
    program = Program(arguments.server)
    faults, checks, renderings = [], 0, 0
    for path in sorted(arguments.rendered.glob("*.yaml")):
        documents = manifests(path)
        if named(documents, "Deployment"):
            check = Check(path.stem, documents, program).all()
            faults += check.faults
            checks += check.checks
            renderings += 1
    for fault in faults:
        print(fault)
    print(f"agreement in {renderings} renderings: {checks - len(faults)} passed, {len(faults)} failed")
    return 1 if faults or not renderings else 0


if __name__ == "__main__":
    sys.exit(main())
