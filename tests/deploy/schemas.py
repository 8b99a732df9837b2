#!/usr/bin/env python3
"""Validates manifests by the schemas of a version of Kubernetes, without unknown fields.

Kinds that Kubernetes does not know are listed; tests/deploy/tools/crds checks them.
"""

import argparse
import sys

import kubernetes_validate
import yaml

CUSTOM = {"GRPCRoute", "ServiceMonitor", "PrometheusRule", "Issuer", "Certificate"}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kubernetes", required=True, help="version, such as 1.34")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    good, wrong = 0, 0
    for path in arguments.files:
        with open(path, encoding="utf-8") as file:
            for manifest in filter(None, yaml.safe_load_all(file)):
                kind = manifest["kind"]
                if kind in CUSTOM:
                    continue
                try:
                    kubernetes_validate.validate(manifest, arguments.kubernetes, strict=True)
                    good += 1
                except kubernetes_validate.ValidationError as error:
                    wrong += 1
                    where = ".".join(map(str, error.path))
                    print(f"{path}: {kind} {manifest['metadata']['name']}: {where}: {error.message}")
    print(f"schemas: {good} passed, {wrong} failed")
    return 1 if wrong or not good else 0


if __name__ == "__main__":
    sys.exit(main())
