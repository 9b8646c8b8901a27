"""The manifests of config/kubernetes, for checks, and for drills that act as a cluster."""

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import yaml

from programs import REPOSITORY

FOLDER = REPOSITORY / "config" / "kubernetes"
VERSIONS = ("1.30", "1.33", "1.37")
"""The oldest Kubernetes that has `preStop.sleep` switched on, one in between, and the newest whose schema is here."""


def run(*command) -> subprocess.CompletedProcess:
    """Runs a tool of the checks."""
    search = f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}:/usr/sbin"
    return subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=120, check=False,
                          env=os.environ | {"PATH": search})


def documents(kustomization: str) -> list[dict]:
    """The documents that kustomize makes of an overlay beside config/."""
    (REPOSITORY / ".build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=REPOSITORY / ".build") as folder:
        (Path(folder) / "kustomization.yaml").write_text(kustomization.replace("../config", "../../config"))
        done = run("kubectl", "kustomize", folder)
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


@dataclass(frozen=True)
class Probe:
    """A probe with the defaults that Kubernetes has."""

    path: str
    port: str
    period: float
    timeout: float
    failures: int
    successes: int

    @classmethod
    def read(cls, probe: dict) -> "Probe":
        return cls(
            path=probe["httpGet"]["path"], port=probe["httpGet"]["port"], period=probe.get("periodSeconds", 10),
            timeout=probe.get("timeoutSeconds", 1), failures=probe.get("failureThreshold", 3),
            successes=probe.get("successThreshold", 1))


@dataclass(frozen=True)
class PodSpec:
    """The settings by which the kubelet treats a pod of the Deployment."""

    startup: Probe
    liveness: Probe
    readiness: Probe
    pre_stop: float
    grace: float
    min_ready: float

    @classmethod
    def read(cls) -> "PodSpec":
        spec = yaml.safe_load((FOLDER / "deployment.yaml").read_text())["spec"]
        pod = spec["template"]["spec"]
        [container] = pod["containers"]
        return cls(
            startup=Probe.read(container["startupProbe"]), liveness=Probe.read(container["livenessProbe"]),
            readiness=Probe.read(container["readinessProbe"]),
            pre_stop=container["lifecycle"]["preStop"]["sleep"]["seconds"],
            grace=pod["terminationGracePeriodSeconds"], min_ready=spec["minReadySeconds"])


def replicas() -> int:
    """The least number of pods."""
    return yaml.safe_load((FOLDER / "horizontal-pod-autoscaler.yaml").read_text())["spec"]["minReplicas"]


def config(ports: dict[str, int]) -> str:
    """The config of a pod, on these ports of the loopback interface."""
    text = asking_plainly((FOLDER / "larder.yaml").read_text())
    for name, usual in (("http", 8080), ("admin", 9090)):
        text, count = re.subn(rf"0\.0\.0\.0:{usual}\b", f"127.0.0.1:{ports[name]}", text)
        assert count == 1, f"{FOLDER}/larder.yaml has no port {usual}"
    return text


def asking_plainly(config: str) -> str:
    """Changes a config to ask the practice upstream, which speaks no TLS."""
    text, count = re.subn(r"\bhttps://(?=\$\{LARDER_UPSTREAM\})", "http://", config)
    assert count == 1, f"{FOLDER}/larder.yaml does not ask LARDER_UPSTREAM over https"
    return text
