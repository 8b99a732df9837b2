#!/usr/bin/env python3
"""Applies the manifests to a real Kubernetes control plane and tests how they behave there.

Every overlay, and every component on the base: admitted by the server without a warning, in force after
one apply, unchanged by the second. On nodes of three zones: the commands of deploy/README.md's section
Kubernetes, word for word; then, with the production overlay, a rollout never has fewer replicas ready than
before, a node can be drained and then another, and a rollout succeeds while a zone is away.

The control plane is built from Go modules (tests/deploy/tools/kubernetes): minutes the first time, cached
afterwards. Exits with 69 if it is not in the cache and --build is not given.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import documented
from control_plane import ControlPlane
from nodes import Nodes

ROOT = Path(__file__).parents[3]
MODULE = ROOT / "tests/deploy/tools/kubernetes"
MANIFESTS = ROOT / "deploy/kubernetes"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "dicepoker-ci/bin"
UNAVAILABLE = 69
NAMESPACE = "dicepoker"
VERSION = "v1.34.4"


def program(build):
    """The control plane's program, or None if it is not in the cache."""
    pins = hashlib.sha256(b"".join((MODULE / name).read_bytes() for name in ("go.mod", "go.sum", "main.go"))).hexdigest()
    path, stamp = CACHE / "kubernetes", CACHE / "kubernetes.pins"
    if path.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == pins:
        return path
    if not build:
        return None
    version = "k8s.io/component-base/version"
    minor = VERSION.split(".")[1]
    values = f"-X {version}.gitVersion={VERSION} -X {version}.gitMajor=1 -X {version}.gitMinor={minor}"
    CACHE.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["nice", "go", "build", "-trimpath", "-gcflags=all=-dwarf=false", "-ldflags", f"-s -w {values}", "-o", path, "."],
        cwd=MODULE, env=os.environ | {"CGO_ENABLED": "0"}, check=True)
    stamp.write_text(pins, encoding="utf-8")
    return path


class Check:
    """Counts what holds and what does not."""

    def __init__(self):
        self.passed, self.failed = 0, 0

    def want(self, good, what, why=""):
        if good:
            self.passed += 1
            print(f"ok: {what}", flush=True)
        else:
            self.failed += 1
            print(f"FAILED: {what}\n{why}", flush=True)
        return good


def renderings(plane, scratch):
    """Name and file of every overlay, and of every component on the base."""
    folders = {path.name: path for path in sorted((MANIFESTS / "overlays").iterdir())}
    for component in sorted((MANIFESTS / "components").iterdir()):
        folder = Path(tempfile.mkdtemp(dir=scratch))
        relative = os.path.relpath(MANIFESTS, folder)
        (folder / "namespace.yaml").write_text(
            (MANIFESTS / "overlays/production/namespace.yaml").read_text(encoding="utf-8"), encoding="utf-8")
        (folder / "kustomization.yaml").write_text(
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: on-base\n"
            f"resources: [{relative}/base, namespace.yaml]\ncomponents: [{relative}/components/{component.name}]\n",
            encoding="utf-8")
        folders[f"base with {component.name}"] = folder
    for name, folder in folders.items():
        rendered = plane.kubectl("kustomize", folder).stdout
        path = Path(scratch) / f"{name.replace(' ', '-')}.yaml"
        path.write_text(rendered, encoding="utf-8")
        yield name, path


def namespace_of(text):
    after = text.split("kind: Namespace\n", 1)[1]
    return next(line.split()[-1] for line in after.splitlines() if line.startswith("  name: "))


def admission(plane, check, scratch):
    for name, path in renderings(plane, scratch):
        namespace = namespace_of(path.read_text(encoding="utf-8"))
        applied = plane.kubectl("apply", "--validate=strict", "-f", path, check=False)
        check.want(not applied.returncode and "warning" not in applied.stderr.lower(),
                   f"{name}: admitted without a warning", applied.stderr + applied.stdout)
        differs = plane.kubectl("diff", "-f", path, check=False)
        check.want(not differs.returncode, f"{name}: nothing differs after one apply", differs.stdout + differs.stderr)
        if name == "local":
            pod = plane.kubectl("apply", "-f", MANIFESTS / "overlays/local/client.yaml", check=False)
            check.want(not pod.returncode and "warning" not in pod.stderr.lower(),
                       "local: the client pod is admitted without a warning", pod.stderr + pod.stdout)
        plane.kubectl("delete", "namespace", namespace, "--timeout=120s")


class Watch(threading.Thread):
    """The fewest replicas that are ready at a time."""

    def __init__(self, nodes):
        super().__init__(daemon=True)
        self.nodes, self.fewest, self.stopping = nodes, 1 << 30, threading.Event()

    def run(self):
        path = f"/apis/discovery.k8s.io/v1/namespaces/{NAMESPACE}/endpointslices"
        while not self.stopping.wait(0.1):
            slices = self.nodes.call("GET", f"{path}?labelSelector=kubernetes.io/service-name%3Ddicepoker-headless")
            ready = sum(e["conditions"].get("ready", False) for s in slices["items"] for e in s.get("endpoints") or [])
            self.fewest = min(self.fewest, ready)

    def result(self):
        self.stopping.set()
        self.join(20)
        return self.fewest


def replicas(plane):
    """Nodes of the ready replicas."""
    found = plane.kubectl("-n", NAMESPACE, "get", "pods", "-l", "app.kubernetes.io/name=dicepoker", "-o", "json")
    return [pod["spec"]["nodeName"] for pod in json.loads(found.stdout)["items"]
            if "deletionTimestamp" not in pod["metadata"]
            and any(c["type"] == "Ready" and c["status"] == "True" for c in pod["status"].get("conditions", []))]


def until(holds, seconds):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.5)
    return True


def rollout(plane, seconds=90):
    plane.kubectl("-n", NAMESPACE, "rollout", "restart", "deployment/dicepoker")
    done = plane.kubectl("-n", NAMESPACE, "rollout", "status", "deployment/dicepoker", f"--timeout={seconds}s", check=False)
    return not done.returncode, done.stdout + done.stderr


def behaviour(plane, check, nodes):
    """Of the production overlay, which the documented commands have applied."""
    drain = ("drain", "--ignore-daemonsets", "--delete-emptydir-data")
    placed = until(lambda: len(replicas(plane)) == 3, 90)
    check.want(placed and len(set(replicas(plane))) == 3, "production: three replicas in three zones", replicas(plane))
    watch = Watch(nodes)
    watch.start()
    done, why = rollout(plane)
    check.want(done, "production: a rollout succeeds on small nodes", why)
    fewest = watch.result()
    check.want(fewest >= 3, "production: a rollout never has fewer than three replicas ready", fewest)
    drained = plane.kubectl(*drain, "--timeout=60s", "node-a", check=False)
    moved = until(lambda: len(replicas(plane)) == 3 and "node-a" not in replicas(plane), 60)
    check.want(moved, "production: the replica of a drained node moves to another", drained.stderr)
    drained = plane.kubectl(*drain, "--timeout=60s", "node-b", check=False)
    check.want(not drained.returncode, "production: a second node can be drained", drained.stderr)
    plane.kubectl("uncordon", "node-b")
    until(lambda: len(replicas(plane)) == 3, 60)
    done, why = rollout(plane)
    check.want(done, "production: a rollout succeeds while a zone is away", why)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", action="store_true", help="build the control plane if it is not in the cache")
    arguments = parser.parse_args()
    path = program(arguments.build)
    if path is None:
        print("the control plane is not in the cache; build it with --build")
        return UNAVAILABLE
    check = Check()
    with tempfile.TemporaryDirectory() as scratch, ControlPlane(path, scratch) as plane:
        admission(plane, check, scratch)
        # Three nodes of two cores, of which the system takes a part.
        nodes = Nodes(plane, {"node-a": "a", "node-b": "b", "node-c": "c"}, cpu="1930m", memory="4Gi")
        nodes.start()
        documented.run(plane, check, ROOT, scratch)
        behaviour(plane, check, nodes)
        nodes.stop()
    print(f"cluster: {check.passed} passed, {check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
