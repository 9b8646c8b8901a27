"""The alert rules of config/prometheus with shorter times, so that a drill need not wait for quarters of an hour."""

import re

import yaml

from programs import REPOSITORY

RULES = REPOSITORY / "config" / "prometheus" / "alerts.yaml"
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
TIMES = re.compile(r"(?<=\[)(\d+)([smhd])(?=])|(?<=offset )(\d+)([smhd])\b")
"""The ranges and offsets of an expression."""


class HurriedRules:
    """Each `for`, range and offset divided; ages, rates and shares stay what they are."""

    def __init__(self, divisor: int, without: frozenset[str] = frozenset()):
        document = yaml.safe_load(RULES.read_text())
        for group in document["groups"]:
            group["rules"] = [rule for rule in group["rules"] if rule["alert"] not in without]
        self.rules = [rule for group in document["groups"] for rule in group["rules"]]
        self.longest = 0.0
        for rule in self.rules:
            self.hurry(rule, divisor)
        self.text = yaml.safe_dump(document, sort_keys=False)

    @property
    def names(self) -> set[str]:
        return {rule["alert"] for rule in self.rules}

    def hurry(self, rule: dict, divisor: int) -> None:
        """Changes a rule; `longest` becomes what the slowest one needs from its cause until it fires."""
        ranges = [self.divided(found, divisor) for found in TIMES.finditer(rule["expr"])]
        rule["expr"] = TIMES.sub(lambda found: f"{self.divided(found, divisor) * 1000:.0f}ms", rule["expr"])
        wait = 0.0
        if "for" in rule:
            wait = self.divided(re.fullmatch(r"(\d+)([smhd])", rule["for"]), divisor)
            rule["for"] = f"{wait * 1000:.0f}ms"
        self.longest = max(self.longest, wait + max(ranges, default=0))

    @staticmethod
    def divided(found: re.Match, divisor: int) -> float:
        number, unit = [group for group in found.groups() if group]
        return int(number) * SECONDS[unit] / divisor
