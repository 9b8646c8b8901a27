"""The queries of the alerts and the dashboard."""

import json
import re
from dataclasses import dataclass

import yaml

from metrics import METRICS
from programs import REPOSITORY

FOLDER = REPOSITORY / "config" / "prometheus"
ADDED = {"job", "instance", "namespace", "le"}
"""Labels that Prometheus or its Kubernetes service discovery sets, and the one of buckets."""


@dataclass(frozen=True)
class Query:
    """An expression, and the labels of what it gives that are shown to somebody."""

    expression: str
    shown: frozenset[str]

    @property
    def selectors(self) -> list[tuple[str, list[tuple[str, str, str]]]]:
        """Names of series, each with its matchers: label, operator and pattern."""
        found = re.findall(r"\b((?:larder|process)_\w+)(?:\{([^}]*)\})?", self.expression)
        return [(name, [matcher for matcher in re.findall(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"', text)
                        if matcher[0] not in ADDED])
                for name, text in found]

    @property
    def stray_labels(self) -> set[str]:
        """Labels by which it groups, or that it shows, and that nothing it asks for has."""
        grouped = {name for names in re.findall(r"\b(?:by|without|on)\s*\(([^)]*)\)", self.expression)
                   for name in re.split(r"\s*,\s*", names.strip())}
        there = set().union(*(METRICS.get(family(name), set()) for name, _ in self.selectors))
        return (grouped | self.shown) - there - ADDED


def family(name: str) -> str:
    """The name in METRICS of the metric that a series belongs to."""
    return name if name in METRICS else re.sub(r"_(bucket|sum|count)$", "", name)


def all_queries() -> list[Query]:
    rules = yaml.safe_load((FOLDER / "alerts.yaml").read_text())
    panels = json.loads((FOLDER / "dashboard.json").read_text())["panels"]
    alerts = [Query(rule["expr"], frozenset(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"])))
              for group in rules["groups"] for rule in group["rules"]]
    return alerts + [
        Query(target["expr"], frozenset(re.findall(r"\{\{(\w+)\}\}", target.get("legendFormat", ""))))
        for panel in panels for target in panel.get("targets", [])]


def unanswered(query: Query, samples: list) -> list[str]:
    """The series and label values of the query that the samples lack."""
    missing = []
    for name, matchers in query.selectors:
        there = [sample.labels for sample in samples if sample.name == name]
        if not any(all(is_met(one, labels) for one in matchers) for labels in there):
            missing.append(f"{name} with what is asked of its labels" if there else name)
        for matcher in matchers:
            others = [one for one in matchers if one != matcher]
            among = [labels for labels in there if all(is_met(one, labels) for one in others)]
            missing += [f'{name}{{{matcher[0]}="{value}"}}' for value in matcher[2].split("|")
                        if not any(is_met((matcher[0], "=~", value), labels) for labels in among)]
    return missing + [f"a label {label} of {query.expression}" for label in sorted(query.stray_labels)]


def is_met(matcher: tuple[str, str, str], labels: dict[str, str]) -> bool:
    label, operator, pattern = matcher
    value = labels.get(label, "")
    matches = re.fullmatch(pattern, value) is not None if "~" in operator else value == pattern
    return matches is not operator.startswith("!")
