"""Clients behind nginx and HAProxy: their addresses in the log, their limits, and their keys.

Each proxy tells the service in its own way. Clients have addresses of 127.0.0.0/8 of their own and send fields that name
others; none of those may be believed. Then one client exceeds its rate behind the proxy and another does not.
"""

import hashlib
import http.client
import json
import sys
import time
from pathlib import Path

from programs import CERTIFICATES, Failure, Programs, end, free_ports, parser, run, status, until

CONFIG = """
http:
  listen: 127.0.0.1:{port}
  access_log: all
  trusted_proxies: [127.0.0.1]
  client_address: {naming}
  tls: {tls}
  limits: {{ per_address: 4 }}
  {more}
admin: {{ listen: "127.0.0.1:{admin}" }}
serve: {{ type: memory, ttl: 1h, upstream: {{ type: http, request: {{ base_url: "http://127.0.0.1:{upstream}", path: /products }} }} }}
"""
NGINX = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log stderr warn;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    map $http_forwarded $forwarded {{
        "" "for=$remote_addr;proto=http";
        default "$http_forwarded, for=$remote_addr;proto=http";
    }}
    upstream larder {{ server 127.0.0.1:{origin}; keepalive 8; }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header Forwarded $forwarded;
            proxy_pass http://larder;
        }}
    }}
}}
"""
HAPROXY = """
defaults
    mode {mode}
    timeout client 30s
    timeout connect 5s
    timeout server 30s
frontend shop
    bind 127.0.0.1:{port}
    default_backend larder
backend larder
    server larder 127.0.0.1:{origin} send-proxy{version} {ssl} source 127.0.0.1
"""
WAYS = {
    "nginx, X-Forwarded-For": ("x_forwarded_for", NGINX, {}),
    "nginx, Forwarded": ("forwarded", NGINX, {}),
    "HAProxy, PROXY 1": ("proxy_protocol", HAPROXY, {"version": "", "ssl": "", "mode": "tcp"}),
    "HAProxy, PROXY 2": ("proxy_protocol", HAPROXY, {"version": "-v2", "ssl": "", "mode": "tcp"}),
    "HAProxy, PROXY 2, TLS": ("proxy_protocol", HAPROXY, {"version": "-v2", "ssl": "ssl verify none", "mode": "http"}),
}
FORGED = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9", "X-Real-IP": "203.0.113.9"}
KEY = "correct horse"


def main() -> int:
    options = parser(__doc__).parse_args()
    return max([run(name.replace(", ", "-").replace(" ", "-"), lambda programs, name=name: way(programs, options.larder, name))
                for name in WAYS]
               + [run("limits", lambda programs: limits(programs, options.larder))])


class Front:
    """A service behind a proxy."""

    def __init__(self, programs: Programs, larder: Path, name: str, more: str = ""):
        naming, proxy, words = WAYS[name]
        self.port, self.origin, self.admin = free_ports(3)
        upstream = programs.start_upstream(larder)
        chain = CERTIFICATES / "first"
        tls = f'{{ certificate: "{chain}.pem", key: "{chain}-test-key.pem" }}' if words.get("ssl") else "off"
        config = programs.folder / "larder.yaml"
        config.write_text(CONFIG.format(port=self.origin, admin=self.admin, upstream=upstream, naming=naming, tls=tls,
                                        more=more))
        self.larder = programs.start("larder", [larder, "serve", "--config", config])
        until(lambda: status(self.admin, "/readyz") == 200, "the service is ready", self.larder)
        path = programs.folder / "proxy.conf"
        path.write_text(proxy.format(folder=programs.folder, port=self.port, origin=self.origin, **words))
        command = ["haproxy", "-db", "-f", path] if proxy is HAPROXY else ["nginx", "-p", programs.folder, "-c", path]
        self.proxy = programs.start("proxy", command)
        until(lambda: self.ask("/livez", "127.0.0.1")[0] == 200, "the proxy passes requests on", self.proxy)

    def ask(self, target: str, source: str, headers: dict | None = None) -> tuple[int, dict]:
        """The status and the header fields of a request from an address of this machine."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5, source_address=(source, 0))
        try:
            connection.request("GET", target, headers=headers or {})
            response = connection.getresponse()
            response.read()
            return response.status, {name.lower(): value for name, value in response.getheaders()}
        except (OSError, http.client.HTTPException):
            return 0, {}
        finally:
            connection.close()

    def lines(self, target: str) -> list[dict]:
        return [line for line in map(json.loads, self.larder.log.read_text().splitlines())
                if line.get("path") == target]

    def close(self) -> None:
        end(self.proxy)
        end(self.larder)


def way(programs: Programs, larder: Path, name: str) -> None:
    front = Front(programs, larder, name)
    for client in ("127.0.0.2", "127.0.0.3"):
        target = f"/products/p-{client[-1]}"
        for headers in ({}, FORGED):
            if front.ask(target, client, headers)[0] != 200:
                raise Failure(f"{name}: {target} is not served")
        until(lambda: len(front.lines(target)) == 2, "both requests are in the log")
        named = [line["remote"] for line in front.lines(target)]
        if named != [client, client]:
            raise Failure(f"{name}: {client} is logged as {named}")
    connection = http.client.HTTPConnection("127.0.0.1", front.origin, timeout=5, source_address=("127.0.0.9", 0))
    if not name.endswith("TLS"):
        connection.request("GET", "/products/p-9", headers=FORGED)
        connection.getresponse().read()
        until(lambda: front.lines("/products/p-9"), "the direct request is in the log")
        if front.lines("/products/p-9")[0]["remote"] != "127.0.0.9":
            raise Failure(f"{name}: a field of another peer was read")
    print(f"{name}: both clients are named, no field of theirs is believed")
    front.close()


def limits(programs: Programs, larder: Path) -> None:
    keys = programs.folder / "keys"
    keys.write_text(f"till:sha256-{hashlib.sha256(KEY.encode()).hexdigest()}\n")
    front = Front(programs, larder, "nginx, X-Forwarded-For",
                  f'api_keys: {{ file: "{keys}" }}\n  rate_limit: {{ rate: 10/s, burst: 20 }}')
    key = {"Authorization": f"Bearer {KEY}"}
    if front.ask("/products", "127.0.0.2")[0] != 401 or front.ask("/products", "127.0.0.2", key)[0] != 200:
        raise Failure("a key does not decide")
    began, seen, calm = time.monotonic(), [], 0
    while time.monotonic() - began < 5:
        seen.append(front.ask("/products/p-2", "127.0.0.3", key))
        if time.monotonic() - began > calm / 8:
            calm += 1
            if front.ask("/products/p-3", "127.0.0.4", key)[0] != 200:
                raise Failure("a client below its rate is refused")
    served = sum(status == 200 for status, _ in seen)
    refused = [fields for status, fields in seen if status == 429]
    most = 20 + 10 * (time.monotonic() - began) + 1
    if not refused or not 60 <= served <= most or "retry-after" not in refused[0]:
        raise Failure(f"{served} of {len(seen)} served, {most:.0f} at most; {refused[:1]}")
    print(f"{served} of {len(seen)} requests in 5 s at 10/s and a burst of 20; refused: {refused[0]['ratelimit']}")
    keys.write_text(f"till:sha256-{hashlib.sha256(b'another').hexdigest()}\n")
    until(lambda: front.ask("/products", "127.0.0.5", key)[0] == 401, "the old key is refused")
    keys.write_text("till:another\n")
    until(lambda: "API keys" in ready(front.admin), "readiness names the bad file")
    if front.ask("/products", "127.0.0.5", {"X-Api-Key": "another"})[0] != 200:
        raise Failure("the last good keys are not in force")
    print(next(line for line in ready(front.admin).splitlines() if "API keys" in line))
    front.close()


def ready(port: int) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request("GET", "/readyz?verbose")
    return connection.getresponse().read().decode()


if __name__ == "__main__":
    sys.exit(main())
