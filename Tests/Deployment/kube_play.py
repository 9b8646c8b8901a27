"""Runs the pod of config/kubernetes by `podman kube play`: `make kube-play`.

What Podman's older versions cannot do is put in other words before: the Deployment becomes its pod, the ports get
numbers, and the secret becomes a config map. Probes need systemd there, so this asks by itself.
"""

import argparse
import shlex
import subprocess
import sys
from pathlib import Path

import yaml

from check_deploy import KubernetesTests
from container import Engine, confined, expect
from manifests import asking_plainly
from programs import Failure, Programs, ask, free_ports, parser, run, set_fault, status, until


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--engine", default="podman", help="for instance \"podman --runtime runc\"")
    arguments.add_argument("--image", default="localhost/larder:test")
    options = arguments.parse_args()
    return run("kube-play", lambda programs: play(programs, options))


def play(programs: Programs, options: argparse.Namespace) -> None:
    upstream, (port, admin) = programs.start_upstream(options.larder), free_ports(2)
    file = programs.folder / "play.yaml"
    file.write_text(yaml.safe_dump_all(documents(options.image, upstream, port, admin)))
    played(options, file, upstream, port, admin)


def documents(image: str, upstream: int, port: int, admin: int) -> list[dict]:
    """The config, a token, and the pod, on ports of the loopback interface."""
    base = KubernetesTests.built("resources: [../config/kubernetes]")
    config, template = base["ConfigMap"], base["Deployment"]["spec"]["template"]
    text = asking_plainly(config["data"]["larder.yaml"])
    config["metadata"]["name"] = f"larder-{port}-config"
    config["data"]["larder.yaml"] = text.replace("[::]:8080", f"127.0.0.1:{port}").replace(
        "[::]:9090", f"127.0.0.1:{admin}")
    [container] = template["spec"]["containers"]
    numbers = {"http": port, "admin": admin}
    for kind in ("startup", "liveness", "readiness"):
        question = container[f"{kind}Probe"]["httpGet"]
        question["port"] = numbers[question["port"]]
    del container["ports"]
    container["image"] = image
    for variable in container["env"]:
        if variable["name"] == "LARDER_UPSTREAM":
            variable["value"] = f"127.0.0.1:{upstream}"
    for volume in template["spec"]["volumes"]:
        if "configMap" in volume:
            volume["configMap"]["name"] = f"larder-{port}-config"
        elif volume.pop("projected", None):
            volume["configMap"] = {"name": f"larder-{port}-token"}
    token = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"larder-{port}-token"},
             "data": {"token": "drill", "admin-token": "drill"}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"larder-{port}"}, "spec": template["spec"]}
    return [config, token, pod]


def played(options: argparse.Namespace, play: Path, upstream: int, port: int, admin: int) -> None:
    podman = shlex.split(options.engine)
    name = f"larder-{port}-larder"
    try:
        done = subprocess.run(
            [*podman, "kube", "play", "--network", "host", play], cwd=play.parent, capture_output=True, text=True,
            check=False)
        if done.returncode:
            raise Failure(done.stderr)
        until(lambda: status(port, "/readyz") == 200, "the pod is ready")
        engine = Engine(argparse.Namespace(engine=options.engine, build="", run_flags="", image=options.image))
        confined(engine, name)
        expect(status(admin, "/livez") == 200 and ask(port, "/products")[0] == 200, "it lives, and serves")
        set_fault(upstream, "down")
        expect(ask(port, "/products")[0] == 200, "it serves without its upstream")
        memory = engine.inspect("container", name)["HostConfig"]["Memory"]
        expect(memory == 256 << 20, "it has the memory of the manifest")
    finally:
        subprocess.run([*podman, "kube", "down", play], capture_output=True, check=False)
        subprocess.run([*podman, "volume", "rm", f"larder-{port}-config", f"larder-{port}-token"], capture_output=True,
                       check=False)


if __name__ == "__main__":
    sys.exit(main())
