"""Checks that the chart of config/helm renders what config/kubernetes has: a part of `make check-deploy`."""

import json
import re
import subprocess
import tempfile
import unittest

import check_deploy
import kubernetes_validate
import yaml
from check_fleet import OVERLAY
from manifests import VERSIONS, documents, run
from programs import REPOSITORY

CHART = REPOSITORY / "config" / "helm" / "larder"
BASE = "resources: [../config/kubernetes]"
OWN_LABELS = ("app.kubernetes.io/instance", "app.kubernetes.io/managed-by", "helm.sh/chart")
OWN_ANNOTATIONS = ("helm.sh/resource-policy",)
OPTIONAL = {
    "tls": True, "env": [{"name": "LARDER_REGION", "value": "north"}], "podAnnotations": {"example/of": "one"},
    "nodeSelector": {"kubernetes.io/os": "linux"}, "tolerations": [{"key": "shop", "operator": "Exists"}],
    "priorityClassName": "high", "image": {"pullSecrets": ["registry"], "digest": f"sha256:{'0' * 64}"},
    "service": {"type": "LoadBalancer", "annotations": {"example/of": "two"}}, "sharedStore": {"enabled": True},
    "networkPolicy": {"egress": [443, 8443]}}
"""Values that the chart leaves out where they are not given."""


def helm(*options, name: str = "larder") -> subprocess.CompletedProcess:
    return run("helm", "template", name, CHART, *options)


def rendered(*options, name: str = "larder") -> list[dict]:
    done = helm(*options, name=name)
    assert done.returncode == 0, done.stderr
    return [one for one in yaml.safe_load_all(done.stdout) if one]


def plain(node, key: str = ""):
    """A tree without what may differ: the labels and annotations of Helm, the hash in the name of a ConfigMap, labels that
    kustomize gives to the base alone, and the order of a list whose entries have names."""
    if isinstance(node, dict):
        own = {"annotations": OWN_ANNOTATIONS, "labels": OWN_LABELS, "matchLabels": OWN_LABELS, "selector": OWN_LABELS}
        kept = {name: plain(value, name) for name, value in node.items() if name not in own.get(key, ())}
        return {name: value for name, value in kept.items() if value != {} or name not in own}
    if isinstance(node, list):
        return [plain(one) for one in sorted(node, key=lambda one: one.get("name", "") if isinstance(one, dict) else "")]
    return re.sub(r"^(larder(?:-redis)?)-[0-9a-f]{10}$|^(larder(?:-redis)?)-[a-z0-9]{10}$", r"\1\2", node) \
        if isinstance(node, str) else node


def by_name(found: list[dict]) -> dict[tuple[str, str], dict]:
    trees = [plain(one) for one in found]
    return {(tree["kind"], tree["metadata"]["name"]): tree for tree in trees}


def differences(one, other, path: str = "") -> list[str]:
    """The places where two trees differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        return [found for name in sorted({*one, *other})
                for found in differences(one.get(name), other.get(name), f"{path}.{name}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [found for index, pair in enumerate(zip(one, other)) for found in differences(*pair, f"{path}[{index}]")]
    return [] if one == other else [f"{path}: {json.dumps(one)} != {json.dumps(other)}"]


class ChartManifestTests(check_deploy.KubernetesTests):
    """The checks of the manifests, for what the chart renders."""

    @staticmethod
    def built(kustomization: str) -> dict[str, dict]:
        return {document["kind"]: document for document in rendered()}


class ChartTests(unittest.TestCase):
    def test_it_renders_the_manifests(self):
        kustomized = by_name(documents(BASE))
        self.assertEqual(differences(kustomized, by_name(rendered())), [])

    def test_it_renders_the_shared_store(self):
        found = differences(by_name(documents(OVERLAY)), by_name(rendered("--set", "sharedStore.enabled=true")))
        # In kustomize what has no labels of its own gets none in a component.
        unlabelled = r"\.\('(ConfigMap|NetworkPolicy)', 'larder-(to-)?redis'\)\.metadata\.labels: null "
        self.assertEqual([one for one in found if not re.match(unlabelled, one)], [])

    def test_a_difference_is_found(self):
        kustomized = by_name(documents(BASE))
        for option in ("grace=31", "resources.limits.memory=255Mi", "replicas.min=2", "networkPolicy.egress={8443}",
                       "serviceMonitor.interval=16s", "upstream=shop.example:80", "image.tag=0.0.9", "service.port=81",
                       "data.sizeLimit=257Mi", "secrets.admin=other", "config=serve: shop", "serviceMonitor.enabled=false"):
            with self.subTest(option):
                self.assertNotEqual(differences(kustomized, by_name(rendered("--set", option))), [])

    def test_another_release_selects_its_own_pods(self):
        for name, expected in (("shop", "shop-larder"), ("larder-two", "larder-two")):
            found = {one["kind"]: one for one in rendered("--set", "sharedStore.enabled=true", name=name)}
            self.assertEqual(found["Deployment"]["metadata"]["name"], expected)
            for one in (found["Service"], found["Deployment"]):
                self.assertIn(name, json.dumps(one["spec"]["selector"]))
            config = [one["data"]["larder.yaml"] for one in rendered("--set", "sharedStore.enabled=true", name=name)
                      if "larder.yaml" in one.get("data", {})]
            self.assertIn(f"redis://larder@{expected}-redis:6379", config[0])

    def test_every_value_is_described_and_others_are_refused(self):
        def names(schema: dict) -> dict:
            return {name: names(one) if "properties" in one else None for name, one in schema["properties"].items()}

        def described(values: dict, form: dict) -> bool:
            return all(name in form and (form[name] is None or described(value, form[name])) for name, value in values.items())

        schema = json.loads((CHART / "values.schema.json").read_text())
        values = yaml.safe_load((CHART / "values.yaml").read_text())
        self.assertTrue(described(values, names(schema)))
        self.assertEqual(set(schema["properties"]) - {"global"}, set(values))
        for option, reason in (("grce=30", "grce"), ("upstream=https://shop.example", "upstream"), ("grace=25", "must be more than"),
                               ("image.digest=latest", "digest"), ("replicas.min=13", "replicas.min"), ("config=a: [", "no YAML")):
            with self.subTest(option):
                done = helm("--set", option)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(reason, done.stderr)

    def test_optional_values_are_rendered_in_the_form_that_kubernetes_wants(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            yaml.safe_dump(OPTIONAL, file)
            file.flush()
            found = rendered("--values", file.name)
        for version in VERSIONS:
            for document in found:
                if document["kind"] != "ServiceMonitor":
                    with self.subTest(document["kind"], version=version):
                        kubernetes_validate.validate(document, version, strict=True)
        text = json.dumps(found)
        for value in ("LARDER_REGION", "example/of", "kubernetes.io/os", "Exists", "high", "registry", "@sha256:0", "LoadBalancer",
                      "8443", '"scheme": "HTTPS"', '"appProtocol": "https"', "redis-password"):
            self.assertIn(value, text)

    def test_helm_finds_nothing_to_complain_of(self):
        done = run("helm", "lint", "--strict", CHART)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
