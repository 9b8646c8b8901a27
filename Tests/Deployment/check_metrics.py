"""Whether Prometheus's own tools take what the service exposes, and alerts and dashboard find in it what they ask for:
`make check-metrics`."""

import re
import subprocess
import sys
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families as read_text

from metrics import METRICS
from programs import CERTIFICATES, REPOSITORY, Failure, Programs, ask, free_ports, parser, run, set_fault, status, until
from queries import all_queries, family, unanswered

CONFIG = """
http:
  listen: 0
  tls: { certificate: "${LARDER_CERTIFICATE}", key: "${LARDER_CERTIFICATE_KEY}" }
  drain: { delay: 10ms }
admin: { listen: 0 }
stores:
  disk: { type: json_file, directory: "${LARDER_DATA}/store" }
  shared: { type: redis, url: "redis://127.0.0.1:1/0", name: catalogue }
analytics:
  events: { type: tee, sinks: [written, sent] }
  written: { type: file, path: "${LARDER_DATA}/events.jsonl" }
  sent:
    type: google_analytics
    measurement_id: G-1
    api_secret_file: "${LARDER_GOOGLE_SECRET_FILE}"
    endpoint: "${LARDER_GOOGLE_ENDPOINT}"
monitors: { door: { type: tcp, address: "${LARDER_UPSTREAM}" } }
providers:
  shop: { type: http, request: { base_url: "${LARDER_UPSTREAM_URL}", path: /products } }
  priced:
    type: http
    request: { base_url: "${LARDER_UPSTREAM_URL}", path: /products }
    expand: { members: { price: "/prices/{id}" }, timeout: 5s }
  either_list: { type: fallback, primary: shop, secondary: priced }
  careful: { type: circuit_breaker, upstream: { type: validated, baseline: disk, upstream: either_list } }
  fleet: { type: caching, store: shared, upstream: careful }
  counted: { type: analytics, sink: events, event: asked, upstream: fleet }
  kept: { type: caching, store: disk, upstream: counted }
  either: { type: reachability, monitor: door, remote: kept, local: { type: stored, store: disk } }
  storefront: { type: memory, ttl: 1ms, stale_while_revalidate: 0s, hold_off: 1ms, upstream: either }
serve: storefront
"""
"""One component of every kind that has something to tell. Nobody is at the shared store's address: it tells that."""
SHIPPED = ("larder", "demo", "examples/google-analytics", "examples/resilient", "examples/ab-test")
SECRET = "not-for-anybody-to-see"


def main() -> int:
    arguments = parser(__doc__)
    options = arguments.parse_args()
    configs = {"everything": CONFIG} | {
        name: (REPOSITORY / "config" / f"{name}.yaml").read_text() for name in SHIPPED}
    return max(run(f"check-metrics, {name}", lambda programs: check(programs, options.larder, name, config))
               for name, config in configs.items())


def check(programs: Programs, larder: Path, name: str, config: str) -> None:
    """Everything that the service of one config exposes."""
    admin = lived_through(programs, larder, config)
    if config is CONFIG:
        until(lambda: "larder_analytics_events_total" in scraped(admin), "an event is written")
    samples = checked(name, scraped(admin))
    if config is CONFIG:
        all_is_there(samples)


def lived_through(programs: Programs, larder: Path, config: str) -> int:
    """A service that has been through something; gives the port for operators."""
    port, admin = free_ports(2)
    upstream = programs.start_upstream(larder)
    listens = iter((f'listen: "127.0.0.1:{port}"', f'listen: "127.0.0.1:{admin}"'))
    path = programs.folder / "larder.yaml"
    path.write_text(re.sub(r'listen: (".*?"|[^\s,}]+)', lambda _: next(listens), config))
    set_fault(upstream, "down")
    process = programs.start("larder", [larder, "serve", "--config", path], environment(programs.folder, upstream))
    is_encrypted = config is CONFIG
    until(lambda: status(admin, "/livez") == 200, "the service answers", process)
    ask(port, "/products", is_encrypted=is_encrypted)
    set_fault(upstream, "none")
    until(lambda: status(admin, "/readyz") == 200, "the service is ready", process)
    for mode in ("none", "empty", "status=503", "none"):
        set_fault(upstream, mode)
        for target in ("/products", "/products/p-5", "/products?sort=x", "/nowhere"):
            ask(port, target, is_encrypted=is_encrypted)
    return admin


def environment(folder: Path, upstream: int) -> dict[str, str]:
    """Whatever one of the configs asks for."""
    secret = folder / "secret"
    secret.write_text(f"{SECRET}\n")
    url = f"http://127.0.0.1:{upstream}"
    return {
        "LARDER_CERTIFICATE": str(CERTIFICATES / "first.pem"),
        "LARDER_CERTIFICATE_KEY": str(CERTIFICATES / "first-test-key.pem"),
        "LARDER_DATA": f"{folder}/data", "LARDER_UPSTREAM": f"127.0.0.1:{upstream}", "LARDER_UPSTREAM_URL": url,
        "LARDER_PARTNER_URL": url, "LARDER_PARTNER_TOKEN_FILE": str(secret), "LARDER_GOOGLE_SECRET_FILE": str(secret),
        "LARDER_GOOGLE_ENDPOINT": f"{url}/mp/collect"}


def scraped(port: int) -> str:
    """The metrics."""
    # The header of a scrape, which names other forms first.
    accept = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2"
    code, headers, body = ask(port, "/metrics", headers={"Accept": accept})
    text, found = body.decode(), headers.get("content-type", "")
    if code != 200 or not found.startswith("text/plain"):
        raise Failure(f"asked for metrics, got {code} {found}")
    if SECRET in text:
        raise Failure("a secret is exposed")
    return text


def checked(name: str, text: str) -> list:
    """The samples, after the linter of Prometheus had nothing to say about them."""
    result = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=60,
                            check=False)
    if result.returncode or result.stderr:
        raise Failure(f"promtool finds fault with {name}:\n{result.stdout}{result.stderr}")
    families = list(read_text(text))
    samples = [sample for one in families for sample in one.samples]
    print(f"{name}: {len(families)} families, {len(samples)} samples, no complaint")
    return samples


def all_is_there(samples: list) -> None:
    """Every metric by its name and with its labels, and whatever alerts and dashboard ask for."""
    labels = {family(sample.name): set(sample.labels) - {"le"} for sample in samples}
    wrong = [name for name, own in METRICS.items() if labels.get(name) != own]
    queries = all_queries()
    missing = [one for query in queries for one in unanswered(query, samples)]
    if wrong or missing:
        raise Failure(f"not exposed as is relied on: {', '.join(wrong + missing)}")
    print(f"{len(METRICS)} metrics and {len(queries)} queries of alerts and dashboard: all there")


if __name__ == "__main__":
    sys.exit(main())
