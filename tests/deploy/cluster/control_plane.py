"""A Kubernetes control plane on loopback: etcd, API server, controllers and scheduler, without nodes."""

import contextlib
import os
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

ADMISSION = """apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
  - name: PodSecurity
    configuration:
      apiVersion: pod-security.admission.config.k8s.io/v1
      kind: PodSecurityConfiguration
      defaults: {enforce: restricted, enforce-version: latest, warn: restricted, warn-version: latest}
"""

# The API server only stores these kinds; tests/deploy/tools/crds checks their fields.
CUSTOM_KINDS = [
    ("monitoring.coreos.com", "v1", "ServiceMonitor", "servicemonitors"),
    ("monitoring.coreos.com", "v1", "PrometheusRule", "prometheusrules"),
    ("gateway.networking.k8s.io", "v1", "GRPCRoute", "grpcroutes"),
    ("cert-manager.io", "v1", "Issuer", "issuers"),
    ("cert-manager.io", "v1", "Certificate", "certificates"),
]

CUSTOM_RESOURCE = """---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: {plural}.{group}
  annotations: {{api-approved.kubernetes.io: "unapproved, for tests"}}
spec:
  group: {group}
  scope: Namespaced
  names: {{kind: {kind}, plural: {plural}}}
  versions:
    - name: {version}
      served: true
      storage: true
      schema: {{openAPIV3Schema: {{type: object, x-kubernetes-preserve-unknown-fields: true}}}}
"""


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class ControlPlane:
    """The running programs; use it as a context manager."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = Path(folder)
        self.token = os.urandom(16).hex()
        self.etcd, self.etcd_peer, self.api = free_ports(3)
        self.server = f"https://127.0.0.1:{self.api}"
        self.kubeconfig = self.folder / "kubeconfig"
        self.processes = []

    def __enter__(self):
        try:
            self.certificates()
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def certificates(self):
        def openssl(*arguments):
            subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)

        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "api.key", "-out", "api.crt")
        openssl("genrsa", "-out", "accounts.key", "2048")
        self.file("admission.yaml", ADMISSION)
        self.file("tokens.csv", f'{self.token},admin,admin,"system:masters"\n')
        self.file("kubeconfig", f"""apiVersion: v1
kind: Config
current-context: test
contexts: [{{name: test, context: {{cluster: test, user: admin}}}}]
clusters: [{{name: test, cluster: {{server: "{self.server}", certificate-authority: {self.folder}/api.crt}}}}]
users: [{{name: admin, user: {{token: {self.token}}}}}]
""")

    def run(self, name, **flags):
        words = [f"--{word.replace('_', '-')}={value}" for word, value in flags.items()]
        log = open(self.folder / f"{name}.log", "wb")
        self.processes.append(subprocess.Popen(
            ["nice", self.program, name, *words], cwd=self.folder, stdout=log, stderr=log))

    def start(self):
        etcd, peer = f"http://127.0.0.1:{self.etcd}", f"http://127.0.0.1:{self.etcd_peer}"
        self.run("etcd", data_dir="etcd", unsafe_no_fsync="true", listen_client_urls=etcd, advertise_client_urls=etcd,
                 listen_peer_urls=peer, initial_advertise_peer_urls=peer, initial_cluster=f"default={peer}")
        self.run("kube-apiserver", etcd_servers=etcd, bind_address="127.0.0.1", secure_port=self.api,
                 endpoint_reconciler_type="none", tls_cert_file="api.crt", tls_private_key_file="api.key",
                 token_auth_file="tokens.csv", authorization_mode="RBAC", service_cluster_ip_range="10.96.0.0/16",
                 service_account_key_file="accounts.key", service_account_signing_key_file="accounts.key",
                 service_account_issuer="https://kubernetes.default.svc",
                 admission_control_config_file="admission.yaml", allow_privileged="false")
        self.wait_ready()
        self.run("kube-controller-manager", kubeconfig="kubeconfig", leader_elect="false", secure_port="0",
                 service_account_private_key_file="accounts.key", root_ca_file="api.crt",
                 controllers="*,-nodeipam,-cloud-node-lifecycle")
        self.run("kube-scheduler", kubeconfig="kubeconfig", leader_elect="false", secure_port="0")
        kinds = [dict(zip(("group", "version", "kind", "plural"), kind)) for kind in CUSTOM_KINDS]
        definitions = self.file("kinds.yaml", "".join(CUSTOM_RESOURCE.format(**kind) for kind in kinds))
        self.kubectl("apply", "-f", definitions)
        self.kubectl("wait", "--for=condition=Established", "--timeout=60s", "-f", definitions)

    def wait_ready(self):
        trust = ssl.create_default_context(cafile=self.folder / "api.crt")
        request = urllib.request.Request(f"{self.server}/readyz", headers={"Authorization": f"Bearer {self.token}"})
        end = time.monotonic() + 120
        while True:
            try:
                with urllib.request.urlopen(request, context=trust, timeout=5):
                    return
            except (urllib.error.URLError, OSError) as error:
                ended = [process.args[2] for process in self.processes if process.poll() is not None]
                if ended or time.monotonic() > end:
                    raise SystemExit(f"no API server: {error}; ended: {ended}; logs in {self.folder}") from error
            time.sleep(0.5)

    def kubectl(self, *arguments, check=True, stdin=None):
        """Runs kubectl; returns its exit code, output and errors."""
        done = subprocess.run(
            [self.program, "kubectl", "--kubeconfig", str(self.kubeconfig), *map(str, arguments)],
            input=stdin, capture_output=True, text=True, check=False, timeout=300)
        if check and done.returncode:
            raise SystemExit(f"kubectl {' '.join(map(str, arguments))}: {done.stderr}{done.stdout}")
        return done

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
