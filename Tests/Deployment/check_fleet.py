"""Checks that what deploys a fleet with a shared store fits together; a part of `make check-deploy`."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path
from urllib.parse import urlsplit

import kubernetes_validate
import yaml

from fleet import Redis
from manifests import FOLDER, VERSIONS, documents, run
from programs import REPOSITORY, free_ports, workshop

CONFIG = REPOSITORY / "config"
STORE = FOLDER / "shared-store"
OVERLAY = "resources: [../config/kubernetes]\ncomponents: [../config/kubernetes/shared-store]"


class FleetKubernetesTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.all = {(one["kind"], re.sub(r"-[a-z0-9]{10}$", "", one["metadata"]["name"])): one
                   for one in documents(OVERLAY)}
        cls.base = {(one["kind"], one["metadata"]["name"]): one for one in documents("resources: [../config/kubernetes]")}
        cls.deployment = cls.all["Deployment", "larder"]["spec"]["template"]
        cls.redis = cls.all["StatefulSet", "larder-redis"]["spec"]
        cls.container = cls.redis["template"]["spec"]["containers"][0]
        cls.config = yaml.safe_load((STORE / "larder.yaml").read_text())
        cls.store = cls.config["stores"]["shared"]

    def test_everything_has_the_form_that_kubernetes_wants(self):
        for version in VERSIONS:
            for key, document in self.all.items():
                if key[0] != "ServiceMonitor":
                    with self.subTest(key, version=version):
                        kubernetes_validate.validate(document, version, strict=True)

    def test_three_replicas_are_disrupted_and_probed_as_without(self):
        self.assertEqual(self.all["HorizontalPodAutoscaler", "larder"]["spec"]["minReplicas"], 3)
        for kind in ("HorizontalPodAutoscaler", "PodDisruptionBudget", "NetworkPolicy", "Service"):
            self.assertEqual(self.all[kind, "larder"], self.base[kind, "larder"])
        [own], [usual] = (one["spec"]["template"]["spec"]["containers"]
                          for one in (self.all["Deployment", "larder"], self.base["Deployment", "larder"]))
        self.assertEqual(own, usual)

    def test_the_config_takes_the_place_of_the_bases(self):
        self.assertEqual(self.all["ConfigMap", "larder"]["data"],
                         {"larder.yaml": (STORE / "larder.yaml").read_text()})
        usual = yaml.safe_load((FOLDER / "larder.yaml").read_text())
        self.assertEqual([self.config[name] for name in ("http", "admin", "analytics")],
                         [usual[name] for name in ("http", "admin", "analytics")])

    def test_the_config_is_clean(self):
        with tempfile.TemporaryDirectory() as secrets:
            for name in ("token", "admin-token", "redis-password"):
                (Path(secrets) / name).write_text("a-secret\n")
            done = run("env", "LARDER_UPSTREAM=shop.example:443", f"LARDER_DATA={secrets}", f"LARDER_SECRETS={secrets}",
                       os.environ["LARDER"], "check", "--strict", "--config", STORE / "larder.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_store_is_where_the_config_says(self):
        address = urlsplit(self.store["url"])
        service = self.all["Service", address.hostname]["spec"]
        labels = self.redis["template"]["metadata"]["labels"]
        self.assertLessEqual(service["selector"].items(), labels.items())
        [port] = service["ports"]
        ports = {one["name"]: one["containerPort"] for one in self.container["ports"]}
        self.assertEqual(address.port, port["port"])
        listens = re.findall(r"^port (\d+)$", (STORE / "redis.conf").read_text(), re.MULTILINE)
        self.assertEqual([str(ports[port["targetPort"]])], listens)
        self.assertEqual(self.redis["serviceName"], address.hostname)

    def test_the_replicas_alone_reach_it_and_it_reaches_nothing(self):
        labels = {name: one["metadata"]["labels"] for name, one in (
            ("larder", self.deployment), ("redis", self.redis["template"]))}
        there, way = (self.all["NetworkPolicy", name]["spec"] for name in ("larder-redis", "larder-to-redis"))
        for labelled, selector in (
                (labels["redis"], there["podSelector"]), (labels["larder"], there["ingress"][0]["from"][0]["podSelector"]),
                (labels["larder"], way["podSelector"]), (labels["redis"], way["egress"][0]["to"][0]["podSelector"])):
            self.assertLessEqual(selector["matchLabels"].items(), labelled.items())
            self.assertTrue(selector["matchLabels"])
        self.assertEqual((there["policyTypes"], there.get("egress")), (["Ingress", "Egress"], None))
        self.assertEqual([len(there["ingress"]), len(there["ingress"][0]["from"])], [1, 1])
        self.assertEqual(way["egress"][0]["ports"], [{"port": urlsplit(self.store["url"]).port, "protocol": "TCP"}])

    def test_both_have_one_password(self):
        volumes = {one["name"]: one for one in self.deployment["spec"]["volumes"]}
        sources = [one["secret"] for one in volumes["secrets"]["projected"]["sources"]]
        [_, item] = [one for source in sources for one in source.get("items", [])]
        self.assertEqual(self.store["password_file"], "${LARDER_SECRETS}/" + item["path"])
        [secret] = [one["secret"]["secretName"] for one in self.redis["template"]["spec"]["volumes"] if "secret" in one]
        self.assertEqual([one["name"] for one in sources], ["larder-upstream", "larder-admin", secret])
        self.assertIn(f"/{item['key']})", (STORE / "start.sh").read_text())

    def test_redis_has_no_right_that_it_does_not_need(self):
        pod = self.redis["template"]["spec"]
        self.assertEqual(self.container["securityContext"], {
            "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}})
        self.assertTrue(pod["securityContext"]["runAsNonRoot"])
        self.assertFalse(pod["automountServiceAccountToken"])


class FleetRedisTests(unittest.TestCase):
    """Starts a server by the files that are deployed."""

    def test_the_user_may_touch_what_is_larders_alone(self):
        with workshop("check") as programs:
            redis = Redis(programs, *free_ports(1), "s3cret")
            redis.start()
            for words, start in (
                    (["set", "larder:1:{x}:current", "1"], "OK"), (["publish", "larder:1:{x}:announce", "1"], "0"),
                    (["eval", "return redis.call('TIME')", "0"], "1"), (["pubsub", "numsub", "larder:x"], "larder:x"),
                    (["info", "memory"], "# Memory"), (["set", "other", "1"], "NOPERM"),
                    (["publish", "other", "1"], "NOPERM"), (["flushall"], "NOPERM"), (["keys", "*"], "NOPERM"),
                    (["config", "get", "*"], "NOPERM"), (["acl", "list"], "NOPERM"),
                    (["client", "pause", "9"], "NOPERM"), (["client", "kill", "type", "normal"], "NOPERM")):
                with self.subTest(words):
                    self.assertEqual(redis.ask(*words)[:len(start)], start)
            memory = redis.ask("info", "memory")
            self.assertRegex(memory, r"maxmemory:134217728\b")
            self.assertIn("maxmemory_policy:noeviction", memory)
            self.assertIn("aof_enabled:1", redis.ask("info", "persistence"))
            alive = yaml.safe_load_all((STORE / "redis.yaml").read_text().replace("valkey-cli", "redis-cli").replace(
                "/run/redis", str(redis.folder)))
            [probe] = [one["spec"]["template"]["spec"]["containers"][0]["livenessProbe"]["exec"]["command"]
                       for one in alive if one["kind"] == "StatefulSet"]
            self.assertEqual(subprocess.run(probe, check=False).returncode, 0)
            redis.pause()
            self.assertNotEqual(subprocess.run(probe, check=False).returncode, 0)
            redis.resume()


class FleetComposeTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.services = yaml.safe_load((CONFIG / "compose.yaml").read_text())["services"]
        cls.fleet = {name: one for name, one in cls.services.items() if "fleet" in one.get("profiles", [])}
        cls.replicas = [name for name in cls.fleet if name.startswith("larder-")]

    def test_three_replicas_are_behind_the_proxy(self):
        self.assertEqual(len(self.replicas), 3)
        variables = self.fleet["haproxy"]["environment"]
        self.assertEqual({variables[f"LARDER_{number}"] for number in (1, 2, 3)},
                         {f"{name}:8080" for name in self.replicas})

    def test_nothing_but_the_proxy_is_reached_from_outside(self):
        for name, service in self.fleet.items():
            for port in service.get("ports", []):
                with self.subTest(name, port=port):
                    self.assertTrue(name == "haproxy" or port.startswith("127.0.0.1:"))
        self.assertNotIn("ports", self.fleet["redis"])
        self.assertNotIn("9090", (CONFIG / "haproxy.cfg").read_text())

    def test_what_is_mounted_is_there(self):
        for service in self.fleet.values():
            for path in re.findall(r"^(\./[^:]+):", "\n".join(service.get("volumes", [])), re.MULTILINE):
                self.assertTrue((CONFIG / path).is_file(), path)

    def test_no_service_has_a_right_that_it_does_not_need(self):
        for name, service in self.services.items():
            with self.subTest(name):
                self.assertEqual((service["read_only"], service["cap_drop"]), (True, ["ALL"]))

    def test_haproxy_understands_its_config(self):
        variables = {"LARDER_LISTEN": "127.0.0.1:8080"} | {
            f"LARDER_{number}": f"127.0.0.1:{number}" for number in (1, 2, 3)}
        done = run("env", *(f"{name}={value}" for name, value in variables.items()),
                   "haproxy", "-c", "-f", CONFIG / "haproxy.cfg")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
