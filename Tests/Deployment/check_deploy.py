"""Checks that deployed files fit together and meet their schemas: `make check-deploy`. Starts nothing but a Redis; LARDER
names the program that reads the config."""

import json
import os
import re
import tempfile
import unittest
from pathlib import Path

import kubernetes_validate
import yaml
from cloudcoil.models.prometheus_operator.v1 import PrometheusRule, ServiceMonitor

from check_fleet import FleetComposeTests, FleetKubernetesTests, FleetRedisTests  # noqa: F401, run from here
from manifests import FOLDER as KUBERNETES
from manifests import VERSIONS, documents, run
from metrics import METRICS
from programs import REPOSITORY

CONFIG = REPOSITORY / "config"
PROMETHEUS = CONFIG / "prometheus"
RUNBOOK = (PROMETHEUS / "RUNBOOK.md").read_text()


def seconds(duration: str) -> float:
    number, unit = re.fullmatch(r"(\d+)(ms|s|m)", duration).groups()
    return int(number) * {"ms": 0.001, "s": 1, "m": 60}[unit]


def misshapen(runbook: str) -> list[str]:
    """The entries with more than twelve lines, with a longer line, or without their four parts, and the links to nothing. A
    heading of the second level without text names a group, and is no entry."""
    sections = re.split(r"^(##+) (.*)\n", runbook, flags=re.MULTILINE)
    found = []
    for level, title, text in zip(sections[1::3], sections[2::3], sections[3::3]):
        lines = [line for line in text.split("\n") if line.strip()]
        parts = re.findall(r"^- \*\*(\w+)\.\*\* \S", text, re.MULTILINE)
        is_entry = bool(lines) or level != "##"
        if is_entry and (len(lines) > 12 or max(map(len, lines), default=0) > 120 or parts != ["Sign", "Cause", "Type", "Over"]):
            found.append(title)
    anchors = {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in sections[2::3]}
    return found + [link for link in re.findall(r"\]\(#([^)]*)\)", runbook) if link not in anchors]


class KubernetesTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.base = cls.built("resources: [../config/kubernetes]")
        cls.deployment = cls.base["Deployment"]["spec"]
        cls.pod = cls.deployment["template"]["spec"]
        cls.container = cls.pod["containers"][0]
        cls.ports = {port["name"]: port["containerPort"] for port in cls.container["ports"]}
        cls.config = yaml.safe_load((KUBERNETES / "larder.yaml").read_text())

    @staticmethod
    def built(kustomization: str) -> dict[str, dict]:
        """The documents that kustomize makes of an overlay beside config/, by kind."""
        return {document["kind"]: document for document in documents(kustomization)}

    def test_everything_has_the_form_that_kubernetes_wants(self):
        for version in VERSIONS:
            for kind, document in self.base.items():
                if kind != "ServiceMonitor":
                    with self.subTest(kind, version=version):
                        kubernetes_validate.validate(document, version, strict=True)

    def test_the_service_monitor_has_the_form_that_the_operator_wants(self):
        ServiceMonitor.model_validate(self.base["ServiceMonitor"])
        with self.assertRaises(ValueError):
            ServiceMonitor.model_validate(self.base["ServiceMonitor"] | {"spec": {"endpoints": [{"port": 9090}]}})

    def test_ports_are_those_of_the_config(self):
        listens = {"http": self.config["http"]["listen"], "admin": self.config["admin"]["listen"]}
        self.assertEqual({name: f"[::]:{port}" for name, port in self.ports.items()}, listens)

    def test_what_names_a_port_names_one_that_there_is(self):
        service = {port["name"]: port["targetPort"] for port in self.base["Service"]["spec"]["ports"]}
        probes = [self.container[f"{kind}Probe"]["httpGet"]["port"] for kind in ("startup", "liveness", "readiness")]
        ingress = [port["port"] for rule in self.base["NetworkPolicy"]["spec"]["ingress"] for port in rule["ports"]]
        self.assertLessEqual({*service.values(), *probes, *ingress}, set(self.ports))
        scraped = {endpoint["port"] for endpoint in self.base["ServiceMonitor"]["spec"]["endpoints"]}
        self.assertLessEqual(scraped, set(service))

    def test_everything_selects_the_pods_of_the_deployment(self):
        labels = self.deployment["template"]["metadata"]["labels"]
        selectors = [
            self.deployment["selector"]["matchLabels"], self.base["Service"]["spec"]["selector"],
            self.base["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
            self.base["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"],
            *(one["labelSelector"]["matchLabels"] for one in self.pod["topologySpreadConstraints"])]
        for selector in selectors:
            self.assertLessEqual(selector.items(), labels.items())
        monitored = self.base["ServiceMonitor"]["spec"]["selector"]["matchLabels"]
        self.assertLessEqual(monitored.items(), self.base["Service"]["metadata"]["labels"].items())
        target = self.base["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]
        self.assertEqual((target["kind"], target["name"]), ("Deployment", "larder"))

    def test_a_pod_has_the_time_to_drain(self):
        sleep = self.container["lifecycle"]["preStop"]["sleep"]["seconds"]
        deadline = seconds(self.config["http"]["drain"]["deadline"])
        self.assertGreater(self.pod["terminationGracePeriodSeconds"], sleep + deadline)

    def test_the_pod_may_reach_its_upstream_and_read_its_secret(self):
        variables = {one["name"]: one["value"] for one in self.container["env"]}
        upstream = int(variables["LARDER_UPSTREAM"].rpartition(":")[2])
        allowed = {port["port"] for rule in self.base["NetworkPolicy"]["spec"]["egress"] for port in rule["ports"]}
        self.assertIn(upstream, allowed)
        mounts = {one["mountPath"]: one["name"] for one in self.container["volumeMounts"]}
        self.assertEqual(mounts[variables["LARDER_SECRETS"]], "secrets")
        [volume] = [one["projected"] for one in self.pod["volumes"] if one["name"] == "secrets"]
        files = {item["path"] for source in volume["sources"] for item in source["secret"].get("items", [])}
        self.assertEqual({self.config["admin"]["token_file"]}, {"${LARDER_SECRETS}/" + name for name in files})

    def test_the_pod_has_no_right_that_it_does_not_need(self):
        rights = self.container["securityContext"]
        self.assertEqual(rights, {
            "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}})
        self.assertTrue(self.pod["securityContext"]["runAsNonRoot"])
        self.assertFalse(self.pod["automountServiceAccountToken"])

    def test_the_config_comes_with_a_name_of_its_own(self):
        [name] = [volume["configMap"]["name"] for volume in self.pod["volumes"] if "configMap" in volume]
        self.assertRegex(name, r"^larder-[a-z0-9]{10}$")
        self.assertEqual(name, self.base["ConfigMap"]["metadata"]["name"])

    def test_the_config_is_clean(self):
        self.assertIn("LARDER", os.environ, "it names no program")
        with tempfile.TemporaryDirectory() as secrets:
            for name in ("token", "admin-token"):
                (Path(secrets) / name).write_text("a-token\n")
            done = run("env", "LARDER_UPSTREAM=shop.example:443", f"LARDER_DATA={secrets}", f"LARDER_SECRETS={secrets}",
                       os.environ["LARDER"], "check", "--strict", "--config", KUBERNETES / "larder.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)


class ImageTests(unittest.TestCase):
    MACHINES = r"(?i)\b(x86_64|amd64|aarch64|arm64|i386|[a-z]mmintrin|arm_neon)\b|#if arch\("

    def test_nothing_pins_the_architecture(self):
        sources = [path for path in (REPOSITORY / "Sources").rglob("*") if path.suffix in (".swift", ".c", ".h")]
        for path in [REPOSITORY / "Dockerfile", REPOSITORY / "Package.swift", *sources]:
            self.assertNotRegex(path.read_text(), self.MACHINES, path)
        self.assertRegex((CONFIG / "docker-bake.hcl").read_text(), r'platforms += \["linux/amd64", "linux/arm64"\]')

    def test_a_pinned_architecture_is_found(self):
        for text in ("FROM --platform=linux/amd64 debian", "#include <emmintrin.h>", "#if arch(x86_64)", "lib/x86_64-linux-gnu"):
            self.assertRegex(text, self.MACHINES)

    def test_its_version_is_that_of_the_manifests_chart_and_bake_file(self):
        [version] = re.findall(r"^ARG VERSION=(.+)$", (REPOSITORY / "Dockerfile").read_text(), re.MULTILINE)
        chart = yaml.safe_load((CONFIG / "helm" / "larder" / "Chart.yaml").read_text())
        self.assertEqual((chart["version"], chart["appVersion"]), (version, version))
        [image] = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text())["images"]
        self.assertEqual(image["newTag"], version)
        self.assertIn(f'default = "{version}"', (CONFIG / "docker-bake.hcl").read_text())
        self.assertEqual(run(os.environ["LARDER"], "--version").stdout.strip(), version)


class ComposeTests(unittest.TestCase):
    def test_it_has_the_form_that_compose_wants(self):
        done = run("check-jsonschema", "--builtin-schema", "vendor.compose-spec", CONFIG / "compose.yaml")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_service_has_the_time_to_drain(self):
        service = yaml.safe_load((CONFIG / "compose.yaml").read_text())["services"]["larder"]
        self.assertGreater(seconds(service["stop_grace_period"]), 20)

    def test_orders_take_a_token(self):
        services = yaml.safe_load((CONFIG / "compose.yaml").read_text())["services"]
        larders = [one for one in services.values() if "LARDER_ADMIN" in one.get("environment", {})]
        self.assertGreater(len(larders), 1)
        for one in larders:
            self.assertIn("admin-token", one["secrets"])
            self.assertEqual(one["environment"]["LARDER_ADMIN_TOKEN_FILE"], "/run/secrets/admin-token")


class SystemdTests(unittest.TestCase):
    UNIT = CONFIG / "systemd" / "larder.service"

    def test_systemd_understands_the_units(self):
        with tempfile.TemporaryDirectory() as folder:
            units = [Path(folder) / f"larder.{kind}" for kind in ("service", "socket")]
            for unit in units:
                text = self.UNIT.with_suffix(unit.suffix).read_text()
                unit.write_text(text.replace("/usr/local/bin/larder", "/bin/true"))
            done = run("systemd-analyze", "verify", "--man=no", *units)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_orders_take_a_token(self):
        lines = self.UNIT.read_text().split("\n")
        self.assertIn("LoadCredential=admin-token:/etc/larder/admin-token", lines)
        self.assertIn("Environment=LARDER_ADMIN_TOKEN_FILE=%d/admin-token", lines)

    def test_the_sandbox_is_tight(self):
        done = run("systemd-analyze", "security", "--offline=true", "--threshold=15", self.UNIT)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])

    def test_the_service_has_the_time_to_drain(self):
        [allowed] = re.findall(r"^TimeoutStopSec=(.*)$", self.UNIT.read_text(), re.MULTILINE)
        self.assertGreater(seconds(allowed), 20)


class PrometheusTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rules = yaml.safe_load((PROMETHEUS / "alerts.yaml").read_text())
        cls.alerts = [rule for group in cls.rules["groups"] for rule in group["rules"]]
        cls.tests = yaml.safe_load((PROMETHEUS / "rules_test.yaml").read_text())["tests"]
        cls.dashboard = json.loads((PROMETHEUS / "dashboard.json").read_text())
        cls.panels = [panel for panel in cls.dashboard["panels"] if panel["type"] != "row"]

    def test_the_rules_are_understood(self):
        done = run("promtool", "check", "rules", PROMETHEUS / "alerts.yaml")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_rules_pass_their_tests(self):
        done = run("promtool", "test", "rules", PROMETHEUS / "rules_test.yaml")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_alert_is_shown_to_fire_and_not_to(self):
        cases = [case for test in self.tests for case in test["alert_rule_test"]]
        for alert in self.alerts:
            with self.subTest(alert["alert"]):
                own = [case for case in cases if case["alertname"] == alert["alert"]]
                self.assertTrue(any(case.get("exp_alerts") for case in own))
                series = sum(len(test["input_series"]) for test in self.tests
                             if any(case in own for case in test["alert_rule_test"]))
                self.assertTrue(series > 1 or any(not case.get("exp_alerts") for case in own))

    def test_every_alert_has_its_entry_in_the_runbook(self):
        titles = re.findall(r"^### (Larder\w+)$", RUNBOOK, re.MULTILINE)
        self.assertEqual(titles, [alert["alert"] for alert in self.alerts])
        for alert in self.alerts:
            place = '{{ or $externalLabels.larder_runbook "RUNBOOK.md" }}#' + alert["alert"].lower()
            self.assertEqual(alert["annotations"]["runbook_url"], place)

    def test_every_entry_of_the_runbook_has_its_form(self):
        self.assertEqual(misshapen(RUNBOOK), [])

    def test_an_entry_without_its_form_is_found(self):
        good = "# Runbook\n\n## Alerts\n\n### Down\n- **Sign.** A.\n- **Cause.** B.\n- **Type.** C.\n- **Over.** D.\n"
        self.assertEqual(misshapen(good), [])
        for bad in (good + "  more\n" * 9, good + "  ```\n  " + "x" * 119 + "\n  ```\n", good.replace("- **Over.** D.\n", ""),
                    good.replace("Cause", "Reason"), good.replace("**Sign.** A.", "**Sign.**"), good.replace("A.", "[A](#up).")):
            with self.subTest(bad):
                self.assertIn(misshapen(bad), (["Down"], ["up"]))
        self.assertEqual(misshapen(good.replace("## Alerts\n", "## Alerts\nText.\n") + "### Up\n"), ["Alerts", "Up"])

    def test_the_rules_have_the_form_that_the_operator_wants(self):
        PrometheusRule.model_validate({
            "apiVersion": "monitoring.coreos.com/v1", "kind": "PrometheusRule", "metadata": {"name": "larder"},
            "spec": self.rules})

    def test_the_queries_of_the_dashboard_are_understood(self):
        queries = [query.replace("$__rate_interval", "5m").replace("$instance", ".*") for query in self.queries()]
        rules = [{"record": f"query:{number}", "expr": query} for number, query in enumerate(queries)]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rules.yaml"
            path.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
            done = run("promtool", "check", "rules", path)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_panels_have_their_own_places(self):
        self.assertEqual(len({panel["id"] for panel in self.dashboard["panels"]}), len(self.dashboard["panels"]))
        taken = set()
        for panel in self.dashboard["panels"]:
            place = panel["gridPos"]
            cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                     for y in range(place["y"], place["y"] + place["h"])}
            self.assertTrue(all(x < 24 for x, _ in cells) and not cells & taken, panel["title"])
            taken |= cells

    def test_only_metrics_and_labels_that_there_are_are_asked_for(self):
        for query in [alert["expr"] for alert in self.alerts] + self.queries():
            for name, selector in re.findall(r"\b((?:larder|process)_\w+)(?:\{([^}]*)\})?", query):
                with self.subTest(query):
                    family = name if name in METRICS else re.sub(r"_(bucket|sum|count)$", "", name)
                    self.assertIn(family, METRICS)
                    labels = set(re.findall(r"(\w+)\s*[=!]~?", selector)) - {"job", "instance", "le"}
                    self.assertLessEqual(labels, METRICS[family])

    def test_every_metric_is_on_the_dashboard_or_in_an_alert(self):
        text = " ".join([alert["expr"] for alert in self.alerts] + self.queries())
        self.assertEqual([name for name in METRICS if name not in text], [])

    def queries(self) -> list[str]:
        return [target["expr"] for panel in self.panels for target in panel["targets"]]


if __name__ == "__main__":
    unittest.main()
