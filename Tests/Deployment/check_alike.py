"""Checks that manifests, chart and Debian package deploy the same service: a part of `make check-deploy`."""

import os
import re
import sys
import tempfile
import unittest
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import yaml
from check_chart import BASE, differences, rendered
from check_deploy import seconds
from manifests import documents, run
from programs import HERE, REPOSITORY

sys.path.append(str(HERE / "Packages"))
from package import CONFFILES, unit  # noqa: E402

MAY_DIFFER = {
    r"\.admin\.listen": "a pod is reached by Prometheus and the kubelet, a machine's port for operators by itself alone",
    r"\.admin\.token_file": "where the platform lays it",
    r"\.http\.drain": "said in the pod's config, the default on a machine: compared as numbers",
    r"\.stores\.disk\.(directory|keep|keep_for|max_bytes)": "a pod's disk is small and goes with it",
    r"\.analytics\.events\.(type|path)": "a cluster collects logs, a machine keeps files",
    r"\.providers\.storefront\.refresh": "in a pod without requests too, for the alerts",
    r"\.providers\.remote.*\.request\.base_url": "the scheme is the operator's on a machine, https in a pod",
    r"\.providers\.remote.*\.auth": "the pod's secret is asked for, a machine's upstream may want none",
}
"""What the configs may differ in, and why."""
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True)
class Deployed:
    """What a way of deploying gives to the process, in words that all ways have."""

    ports: dict[str, int]
    delay: float
    deadline: float
    """From the first notice to the end of the process by itself."""
    patience: float
    """From SIGTERM to SIGKILL."""
    memory: int
    config: str
    data: str
    token: str
    """The name of the file with the token of orders."""
    is_root: bool
    is_root_read_only: bool
    may_gain_privileges: bool
    capabilities: str
    is_filtered: bool
    """Whether system calls are."""


def bytes_of(quantity: str) -> int:
    number, suffix = re.fullmatch(r"(\d+)([KMG]?)i?", quantity).groups()
    return int(number) * UNITS[suffix]


def drained(config: dict) -> tuple[float, float]:
    """The delay and the deadline, with their defaults."""
    drain = {"delay": "5s", "deadline": "20s"} | config.get("http", {}).get("drain", {})
    return seconds(drain["delay"]), seconds(drain["deadline"])


def environment() -> dict[str, str]:
    """The variables that the image sets."""
    words = re.findall(r"^ENV (.+)$", (REPOSITORY / "Dockerfile").read_text(), re.MULTILINE)
    return dict(word.split("=", 1) for line in words for word in line.split())


def in_cluster(found: list[dict]) -> Deployed:
    """By manifests, in the image of the Dockerfile."""
    [pod] = [one["spec"]["template"]["spec"] for one in found if one["kind"] == "Deployment"]
    [text] = [one["data"]["larder.yaml"] for one in found if one["kind"] == "ConfigMap"]
    [container], config = pod["containers"], yaml.safe_load(text)
    mounts = {one["mountPath"]: one for one in container["volumeMounts"]}
    rights, variables = container["securityContext"], environment()
    assert mounts.keys() >= {str(Path(variables["LARDER_CONFIG"]).parent), variables["LARDER_DATA"]}
    assert [path for path, mount in mounts.items() if not mount.get("readOnly")] == [variables["LARDER_DATA"]]
    delay, deadline = drained(config)
    return Deployed(
        ports={one["name"]: one["containerPort"] for one in container["ports"]}, delay=delay, deadline=deadline,
        patience=pod["terminationGracePeriodSeconds"] - container["lifecycle"]["preStop"]["sleep"]["seconds"],
        memory=bytes_of(container["resources"]["limits"]["memory"]), config=variables["LARDER_CONFIG"],
        data=variables["LARDER_DATA"], token=Path(config["admin"]["token_file"]).name,
        is_root=not pod["securityContext"]["runAsNonRoot"], is_root_read_only=rights["readOnlyRootFilesystem"],
        may_gain_privileges=rights["allowPrivilegeEscalation"],
        capabilities="" if rights["capabilities"] == {"drop": ["ALL"]} else str(rights["capabilities"]),
        is_filtered=pod["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault")


def on_machine(text: str, config: dict) -> Deployed:
    """By the unit and the config of the Debian package."""
    lines = [line.partition("=") for line in text.splitlines() if line and line[0] not in "#["]
    values = {name: [value for other, _, value in lines if other == name] for name, _, _ in lines}
    variables = dict(word.split("=", 1) for line in values["Environment"] for word in line.split())
    own = {name: re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", config[name]["listen"]) for name in ("http", "admin")}
    delay, deadline = drained(config)
    return Deployed(
        ports={name: int(listen.rpartition(":")[2]) for name, listen in own.items()}, delay=delay, deadline=deadline,
        patience=seconds(*values["TimeoutStopSec"]), memory=bytes_of(*values["MemoryMax"]), config=variables["LARDER_CONFIG"],
        data=variables["LARDER_DATA"].replace("%S", "/var/lib"), token=Path(variables["LARDER_ADMIN_TOKEN_FILE"]).name,
        is_root=values["DynamicUser"] != ["yes"], is_root_read_only=values["ProtectSystem"] == ["strict"],
        may_gain_privileges=values["NoNewPrivileges"] != ["yes"], capabilities=" ".join(values["CapabilityBoundingSet"]),
        is_filtered="@system-service" in values["SystemCallFilter"])


def expanded(text: str) -> dict:
    """A config with the whole graph in place of a shop."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("token", "admin-token"):
            (Path(folder) / name).write_text("a-token\n")
        (Path(folder) / "larder.yaml").write_text(text)
        done = run("env", "LARDER_UPSTREAM=shop.example:8443", f"LARDER_SECRETS={folder}", f"LARDER_DATA={folder}",
                   os.environ["LARDER"], "config", "expand", "--config", Path(folder) / "larder.yaml")
    assert done.returncode == 0, done.stderr
    # On a machine systemd may hold the port.
    return yaml.safe_load(re.sub(r"\$\{LARDER_LISTEN:-([^}]*)\}", r"\1", done.stdout))


def unlike(one: dict, other: dict) -> list[str]:
    """The differences of two configs that are not allowed."""
    return [found for found in differences(one, other) if not re.match(rf"({'|'.join(MAY_DIFFER)})\b", found)]


class AlikeTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.manifests = documents(BASE)
        cls.cluster = in_cluster(cls.manifests)
        cls.text = CONFFILES["/etc/larder/larder.yaml"].read_text()
        cls.pods_text = (REPOSITORY / "config" / "kubernetes" / "larder.yaml").read_text()
        cls.machine = on_machine(unit(), yaml.safe_load(cls.text))

    def test_manifests_chart_and_package_deploy_the_same(self):
        self.assertEqual(asdict(self.cluster), asdict(in_cluster(rendered())))
        self.assertEqual(asdict(self.cluster), asdict(self.machine))

    def test_it_stops_by_itself_and_has_no_rights(self):
        self.assertGreater(self.cluster.patience, self.cluster.deadline)
        self.assertEqual(self.cluster, replace(self.cluster, is_root=False, is_root_read_only=True, may_gain_privileges=False,
                                               capabilities="", is_filtered=True))

    def test_the_graphs_differ_in_what_they_have_to_alone(self):
        pods, machines = expanded(self.pods_text), expanded(self.text)
        self.assertEqual(unlike(pods, machines), [])
        found = differences(pods, machines)
        for place in MAY_DIFFER:
            self.assertTrue(any(re.match(place, one) for one in found), f"nothing differs at {place}")

    def test_a_difference_is_found(self):
        for old, new in (("TimeoutStopSec=25s", "TimeoutStopSec=26s"), ("MemoryMax=256M", "MemoryMax=255M"),
                         ("DynamicUser=yes", "DynamicUser=no"), ("ProtectSystem=strict", "ProtectSystem=full"),
                         ("NoNewPrivileges=yes", "NoNewPrivileges=no"), ("=%d/admin-token", "=%d/token"),
                         ("CapabilityBoundingSet=", "CapabilityBoundingSet=CAP_NET_RAW"), ("%S/larder", "%S/shop"),
                         ("@system-service", "@basic-io"), ("/etc/larder/larder.yaml", "/etc/larder.yaml")):
            with self.subTest(new):
                self.assertIn(old, unit())
                self.assertNotEqual(on_machine(unit().replace(old, new), yaml.safe_load(self.text)), self.cluster)
        for old, new in ((":8080", ":8081"), (":-127.0.0.1:9090", ":-127.0.0.1:9091"),
                         ("http:\n", "http:\n  drain: { deadline: 21s }\n")):
            with self.subTest(new):
                self.assertIn(old, self.text)
                self.assertNotEqual(on_machine(unit(), yaml.safe_load(self.text.replace(old, new, 1))), self.cluster)
        pods = expanded(self.pods_text)
        for old, new in (("ttl: 30s", "ttl: 31s"), ("fall: 2", "fall: 3"), ("factor: 3", "factor: 4"), (":8080", ":8081")):
            with self.subTest(new):
                self.assertIn(old, self.text)
                self.assertNotEqual(unlike(pods, expanded(self.text.replace(old, new))), [])

    def test_the_probes_of_the_pod_are_those_that_a_machine_answers(self):
        [container] = [one["spec"]["template"]["spec"]["containers"][0] for one in self.manifests if one["kind"] == "Deployment"]
        asked = {container[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "liveness", "readiness")}
        probed = set(re.findall(r'status\((?:unit\.)?port, "(/\w+)"\)', (HERE / "deb.py").read_text()))
        self.assertEqual(asked, probed)


if __name__ == "__main__":
    unittest.main()
