"""Telemetry: spans, metrics and the log by OTLP, sent to a collector that decodes them by the published schema.

A service in front of the practice upstream exports to a collector that is well, away, silent, slow or overloaded. What the
collector gets is compared with what was asked, with `/metrics` and with the lines of the log; requests must be answered as
quickly with a broken collector as with a good one, memory must stay bounded, and what is lost must be counted.
"""

import argparse
import base64
import http.client
import json
import re
import signal
import socket
import sys
import threading
import time
from collections import Counter
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord, SeverityNumber
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from prometheus_client.parser import text_string_to_metric_families

from programs import Programs, ask, free_ports, log_lines, parser, resident, run, set_fault, until

KINDS = {"/v1/traces": ExportTraceServiceRequest, "/v1/metrics": ExportMetricsServiceRequest,
         "/v1/logs": ExportLogsServiceRequest}
LEVELS = {"trace": 1, "debug": 5, "info": 9, "notice": 10, "warning": 13, "error": 17, "critical": 21}
TOKEN = "s3cret-of-the-collector"
CONFIG = """
http: {{ listen: "127.0.0.1:{http}", drain: {{ delay: 1ms, deadline: 8s }}, access_log: {access} }}
log: {{ level: {level} }}
admin: {{ listen: "127.0.0.1:{admin}" }}
{telemetry}
providers:
  remote:
    type: retry
    attempts: 2
    base: 10ms
    cap: 10ms
    upstream: {{ type: http, request: {{ base_url: "http://127.0.0.1:{upstream}", path: /products }}, timeout: 2s }}
  storefront: {{ type: memory, ttl: {ttl}, stale_if_error: 1h, hold_off: 1s, upstream: remote }}
serve: {serve}
"""
OTLP = """
telemetry:
  otlp:
    endpoint: "http://127.0.0.1:{port}"
    headers: {{ Authorization: "Bearer {token}", X-Tenant: drill }}
    traces: {{ sample: {sample}, parent: honour, errors: {errors} }}
    metrics: {metrics}
    logs: {logs}
"""
# Families that change from one reading to the next.
RESTLESS = re.compile(r"process_|larder_telemetry_|larder_snapshot_age_|larder_http_connections")


def main() -> int:
    made = parser(__doc__)
    made.add_argument("--seconds", type=float, default=8, help="for each load")
    options = made.parse_args()
    return run("telemetry", lambda programs: drill(programs, options), most_seconds=600)


class Collector:
    """Decodes each request strictly, and answers as it is told."""

    def __init__(self, port: int = 0):
        self.lock = threading.Lock()
        self.spans: list[Span] = []
        self.resources: list[dict] = []
        self.metrics: list[ExportMetricsServiceRequest] = []
        self.logs: list[LogRecord] = []
        self.arrivals: list[tuple[float, str, bytes]] = []
        self.faults: list[str] = []
        self.connections: list[socket.socket] = []
        self.answer = "ok"
        collector = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self) -> None:
                super().setup()
                collector.connections.append(self.connection)

            def do_POST(self) -> None:
                collector.take(self)

            def log_message(self, *_) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

        self.server = Server(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def take(self, request: BaseHTTPRequestHandler) -> None:
        body = request.rfile.read(int(request.headers["Content-Length"]))
        mode = self.answer
        with self.lock:
            self.arrivals.append((time.monotonic(), request.path, body))
        if mode == "hang":
            time.sleep(60)
            return
        if mode == "slow":
            time.sleep(1)
        if mode.startswith("503"):
            self.reply(request, 503, {"Retry-After": mode.split()[1]} if " " in mode else {})
            return
        try:
            self.decode(request, body)
        except (json_format.ParseError, KeyError, ValueError) as problem:
            self.faults.append(f"{request.path}: {problem}")
            self.reply(request, 400, {})
            return
        self.reply(request, 200, {})

    def decode(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        if request.headers["Content-Type"] != "application/json":
            raise ValueError("content type")
        if request.headers["Authorization"] != f"Bearer {TOKEN}" or request.headers["X-Tenant"] != "drill":
            raise ValueError(f"headers: {request.headers}")
        message = json_format.Parse(json.dumps(with_base64(json.loads(body))), KINDS[request.path]())
        with self.lock:
            if isinstance(message, ExportMetricsServiceRequest):
                self.metrics.append(message)
                return
            if isinstance(message, ExportLogsServiceRequest):
                self.logs.extend(record for resource in message.resource_logs for scope in resource.scope_logs
                                 for record in scope.log_records)
                return
            for resource in message.resource_spans:
                self.resources.append(attributes(resource.resource))
                for scope in resource.scope_spans:
                    self.spans.extend(scope.spans)

    @staticmethod
    def reply(request: BaseHTTPRequestHandler, status: int, headers: dict) -> None:
        try:
            request.send_response(status)
            for name, value in headers.items():
                request.send_header(name, value)
            request.send_header("Content-Length", "2")
            request.send_header("Content-Type", "application/json")
            request.end_headers()
            request.wfile.write(b"{}")
        except OSError:
            pass

    def forget(self) -> None:
        with self.lock:
            self.spans, self.arrivals, self.logs = [], [], []

    def servers(self) -> list[Span]:
        with self.lock:
            return [span for span in self.spans if span.kind == Span.SPAN_KIND_SERVER]

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        for connection in self.connections:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def with_base64(value):
    """The identifiers as protobuf's own JSON form has them; OTLP's has hexadecimal digits."""
    if isinstance(value, list):
        return [with_base64(one) for one in value]
    if not isinstance(value, dict):
        return value
    sizes = {"traceId": 16, "spanId": 8, "parentSpanId": 8}
    made = {}
    for name, one in value.items():
        if name in sizes:
            raw = bytes.fromhex(one)
            if len(raw) != sizes[name] or one != one.lower() or not any(raw):
                raise ValueError(f"{name} {one}")
            made[name] = base64.b64encode(raw).decode()
        else:
            made[name] = with_base64(one)
    return made


def attributes(of) -> dict:
    return {one.key: plain(one.value) for one in of.attributes}


def plain(value: AnyValue):
    """The value as JSON has it."""
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [plain(one) for one in value.array_value.values]
    if kind == "kvlist_value":
        return {one.key: plain(one.value) for one in value.kvlist_value.values}
    return getattr(value, kind)


class Load:
    """Asks for products on a few connections, for so long or so often, and times the answers."""

    def __init__(self, port: int, seconds: float = 0, count: int = 0, connections: int = 4, headers: dict | None = None,
                 pause: float = 0):
        self.times: list[float] = []
        self.statuses: Counter = Counter()
        ends = time.monotonic() + seconds
        left = iter(range(count))
        lock = threading.Lock()

        def more() -> bool:
            with lock:
                return next(left, None) is not None if count else time.monotonic() < ends

        def work() -> None:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            while more():
                start = time.perf_counter()
                connection.request("GET", "/products", headers=headers or {})
                response = connection.getresponse()
                response.read()
                spent = time.perf_counter() - start
                with lock:
                    self.times.append(spent)
                    self.statuses[response.status] += 1
                if pause:
                    time.sleep(pause)
            connection.close()

        threads = [threading.Thread(target=work) for _ in range(connections)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    @property
    def median(self) -> float:
        return self.quietest(0.5)

    @property
    def late(self) -> float:
        return self.quietest(0.99)

    def quietest(self, share: float) -> float:
        """The quantile of the quietest thousand requests in a row, since other programs use the machine too."""
        parts = [sorted(self.times[start:start + 1000]) for start in range(0, max(1, len(self.times) - 999), 1000)]
        return min(part[int(len(part) * share)] for part in parts)

    def __str__(self) -> str:
        return (f"{len(self.times)} requests, in the quietest thousand median {self.median * 1e6:.0f} µs, "
                f"99 % {self.late * 1e6:.0f} µs, {dict(self.statuses)}")


class Larder:
    """A service whose config is replaced while it runs."""

    def __init__(self, programs: Programs, options: argparse.Namespace, name: str, upstream: int, port: int, **settings):
        self.http, self.admin = free_ports(2)
        self.config = programs.folder / f"{name}.yaml"
        self.upstream, self.port, self.settings, self.reloads = upstream, port, {}, 0
        self.write(**settings)
        self.program = programs.start(name, [options.larder, "serve", "--config", self.config])
        until(lambda: answers(self.admin, "/readyz"), "the service is ready", self.program)

    def write(self, **settings) -> None:
        self.settings |= settings
        kept = {"serve": "storefront", "ttl": "1h", "sample": 1, "errors": "always", "metrics": "false", "logs": "false",
                "access": "errors", "level": "info"} | self.settings
        telemetry = "" if kept["sample"] is None else OTLP.format(port=self.port, token=TOKEN, **kept)
        self.config.write_text(CONFIG.format(
            http=self.http, admin=self.admin, upstream=self.upstream, telemetry=telemetry, **kept))

    def reload(self, **settings) -> None:
        self.write(**settings)
        self.reloads += 1
        self.program.send_signal(signal.SIGHUP)
        until(lambda: self.logged("reloaded") == self.reloads, "the config is in force", self.program)

    def logged(self, message: str) -> int:
        lines = self.program.log.read_text().splitlines(keepends=True)
        return sum(json.loads(line)["message"] == message for line in lines if line.endswith("\n"))

    def metrics(self) -> dict:
        families = text_string_to_metric_families(ask(self.admin, "/metrics", patience=30)[2].decode())
        return {(one.name, tuple(sorted(one.labels.items()))): one.value for family in families for one in family.samples}

    def count(self, name: str, **labels: str) -> float:
        return sum(value for (family, own), value in self.metrics().items()
                   if family == name and labels.items() <= dict(own).items())

    def stop(self) -> tuple[int, float]:
        """Stops by SIGTERM; gives the exit code and the seconds that it took."""
        start = time.monotonic()
        self.program.send_signal(signal.SIGTERM)
        return self.program.wait(30), time.monotonic() - start


def answers(port: int, target: str) -> bool:
    try:
        return ask(port, target)[0] == 200
    except OSError:
        return False


class Table:
    """What was seen, a row for each claim."""

    def __init__(self):
        self.failed = 0

    def row(self, name: str, is_right: object, seen: object = "") -> None:
        self.failed += not is_right
        print(f"{'ok  ' if is_right else 'FAIL'} {name:<58} {seen}", flush=True)


def drill(programs: Programs, options: argparse.Namespace) -> bool:
    upstream = programs.start_upstream(options.larder)
    table = Table()
    for scene in (structure, sampling, failures, metrics, logs, silence, overload, stops):
        collector = Collector()
        scene(programs, options, upstream, collector, table)
        set_fault(upstream, "none")
        table.row(f"{scene.__name__}: every request was decoded by the schema", not collector.faults,
                  collector.faults[:1])
        collector.stop()
    return table.failed == 0


def tree(spans: list[Span], span: Span, depth: int = 0) -> list[str]:
    """The names below a span, indented."""
    below = [one for one in spans if one.parent_span_id == span.span_id]
    return [f"{'. ' * depth}{span.name}"] + [line for one in sorted(below, key=lambda one: one.start_time_unix_nano)
                                             for line in tree(spans, one, depth + 1)]


def structure(programs, options, upstream, collector, table) -> None:
    larder = Larder(programs, options, "structure", upstream, collector.port, sample=0, serve="remote")
    trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    for flag in ("01", "00"):
        ask(larder.http, "/products?limit=1", headers={"traceparent": f"00-{trace}-{parent}-{flag}", "User-Agent": "till"})
    larder.stop()
    [root] = collector.servers() or [Span()]
    facts = attributes(root)
    table.row("structure: the sampled caller is the parent, the other is not recorded",
              root.trace_id.hex() == trace and root.parent_span_id.hex() == parent and len(collector.servers()) == 1)
    names = tree(collector.spans, root)
    table.row("structure: request, nodes and exchange, each within its parent",
              names == ["GET /products", ". retry", ". . http", ". . . GET"], " ".join(names))
    byid = {span.span_id: span for span in collector.spans}
    table.row("structure: times are nested and of now", all(
        span.start_time_unix_nano <= span.end_time_unix_nano and abs(span.end_time_unix_nano / 1e9 - time.time()) < 60
        and (span.parent_span_id not in byid
             or byid[span.parent_span_id].start_time_unix_nano <= span.start_time_unix_nano
             and span.end_time_unix_nano <= byid[span.parent_span_id].end_time_unix_nano) for span in collector.spans))
    wanted = {"http.request.method": "GET", "url.path": "/products", "url.query": "limit=1", "http.route": "/products",
              "http.response.status_code": 200, "server.address": "127.0.0.1", "server.port": larder.http,
              "url.scheme": "http", "client.address": "127.0.0.1", "user_agent.original": "till"}
    table.row("structure: semantic conventions of the request", wanted.items() <= facts.items(), facts)
    exchange = attributes(next((span for span in collector.spans if span.kind == Span.SPAN_KIND_CLIENT), Span()))
    wanted = {"http.request.method": "GET",
              "server.address": "127.0.0.1", "server.port": upstream, "http.response.status_code": 200}
    table.row("structure: semantic conventions of the exchange", wanted.items() <= exchange.items(), exchange)
    resource = collector.resources[0] if collector.resources else {}
    table.row("structure: the resource", resource.get("service.name") == "larder"
              and {"service.version", "service.instance.id"} <= resource.keys(), resource)


def sampling(programs, options, upstream, collector, table) -> None:
    larder = Larder(programs, options, "sampling", upstream, collector.port, sample=0, errors="sampled")
    for share, requests in ((0, 2000), (1, 1000), (0.01, 20_000)):
        collector.forget()
        larder.reload(sample=share)
        load = Load(larder.http, count=requests)
        seen = larder.count("larder_telemetry_spans_total")
        expected = requests * share
        until(lambda: len(collector.servers()) >= expected * 0.5, "the spans come", larder.program)
        time.sleep(6)
        found, lost = len(collector.servers()), larder.count("larder_telemetry_dropped_total")
        is_right = found == expected if share in (0, 1) else abs(found - expected) < 5 * expected ** 0.5
        table.row(f"sampling: {share} of {requests} requests", is_right and not lost and load.statuses[200] == requests,
                  f"{found} spans, {seen:.0f} before, {lost:.0f} lost")
    larder.reload(sample=None)
    collector.forget()
    Load(larder.http, count=500)
    larder.stop()
    table.row("sampling: nothing after a reload without telemetry", not collector.spans)


def failures(programs, options, upstream, collector, table) -> None:
    larder = Larder(programs, options, "failures", upstream, collector.port, sample=0, serve="remote")
    set_fault(upstream, "status=500")
    failed = [ask(larder.http, "/products")[0] for _ in range(20)]
    set_fault(upstream, "none")
    good = [ask(larder.http, "/products")[0] for _ in range(20)]
    until(lambda: len(collector.servers()) >= 20, "the failed requests come", larder.program)
    spans = collector.servers()
    table.row("failures: each failed request is recorded, and no other", len(spans) == sum(one >= 500 for one in failed + good)
              and all(span.status.code == Status.STATUS_CODE_ERROR and attributes(span)["error.type"] == str(one)
                      for span, one in zip(spans, failed)), f"{Counter(failed + good)}, {len(spans)} spans")
    larder.reload(serve="storefront", ttl="200ms")
    collector.forget()
    set_fault(upstream, "status=500")
    until(lambda: ask(larder.http, "/products")[0] and any(span.name == "refresh" for span in collector.spans),
          "a failed refresh comes", larder.program, patience=30)
    refresh = next(span for span in collector.spans if span.name == "refresh")
    names = tree(collector.spans, refresh)
    table.row("failures: a failed refresh is recorded whole", refresh.status.code == Status.STATUS_CODE_ERROR
              and names == ["refresh", ". retry", ". . http", ". . . GET", ". . http", ". . . GET"] and not collector.servers(),
              f"{' '.join(names)}: {refresh.status.message}")
    larder.reload(errors="sampled")
    collector.forget()
    Load(larder.http, seconds=3, pause=0.05)
    larder.stop()
    table.row("failures: none with errors: sampled", not collector.spans, len(collector.spans))


def metrics(programs, options, upstream, collector, table) -> None:
    larder = Larder(programs, options, "metrics", upstream, collector.port, sample=0.5, metrics="true")
    Load(larder.http, count=500)
    ask(larder.http, "/nowhere")
    count = len(collector.metrics)
    until(lambda: len(collector.metrics) >= count + 2, "two more readings come", larder.program, patience=40)
    scraped, sent = larder.metrics(), exported(collector.metrics[-1])
    names = {name for name, _ in scraped}
    table.row("metrics: the same series as /metrics", scraped.keys() == sent.keys(),
              f"{len(sent)} of {len(names)} families, {sorted(scraped.keys() ^ sent.keys())[:3]}")
    other = [(key, value, sent.get(key)) for key, value in scraped.items()
             if not RESTLESS.match(key[0]) and value != sent.get(key)]
    table.row("metrics: the same values", not other, other[:3] or f"but for {RESTLESS.pattern}")
    kinds = {metric.name: metric.WhichOneof("data") for scope in collector.metrics[-1].resource_metrics[0].scope_metrics
             for metric in scope.metrics}
    table.row("metrics: sums, gauges and histograms", kinds["larder_http_requests_total"] == "sum"
              and kinds["larder_ready"] == "gauge" and kinds["larder_http_request_duration_seconds"] == "histogram")
    larder.stop()


def logs(programs, options, upstream, collector, table) -> None:
    for level, access in (("info", "all"), ("warning", "errors")):
        collector.forget()
        larder = Larder(programs, options, f"logs-{level}", upstream, collector.port, logs="true", ttl="200ms", level=level,
                        access=access)
        Load(larder.http, count=300)
        set_fault(upstream, "status=500")
        until(lambda: ask(larder.http, "/products?q=caf%C3%A9") and larder.logged(
            "upstream fails, serving the last good catalogue"), "a refresh fails", larder.program)
        if level == "info":
            larder.reload()
        set_fault(upstream, "none")
        larder.stop()
        written = Counter(identity(line.pop("level"), line.pop("message"), line)
                          for line in log_lines(larder.program.log) if line.pop("timestamp"))
        taken = Counter(identity(record.severity_text, record.body.string_value, attributes(record))
                        for record in collector.logs)
        table.row(f"logs: every line of level {level} and above has come, and no other",
                  written == taken and len(written) > (300 if level == "info" else 0),
                  f"{taken.total()} of {written.total()}, {list((written - taken) + (taken - written))[:2]}")
        table.row("logs: severities are those of the levels",
                  all(record.severity_number == LEVELS[record.severity_text] for record in collector.logs),
                  {SeverityNumber.Name(record.severity_number) for record in collector.logs})
        if level == "info":
            times = sorted(datetime.fromisoformat(line["timestamp"]).timestamp() for line in log_lines(larder.program.log))
            found = sorted(record.time_unix_nano / 1e9 for record in collector.logs)
            table.row("logs: times are those of the lines", len(times) == len(found)
                      and all(abs(one - other) < 0.1 for one, other in zip(times, found)))
            requests = [record for record in collector.logs if attributes(record).get("path") == "/products"]
            spans = {(span.trace_id, span.span_id) for span in collector.servers()}
            table.row("logs: the line of each request names its span", len(requests) >= 300
                      and all((record.trace_id, record.span_id) in spans for record in requests), len(requests))
        table.row("logs: no token of the collector is sent in a body",
                  not any(TOKEN.encode() in body for _, _, body in collector.arrivals))


def identity(level: str, message: str, metadata: dict) -> str:
    return json.dumps([level, message, metadata], sort_keys=True)


def exported(message: ExportMetricsServiceRequest) -> dict:
    """The values by name and labels, as a scrape has them."""
    values = {}
    for scope in message.resource_metrics[0].scope_metrics:
        for metric in scope.metrics:
            for point in getattr(metric, metric.WhichOneof("data")).data_points:
                labels = attributes(point)

                def put(name: str, value: float, **more: str) -> None:
                    values[name, tuple(sorted((labels | more).items()))] = value

                if metric.WhichOneof("data") != "histogram":
                    put(metric.name, float(getattr(point, point.WhichOneof("value"))))
                    continue
                total = 0
                for bound, count in zip([*point.explicit_bounds, float("inf")], point.bucket_counts):
                    total += count
                    put(f"{metric.name}_bucket", total, le=repr(bound).replace("inf", "+Inf"))
                put(f"{metric.name}_sum", point.sum)
                put(f"{metric.name}_count", point.count)
    return values


def silence(programs, options, upstream, collector, table) -> None:
    """A collector that is away, or takes requests and does not answer."""
    larder = Larder(programs, options, "silence", upstream, collector.port)
    well = [Load(larder.http, options.seconds) for _ in range(2)][-1]
    table.row("silence: with a good collector", well.statuses.keys() == {200}, well)
    before = resident(larder.program.pid)
    for name, cause in (("away", b"refused"), ("hang", b"timed out|no answer|timeout")):
        if name == "away":
            collector.stop()
        else:
            collector.__init__(collector.port)
            collector.answer = "hang"
        lost = larder.count("larder_telemetry_dropped_total")
        load = Load(larder.http, options.seconds)
        table.row(f"silence: {name}, every request is answered as quickly", load.statuses.keys() == {200}
                  and load.median < well.median * 1.3 and load.late < well.late * 2 + 0.005, load)
        lost = larder.count("larder_telemetry_dropped_total") - lost
        table.row(f"silence: {name}, what is lost is counted", lost > len(load.times) - 2 * 2048 - 512, f"{lost:.0f} spans")
        until(lambda: re.search(b"telemetry warn[^\n]*(%b)" % cause, ask(larder.admin, "/readyz?verbose")[2]),
              f"readiness names the collector that is {name}", larder.program, patience=30)
        ready = ask(larder.admin, "/readyz?verbose")
        [line] = re.findall(rb"[^\n]*telemetry[^\n]*", ready[2])
        table.row(f"silence: {name}, readiness passes and names the cause", ready[0] == 200, line.decode())
    grown = (resident(larder.program.pid) - before) / 1e6
    table.row("silence: memory is bounded", grown < 30, f"{grown:+.1f} MB")
    said = [line for line in log_lines(larder.program.log) if line["message"].startswith(("telemetry", "spans"))]
    table.row("silence: the log says it once for each cause", 1 <= len(said) < 12, f"{len(said)} lines: {said[:1]}")
    collector.answer = "ok"
    until(lambda: b"telemetry" not in ask(larder.admin, "/readyz?verbose")[2], "the trouble ends", larder.program,
          patience=90)
    table.row("silence: the trouble ends with an answer", larder.logged("telemetry is delivered again") >= 1)
    larder.stop()


def overload(programs, options, upstream, collector, table) -> None:
    """A collector that answers 503 with a time, and a slow one."""
    larder = Larder(programs, options, "overload", upstream, collector.port)
    collector.answer = "503 3"
    Load(larder.http, count=600)
    until(lambda: collector.arrivals, "the first try comes", larder.program)
    collector.answer = "ok"
    until(lambda: len(collector.servers()) >= 600, "all spans come", larder.program)
    [(first, _, body), (second, _, again)] = collector.arrivals[:2]
    table.row("overload: 503 with Retry-After: 3, the same batch again", body == again and 3 <= second - first < 4.5,
              f"after {second - first:.2f} s, {larder.count('larder_telemetry_dropped_total'):.0f} lost")
    collector.answer = "slow"
    load = Load(larder.http, options.seconds)
    lost = larder.count("larder_telemetry_dropped_total", reason="queue_full")
    table.row("overload: a slow collector, requests are answered", load.statuses.keys() == {200} and lost > 0,
              f"{load}, {lost:.0f} spans lost")
    collector.answer = "503"
    collector.forget()
    until(lambda: larder.count("larder_telemetry_dropped_total", reason="undelivered") > 0, "the tries end",
          larder.program, patience=90)
    tries = Counter(body for _, _, body in collector.arrivals)
    table.row("overload: 503 without a time, five tries and no more", max(tries.values()) <= 5, tries.most_common(1)[0][1])
    larder.stop()


def stops(programs, options, upstream, collector, table) -> None:
    for name, answer, patience in (("good", "ok", 1), ("silent", "hang", 4)):
        collector.answer = answer
        collector.forget()
        larder = Larder(programs, options, f"stop-{name}", upstream, collector.port, metrics="true")
        Load(larder.http, count=700)
        readings = len(collector.metrics)
        code, seconds = larder.stop()
        found = len(collector.servers())
        is_right = found == 700 and len(collector.metrics) > readings if name == "good" else found == 0
        table.row(f"stops: SIGTERM with a {name} collector", code == 0 and seconds < patience and is_right,
                  f"{found} of 700 spans, code {code}, {seconds:.2f} s")
        if name == "silent":
            said = larder.logged("spans are lost, the collector has not taken them in time")
            table.row("stops: what is lost is said", said == 1)


if __name__ == "__main__":
    sys.exit(main())
