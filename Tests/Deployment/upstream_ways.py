"""Ways to an upstream: its authority, its name, the client's certificate, proxies and a unix socket.

nginx is the upstream, Squid the proxy, `openssl` the authority. Each way is taken once by `larder fetch`, which must get the
product, or name what has failed. Then a service runs while the files of its authority and its certificate are replaced: log
and readiness must name the failure, and the next connections must use the new files.
"""

import argparse
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from programs import Failure, Programs, ask, free_ports, parser, run, until

PASSWORD = "s3cret-of-the-proxy"
PRODUCT = '[{"type":"physical","id":"1","name":"Mug","price":{"amount":1,"currency":"EUR"}}]'
NGINX = """
daemon off;
master_process off;
pid {folder}/pid;
error_log stderr warn;
events {{}}
http {{
    log_format facts '$server_port $ssl_client_s_dn $connection $ssl_server_name $http_host';
    access_log {folder}/access facts;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    default_type application/json;
    server {{ listen 127.0.0.1:{plain}; listen unix:{folder}/shop.sock; location / {{ return 200 '{product}'; }} }}
    {servers}
}}
"""
SERVER = """
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {folder}/{name}.crt;
        ssl_certificate_key {folder}/{name}.key;
        {clients}
        location / {{ return 200 '{product}'; }}
    }}
"""
SQUID = """
http_port 127.0.0.1:{open} name=open
http_port 127.0.0.1:{locked} name=locked
auth_param basic program /usr/lib/squid/basic_ncsa_auth {folder}/users
auth_param basic children 1
acl open myportname open
acl users proxy_auth REQUIRED
acl forbidden dstdomain forbidden.example
http_access deny forbidden
http_access allow open
http_access allow users
http_access deny all
cache deny all
access_log none
cache_log /dev/null
cache_store_log none
pid_filename none
netdb_filename none
pinger_enable off
coredump_dir /
shutdown_lifetime 1 second
"""
SERVICE = """
http: {{ listen: "127.0.0.1:{http}", threads: 1, drain: {{ delay: 1ms, deadline: 5s }} }}
admin: {{ listen: "127.0.0.1:{admin}" }}
providers:
  shop:
    type: http
    request: {{ base_url: "https://localhost:{upstream}", path: /products }}
    tls: {{ ca_file: "{folder}/used.pem", certificate: "{folder}/own.pem", key: "{folder}/own.key" }}
  storefront: {{ type: memory, ttl: 200ms, refresh: background, hold_off: 100ms, upstream: shop }}
serve: storefront
"""


def main() -> int:
    options = parser(__doc__).parse_args()
    return run("upstream-ways", lambda programs: drill(programs, options), most_seconds=180)


class Authority:
    """Issues certificates into its folder."""

    def __init__(self, folder: Path, name: str):
        self.folder, self.name = folder, name
        self.openssl("req", "-x509", *self.key(name), "-out", f"{name}.crt", "-subj", f"/CN={name}")

    def issue(self, name: str, names: str = "DNS:localhost", days: int = 3) -> None:
        (self.folder / "ext").write_text(f"subjectAltName={names}\n")
        self.openssl("req", "-new", *self.key(name), "-out", "csr", "-subj", f"/CN={name}")
        self.openssl("x509", "-req", "-in", "csr", "-CA", f"{self.name}.crt", "-CAkey", f"{self.name}.key",
                     "-CAcreateserial", "-days", str(days), "-extfile", "ext", "-out", f"{name}.crt")

    @staticmethod
    def key(name: str) -> list[str]:
        return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", f"{name}.key"]

    def openssl(self, *words: str) -> None:
        done = subprocess.run(["openssl", *words], cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            raise Failure(f"openssl {words[0]}: {done.stderr}")


@dataclass
class Way:
    """A way of `larder fetch`, and the words that its failure must have; without them it gets the product."""

    name: str
    base: str
    settings: str = ""
    words: str = ""


class Table:
    """What was seen, a row for each way."""

    def __init__(self):
        self.failed = 0

    def row(self, name: str, is_right: bool, seen: str) -> None:
        self.failed += not is_right
        print(f"{'ok  ' if is_right else 'FAIL'} {name:<52} {seen}", flush=True)


def drill(programs: Programs, options: argparse.Namespace) -> bool:
    folder = programs.folder
    authority = Authority(folder, "first-ca")
    for name, words in {"good": {}, "old": {"days": -1}, "other": {"names": "DNS:other.example"}, "one": {},
                        "two": {}}.items():
        authority.issue(name, **words)
    Authority(folder, "second-ca").issue("moved")
    ports = dict(zip(["plain", "good", "old", "other", "mutual", "open", "locked", "closed"], free_ports(8)))
    start_nginx(programs, ports)
    start_squid(programs, ports)
    table = Table()
    for way in ways(folder, ports):
        take(way, programs, options.larder, table)
    check_warning(folder, ports, options.larder, table)
    rotate(programs, ports, options.larder, table)
    return table.failed == 0


def start_nginx(programs: Programs, ports: dict, mutual: str = "good") -> subprocess.Popen:
    folder = programs.folder
    clients = f"ssl_verify_client on; ssl_client_certificate {folder}/first-ca.crt;"
    names = {"good": ("good", ""), "old": ("old", ""), "other": ("other", ""), "mutual": (mutual, clients)}
    servers = "".join(
        SERVER.format(port=ports[port], folder=folder, name=name, clients=extra, product=PRODUCT)
        for port, (name, extra) in names.items())
    (folder / "nginx.conf").write_text(
        NGINX.format(folder=folder, plain=ports["plain"], servers=servers, product=PRODUCT))
    (folder / "shop.sock").unlink(missing_ok=True)
    program = programs.start("nginx", ["nginx", "-e", "stderr", "-c", folder / "nginx.conf"])
    until(lambda: answers(ports["plain"]), "nginx answers", program)
    return program


def start_squid(programs: Programs, ports: dict) -> None:
    folder = programs.folder
    code = subprocess.run(["openssl", "passwd", "-apr1", PASSWORD], capture_output=True, text=True, check=True).stdout
    (folder / "users").write_text(f"larder:{code}")
    (folder / "users").chmod(0o644)
    (folder / "squid.conf").write_text(SQUID.format(folder=folder, open=ports["open"], locked=ports["locked"]))
    program = programs.start("squid", ["squid", "-N", "-f", folder / "squid.conf"])
    until(lambda: answers(ports["open"]), "Squid answers", program)


def answers(port: int) -> bool:
    try:
        return ask(port, "/")[0] > 0
    except OSError:
        return False


def ways(folder: Path, ports: dict) -> list[Way]:
    def base(name: str) -> str:
        return f"https://localhost:{ports[name]}"

    def proxy(name: str, user: str = "") -> str:
        return f'proxy: "http://{user}127.0.0.1:{ports[name]}"'

    def place(name: str) -> str:
        return f"certificate of localhost:{ports[name]} \\(CN={name}, issuer CN=first-ca\\): "

    trust = f"ca_file: {folder}/first-ca.crt"
    own = f"{trust}, certificate: {folder}/one.crt, key: {folder}/one.key"
    plain, user = f"http://localhost:{ports['plain']}", "larder:${PASS}@"
    return [
        Way("TLS by an authority of ca_file", base("good"), f"tls: {{ {trust} }}"),
        Way("the same without ca_file", base("good"), "",
            place("good") + "is not issued by a CA of the system"),
        Way("another ca_file", base("good"), f"tls: {{ ca_file: {folder}/second-ca.crt }}",
            place("good") + f"is not issued by a CA of {folder}/second-ca.crt"),
        Way("an expired certificate", base("old"), f"tls: {{ {trust} }}",
            place("old") + r"expired on \d{4}-\d\d-\d\d\)"),
        Way("a certificate for another name", base("other"), f"tls: {{ {trust} }}",
            place("other") + "is for other.example, not localhost"),
        Way("the same with server_name", base("other"), f"tls: {{ {trust}, server_name: other.example }}"),
        Way("an expired one with insecure_skip_verify", base("old"), "tls: { insecure_skip_verify: true }"),
        Way("mutual TLS", base("mutual"), f"tls: {{ {own} }}"),
        Way("the same without a certificate", base("mutual"), f"tls: {{ {trust} }}", "400 from https://localhost"),
        Way("plain HTTP through Squid", plain, proxy("open")),
        Way("TLS through Squid", base("good"), f"{proxy('open')}, tls: {{ {trust} }}"),
        Way("server_name through Squid", base("other"),
            f"{proxy('open')}, tls: {{ {trust}, server_name: other.example }}"),
        Way("plain HTTP through Squid, with credentials", plain, proxy("locked", user)),
        Way("TLS through Squid, with credentials", base("good"), f"{proxy('locked', user)}, tls: {{ {trust} }}"),
        Way("plain HTTP, Squid wants credentials", plain, proxy("locked"),
            r"no way through the proxy \(127.0.0.1:\d+ answered 407"),
        Way("TLS, Squid wants other credentials", base("good"), f"{proxy('locked', 'larder:wrong@')}, tls: {{ {trust} }}",
            r"no way through the proxy \(127.0.0.1:\d+ answered 407 to CONNECT\)"),
        Way("plain HTTP to a host that Squid forbids", "http://forbidden.example", proxy("open"),
            r"no way through the proxy \(127.0.0.1:\d+ answered 403: ERR_ACCESS_DENIED"),
        Way("TLS to a host that Squid forbids", "https://forbidden.example", proxy("open"),
            r"no way through the proxy \(127.0.0.1:\d+ answered 403 to CONNECT\)"),
        Way("a proxy that is not there", base("good"), proxy("closed"),
            rf"no way through the proxy \(127.0.0.1:{ports['closed']}: Failed to connect"),
        Way("an expired certificate behind Squid", base("old"), f"{proxy('open')}, tls: {{ {trust} }}",
            place("old") + "expired on"),
        Way("a host of no_proxy, a proxy that is not there", plain, f"{proxy('closed')}, no_proxy: [localhost]"),
        Way("proxy: environment", plain, "proxy: environment"),
        Way("only IPv4", plain, "resolve: ipv4"),
        Way("only IPv6, which no one listens on", plain, "resolve: ipv6", "refused|resolved|unreachable"),
        Way("a unix socket", f"unix:{folder}/shop.sock"),
        Way("a unix socket that is not there", f"unix:{folder}/none.sock", "", f"unix:{folder}/none.sock: "),
    ]


def take(way: Way, programs: Programs, larder: Path, table: Table) -> None:
    config = programs.folder / "way.yaml"
    settings = f", {way.settings}" if way.settings else ""
    config.write_text(
        f'serve: {{ type: http, request: {{ base_url: "{way.base}", path: /products }}, timeout: 10s, '
        f"connect_timeout: 10s{settings} }}\n")
    # The environment names a proxy that is not there, which only `proxy: environment` uses; of hosts but this one.
    environment = {"PATH": "/usr/bin:/bin", "PASS": PASSWORD, "http_proxy": "http://127.0.0.1:1",
                   "https_proxy": "http://127.0.0.1:1", "no_proxy": "localhost"}
    if "environment" not in way.settings:
        environment["no_proxy"] = ""
    done = subprocess.run([larder, "fetch", "--config", config], capture_output=True, text=True, env=environment,
                          timeout=60)
    last = (done.stderr.strip().splitlines() or [""])[-1]
    is_right = (done.returncode == 1 and re.search(way.words, last)) if way.words else done.returncode == 0
    is_silent = PASSWORD not in done.stdout + done.stderr
    table.row(way.name, bool(is_right) and is_silent, last if way.words or not is_right else "served")


def check_warning(folder: Path, ports: dict, larder: Path, table: Table) -> None:
    config = folder / "way.yaml"
    config.write_text(f'serve: {{ type: http, request: {{ base_url: "https://localhost:{ports["good"]}" }}, '
                      "tls: { insecure_skip_verify: true } }\n")
    done = subprocess.run([larder, "check", "--config", config], capture_output=True, text=True, timeout=60)
    seen = [line for line in done.stderr.splitlines() + done.stdout.splitlines() if "insecure_skip_verify" in line]
    table.row("check warns of insecure_skip_verify", done.returncode == 0 and len(seen) == 1, (seen or ["nothing"])[0])


def rotate(programs: Programs, ports: dict, larder: Path, table: Table) -> None:
    """Replaces files below a running service."""
    folder = programs.folder

    def put(source: str, target: str) -> None:
        shutil.copy(folder / source, folder / "new")
        (folder / "new").rename(folder / target)

    for source, target in (("first-ca.crt", "used.pem"), ("one.crt", "own.pem"), ("one.key", "own.key")):
        put(source, target)
    before = len((folder / "access").read_text().splitlines())
    http, admin = free_ports(2)
    config = folder / "service.yaml"
    config.write_text(SERVICE.format(http=http, admin=admin, upstream=ports["mutual"], folder=folder))
    service = programs.start("service", [larder, "serve", "--config", config])
    visitor = programs.start("visitor", [sys.executable, "-c", VISITOR.format(port=http)])

    def facts() -> list[list[str]]:
        """Client, connection, name and host of each request to the mutual server."""
        lines = [line.split(" ") for line in (folder / "access").read_text().splitlines()[before:]]
        return [line[1:] for line in lines if line[0] == str(ports["mutual"])]

    def ready() -> str:
        try:
            return ask(admin, "/readyz?verbose")[2].decode()
        except OSError:
            return ""

    def logged(words: str) -> list[str]:
        return [line for line in service.log.read_text().splitlines() if words in line]

    def served(client: str, since: int) -> bool:
        return any(one[0] == f"CN={client}" for one in facts()[since:])

    until(lambda: served("one", 0), "the service shows its certificate", service)
    until(lambda: len(facts()) > 2, "the service goes on", service)
    first = {one[1] for one in facts()}
    table.row("running: the first certificate", len(first) == 1, f"{len(facts())} requests on {len(first)} connection")

    put("two.crt", "own.pem")
    until(lambda: logged("TLS files cannot be used"), "the log names the half of a change", service)
    since = len(facts())
    time.sleep(1)
    table.row("running: a new certificate beside the old key", served("one", since) and not served("two", 0),
              "the old pair stays in use; the log says so once" if len(logged("TLS files cannot")) == 1 else "?")
    put("two.key", "own.key")
    seconds = until(lambda: served("two", since), "the service shows its new certificate", service)
    since = next(number for number, one in enumerate(facts()) if one[0] == "CN=two")
    time.sleep(1)
    table.row("running: a new certificate and key", not first & {one[1] for one in facts()[since:]}
              and not served("one", since), f"shown on a new connection after {seconds:.1f} s, the old one is not used")

    # The pooled connection is good still; without the authority it must not be used.
    put("second-ca.crt", "used.pem")
    words = f"is not issued by a CA of {folder}/used.pem"
    seconds = until(lambda: words in ready(), "readiness names the authority", service)
    [line] = re.findall(f"[^\n]*{re.escape(words)}", ready()) or [""]
    table.row("running: an authority that is taken away, readiness", bool(line), line.strip())
    seen = logged(words)
    table.row("running: the same, log", bool(seen), (seen or [""])[0][:160])

    put("first-ca.crt", "used.pem")
    seconds = until(lambda: words not in ready(), "the service recovers", service)
    table.row("running: the authority again", True, f"served after {seconds:.1f} s")

    nginx = next(process for process in programs.started if process.log.name == "nginx.log")
    nginx.send_signal(signal.SIGTERM)
    nginx.wait()
    start_nginx(programs, ports, mutual="moved")
    until(lambda: words in ready() and "CN=moved" in ready(), "readiness names the new server's certificate", service)
    (folder / "both").write_text((folder / "first-ca.crt").read_text() + (folder / "second-ca.crt").read_text())
    since = len(facts())
    put("both", "used.pem")
    seconds = until(lambda: served("two", since), "the service trusts the second authority", service)
    table.row("running: a server of another authority, both in ca_file", True, f"served after {seconds:.1f} s")
    visitor.terminate()


VISITOR = """
import time, urllib.request
while True:
    try:
        urllib.request.urlopen("http://127.0.0.1:{port}/products", timeout=5).read()
    except OSError:
        pass
    time.sleep(0.05)
"""

if __name__ == "__main__":
    sys.exit(main())
