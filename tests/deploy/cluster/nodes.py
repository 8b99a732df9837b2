"""Stand-ins for kubelets: nodes whose pods run, become ready and end without any container. Pods that are
not restarted succeed."""

import datetime
import json
import ssl
import threading
import time
import urllib.error
import urllib.request

READY_AFTER = 1.0
END_AFTER = 4.0
MERGE, STRATEGIC = "application/merge-patch+json", "application/strategic-merge-patch+json"


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def condition(kind, status):
    return {"type": kind, "status": str(status), "reason": "Test", "lastTransitionTime": now()[:19] + "Z"}


class Nodes(threading.Thread):
    """Nodes by name and zone."""

    def __init__(self, plane, zones, cpu="4", memory="8Gi"):
        super().__init__(daemon=True)
        self.zones = zones
        self.server, self.token = plane.server, plane.token
        self.trust = ssl.create_default_context(cafile=plane.folder / "api.crt")
        self.space = {"cpu": cpu, "memory": memory, "pods": "110"}
        self.bound, self.ending, self.addresses = {}, {}, iter(range(1, 60000))
        self.stopping = threading.Event()
        for name, zone in zones.items():
            labels = {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux"}
            if zone:
                labels["topology.kubernetes.io/zone"] = zone
            self.call("POST", "/api/v1/nodes", {"metadata": {"name": name, "labels": labels}})
            self.heartbeat(name)

    def call(self, method, path, body=None, kind="application/json"):
        request = urllib.request.Request(
            self.server + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": kind})
        try:
            with urllib.request.urlopen(request, context=self.trust, timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code in (404, 409):
                return None
            raise

    def heartbeat(self, name):
        conditions = [condition("Ready", True), condition("MemoryPressure", False), condition("DiskPressure", False)]
        status = {"capacity": self.space, "allocatable": self.space, "conditions": conditions}
        self.call("PATCH", f"/api/v1/nodes/{name}/status", {"status": status}, STRATEGIC)
        leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"
        spec = {"holderIdentity": name, "leaseDurationSeconds": 40, "renewTime": now()}
        if self.call("PATCH", f"{leases}/{name}", {"spec": spec}, MERGE) is None:
            self.call("POST", leases, {"metadata": {"name": name}, "spec": spec})

    def run(self):
        beat = 0.0
        while not self.stopping.wait(0.2):
            try:
                if time.monotonic() - beat > 10:
                    beat = time.monotonic()
                    for name in self.zones:
                        self.heartbeat(name)
                for pod in self.call("GET", "/api/v1/pods")["items"]:
                    if pod["spec"].get("nodeName") in self.zones:
                        self.tend(pod)
            except (urllib.error.URLError, OSError) as error:
                print(f"nodes: {error}", flush=True)

    def tend(self, pod):
        meta, spec, status = pod["metadata"], pod["spec"], pod["status"]
        path = f"/api/v1/namespaces/{meta['namespace']}/pods/{meta['name']}"
        ready = any(c["type"] == "Ready" and c["status"] == "True" for c in status.get("conditions", []))
        if "deletionTimestamp" in meta:
            if time.monotonic() - self.ending.setdefault(meta["uid"], time.monotonic()) > END_AFTER:
                self.call("DELETE", path, {"gracePeriodSeconds": 0})
        elif status.get("phase") == "Succeeded":
            return
        elif status.get("phase") != "Running":
            self.report(path, spec, status, "Running", ready=False)
        elif not ready and time.monotonic() - self.bound.setdefault(meta["uid"], time.monotonic()) > READY_AFTER:
            if spec["restartPolicy"] == "Never":
                self.report(path, spec, status, "Succeeded", ready=False)
            else:
                self.report(path, spec, status, "Running", ready=True)

    def report(self, path, spec, status, phase, ready):
        number = next(self.addresses)
        address = status.get("podIP", f"10.244.{number // 250}.{number % 250 + 1}")
        state = {"running": {"startedAt": now()[:19] + "Z"}}
        if phase == "Succeeded":
            state = {"terminated": {"exitCode": 0, "reason": "Completed", "finishedAt": now()[:19] + "Z"}}
        containers = [{
            "name": c["name"], "image": c["image"], "imageID": c["image"], "ready": ready, "started": True,
            "restartCount": 0, "state": state,
        } for c in spec["containers"]]
        conditions = [condition(kind, value) for kind, value in (
            ("PodScheduled", True), ("Initialized", True), ("ContainersReady", ready), ("Ready", ready))]
        body = {"phase": phase, "podIP": address, "podIPs": [{"ip": address}],
                "startTime": status.get("startTime", now()[:19] + "Z"),
                "conditions": conditions, "containerStatuses": containers}
        self.call("PATCH", path + "/status", {"status": body}, STRATEGIC)

    def stop(self):
        self.stopping.set()
        self.join(20)
        for name in self.zones:
            self.call("DELETE", f"/api/v1/nodes/{name}")
