"""A Prometheus of a drill's own."""

import json
import time
import urllib.parse
from pathlib import Path

import yaml

from hurried_rules import RULES
from programs import Failure, Programs, ask, free_ports, status, until


class Prometheus:
    """Scrapes, and evaluates alert rules, each second. The names of the ports become the label `instance`."""

    def __init__(self, programs: Programs, scraped: dict[str, int], rules: Path = RULES):
        [self.port] = free_ports(1)
        config = programs.folder / "prometheus.yaml"
        config.write_text(yaml.safe_dump({
            "global": {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(rules)],
            "scrape_configs": [{"job_name": "larder", "static_configs": [
                {"targets": [f"127.0.0.1:{port}"], "labels": {"instance": name}} for name, port in scraped.items()]}]}))
        self.program = programs.start("prometheus", [
            "prometheus", f"--config.file={config}", f"--storage.tsdb.path={programs.folder}/prometheus",
            f"--web.listen-address=127.0.0.1:{self.port}"])
        until(lambda: status(self.port, "/-/ready") == 200, "Prometheus is ready", self.program, 60)

    def value(self, query: str) -> float:
        """The value of a query with one result, or none, which is 0."""
        results = self.get("query", query=query)["result"]
        if len(results) > 1:
            raise Failure(f"{query} has {len(results)} results")
        return float(results[0]["value"][1]) if results else 0.0

    def series(self, query: str, since: float, step: int) -> dict[str, list[tuple[float, float]]]:
        """The points of each series of a query over time, by the values of its labels."""
        results = self.get("query_range", query=query, start=since, end=time.time(), step=step)["result"]
        return {" ".join(one["metric"].values()): [(at - since, float(value)) for at, value in one["values"]]
                for one in results}

    def firing(self) -> list[dict]:
        """The labels of the alerts that fire now."""
        return [one["labels"] for one in self.get("alerts")["alerts"] if one["state"] == "firing"]

    def broken_rules(self) -> list[str]:
        """Rules whose evaluation fails."""
        rules = [rule for group in self.get("rules")["groups"] for rule in group["rules"]]
        return [f"{rule['name']} {rule.get('lastError', '')}" for rule in rules if rule["health"] != "ok"]

    def get(self, what: str, **parameters) -> dict:
        code, _, body = ask(self.port, f"/api/v1/{what}?{urllib.parse.urlencode(parameters)}", patience=30)
        if code != 200:
            raise Failure(f"Prometheus does not tell {what} {parameters}: {body.decode()}")
        return json.loads(body)["data"]
