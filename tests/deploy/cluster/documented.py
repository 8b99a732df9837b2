"""The commands of deploy/README.md's section Kubernetes, run as they are typed."""

import os
import re
import shutil
import subprocess
from pathlib import Path

# Commands for other programs, which .ci/image and users run, and the one that needs a container's output.
ELSEWHERE = ("deploy/image.sh ", "kind ", "k3d ", "minikube ", "sudo ctr ", "kubectl -n dicepoker-local logs ")
# kubectl diff exits with 1 where something differs.
DIFFERS = 1


def commands(page):
    """Every line of every block of shell in the section."""
    section = page.split("\n## Kubernetes\n", 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```", section, re.DOTALL | re.MULTILINE)
    return [line.strip() for block in blocks for line in block.splitlines()]


def run(plane, check, root, scratch):
    """Runs them in a folder with a copy of deploy and a certificate, against the control plane."""
    folder = Path(scratch) / "documented"
    shutil.copytree(root / "deploy", folder / "deploy")
    shutil.copy(plane.folder / "api.crt", folder / "tls.crt")
    shutil.copy(plane.folder / "api.key", folder / "tls.key")
    kubectl = folder / "kubectl"
    kubectl.write_text(f'#!/bin/sh\nexec "{plane.program}" kubectl "$@"\n', encoding="utf-8")
    kubectl.chmod(0o755)
    environment = os.environ | {"KUBECONFIG": str(plane.kubeconfig), "PATH": f"{folder}:{os.environ['PATH']}"}
    typed = [line for line in commands((root / "deploy/README.md").read_text(encoding="utf-8"))
             if not line.startswith(ELSEWHERE)]
    check.want(len(typed) > 5, "README: its section Kubernetes has commands", typed)
    for line in typed:
        done = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True,
                              check=False, timeout=300)
        accepted = (0, DIFFERS) if line.startswith("kubectl diff ") else (0,)
        check.want(done.returncode in accepted and "warning" not in done.stderr.lower(),
                   f"README: {line}", done.stderr + done.stdout)
