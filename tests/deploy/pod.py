#!/usr/bin/env python3
"""Converts the rendered base to a Pod that podman can run on this machine, without a cluster.

Everything stays as the Deployment has it, but for what a single machine lacks: the network is the
machine's own, so the addresses become loopback ones on free ports; the image is the one built here;
probes, spreading and the sleep of preStop are the cluster's business and are left out.
"""

import argparse
import sys

import yaml

LEFT_OUT = ("startupProbe", "readinessProbe", "livenessProbe", "lifecycle")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--admin-port", type=int, required=True)
    parser.add_argument("--image", required=True)
    parser.add_argument("rendered")
    arguments = parser.parse_args()
    with open(arguments.rendered, encoding="utf-8") as file:
        documents = [document for document in yaml.safe_load_all(file) if document]
    deployment, = [d for d in documents if d["kind"] == "Deployment" and d["metadata"]["name"] == "dicepoker"]
    settings, = [d for d in documents if d["kind"] == "ConfigMap" and d["metadata"]["name"].startswith("dicepoker-settings")]
    settings["data"]["DICEPOKER_ADDRESS"] = f"127.0.0.1:{arguments.port}"
    settings["data"]["DICEPOKER_ADMIN_ADDRESS"] = f"127.0.0.1:{arguments.admin_port}"
    template = deployment["spec"]["template"]
    spec = template["spec"]
    del spec["topologySpreadConstraints"], spec["serviceAccountName"]
    spec["hostNetwork"] = True
    # A stopped container must not be restarted.
    spec["restartPolicy"] = "Never"
    container, = spec["containers"]
    for key in LEFT_OUT:
        del container[key]
    container["image"] = arguments.image
    # Limits need control groups, which nested containers may not have.
    del container["resources"]
    # podman maps no ports in the network of the host.
    del container["ports"]
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "dicepoker", "labels": template["metadata"]["labels"]},
        "spec": spec,
    }
    # podman takes ConfigMaps from the same stream.
    yaml.safe_dump_all([settings, pod], sys.stdout, sort_keys=False)


if __name__ == "__main__":
    main()
