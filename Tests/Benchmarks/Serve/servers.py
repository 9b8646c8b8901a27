"""Larder and its peers, with the same answers at the same targets."""

import getpass
import gzip
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from catalogues import LOOK_UP, Answer, get, whole, write_catalogue
from processes import Processes, end, free_ports, until, wait_for

HERE = Path(__file__).parent
SIZES = {"hundred": 100, "one": 1, "many": 7000}
PEERS = ("floor", "plain evhttp", "nginx", "Varnish")
ENCRYPTED = ("Larder", "floor", "nginx")
"""Those that speak TLS."""
NAMES = ("Larder", *PEERS)
EXAMPLES = ("opt-out", "audience")
"""Graphs of config/examples that are to be as fast as the default one."""
UNLOGGED = ",".join("-" + tag for tag in (
    "Begin End Link SessOpen SessClose Timestamp ReqStart ReqMethod ReqURL ReqProtocol ReqHeader ReqUnset ReqAcct "
    "RespProtocol RespStatus RespReason RespHeader RespUnset VCL_call VCL_return VCL_use Hit HitMiss Length").split())
"""All that Varnish would write to its log for an answer from its cache."""


@dataclass(frozen=True)
class Representation:
    """An answer of Larder, which its peers then send as well."""

    target: str
    coding: str
    tag: str
    body: bytes


@dataclass
class Servers:
    """Everything that runs: who serves which catalogue, on which port, as which process."""

    processes: Processes
    binaries: dict[str, str]
    server_core: int
    load_core: int
    ports: dict[tuple[str, str], int] = field(default_factory=dict)
    pids: dict[tuple[str, str], int] = field(default_factory=dict)
    answers: dict[tuple[str, str, str], Representation] = field(default_factory=dict)
    compresses: bool = False
    """Whether Larder gzips; its peers send what Python makes of the body where it does not."""

    def start(self) -> None:
        self.make_certificate()
        for catalogue in SIZES:
            upstream, _ = self.start_upstream(catalogue)
            for place in (catalogue, encrypted(catalogue)):
                self.start_larder(place, upstream, ttl="1h")
            self.record(catalogue)
            self.start_plain(catalogue)
            self.start_floor(catalogue)
        self.start_nginx()
        self.start_varnish()
        for graph in EXAMPLES:
            self.start_example(graph)
        self.start_stale()

    def make_certificate(self) -> None:
        """Elliptic, as most are by now."""
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-out", self.chain, "-keyout", self.key],
            check=True, capture_output=True, timeout=60)
        self.key.chmod(0o644)

    @property
    def chain(self) -> Path:
        return self.processes.folder / "chain.pem"

    @property
    def key(self) -> Path:
        return self.processes.folder / "key.pem"

    def start_upstream(self, catalogue: str):
        """The practice upstream, on the core of the load: it has nothing to do while that runs."""
        [port] = free_ports(1)
        command = [self.binaries["larder"], "upstream", "--listen", f"127.0.0.1:{port}"]
        if SIZES[catalogue] != 100:
            made_up = get(self.ports["upstream", "hundred"], "/products").body
            path = write_catalogue(self.processes.folder / f"{catalogue}.json", made_up, SIZES[catalogue])
            command += ["--catalogue", str(path)]
        process = self.processes.start(f"upstream-{catalogue}", command, core=self.load_core)
        wait_for(port, process)
        self.ports["upstream", catalogue] = port
        return port, process

    def start_larder(self, catalogue: str, upstream: int, ttl: str) -> None:
        port, admin = free_ports(2)
        folder = self.processes.folder
        config = folder / f"larder-{catalogue}.yaml"
        tls = f'{{ certificate: "{self.chain}", key: "{self.key}" }}' if is_encrypted(catalogue) else "off"
        values = dict(port=port, admin=admin, upstream=upstream, ttl=ttl, data=folder / f"data-{catalogue}", tls=tls)
        config.write_text(filled("larder.yaml.in", values))
        self.serve(catalogue, config, port)

    def start_stale(self) -> None:
        """A Larder whose upstream is gone and whose answers are past their ttl."""
        upstream, process = self.start_upstream("hundred")
        self.start_larder("stale", upstream, ttl="1s")
        end(process)
        until(lambda: "ttl=-" in get(self.ports["Larder", "stale"], "/products").headers.get("cache-status", ""),
              "Larder's answer is stale", patience=30)

    def start_example(self, graph: str) -> None:
        """A Larder with an example's config, in front of the practice upstream."""
        port, admin = free_ports(2)
        environment = {"LARDER_LISTEN": f"127.0.0.1:{port}", "LARDER_ADMIN": f"127.0.0.1:{admin}", "LARDER_TTL": "1h",
                       "LARDER_DATA": str(self.processes.folder / f"data-{graph}"),
                       "LARDER_UPSTREAM_URL": f"http://127.0.0.1:{self.ports['upstream', 'hundred']}"}
        config = HERE.parents[2] / "config" / "examples" / f"{graph}.yaml"
        self.serve(graph, config, port, environment)

    def serve(self, place: str, config: Path, port: int, environment: dict | None = None) -> None:
        """Starts Larder, and returns when it has a catalogue."""
        self.run("Larder", place, [self.binaries["larder"], "serve", "--config", str(config)], port, environment)
        until(lambda: get(port, "/products", tls=is_encrypted(place)).status == 200,
              f"Larder has a catalogue ({place})", patience=30)

    def record(self, catalogue: str) -> None:
        """Takes down what Larder answers."""
        port = self.ports["Larder", catalogue]
        for target in ["/products"] + ([LOOK_UP] if catalogue == "hundred" else []):
            plain = get(port, target)
            zipped = get(port, target, {"Accept-Encoding": "gzip"})
            tag, body = f'{plain.headers["etag"][:-1]}-gzip"', gzip.compress(plain.body, 6, mtime=0)
            if zipped.headers.get("content-encoding") == "gzip":
                self.compresses = True
                tag, body = zipped.headers["etag"], zipped.body
            for one in (Representation(target, "identity", plain.headers["etag"], plain.body),
                        Representation(target, "gzip", tag, body)):
                self.answers[catalogue, target, one.coding] = one

    def start_plain(self, catalogue: str) -> None:
        [port] = free_ports(1)
        command = [self.binaries["plain"], str(port)]
        for number, (key, one) in enumerate(self.answers.items()):
            if key[0] == catalogue:
                path = self.processes.folder / f"{number}.body"
                path.write_bytes(one.body)
                command += [one.target, one.coding, one.tag, str(path)]
        self.run("plain evhttp", catalogue, command, port)

    def start_floor(self, catalogue: str) -> None:
        """Sends Larder's own answer."""
        answer = self.processes.folder / f"{catalogue}.answer"
        answer.write_bytes(whole(self.ports["Larder", catalogue], "/products"))
        for place, files in ((catalogue, []), (encrypted(catalogue), [self.chain, self.key])):
            [port] = free_ports(1)
            self.run("floor", place, [self.binaries["floor"], port, answer, *files], port)

    def start_nginx(self) -> None:
        places = [place for catalogue in SIZES for place in (catalogue, encrypted(catalogue))]
        ports, blocks = dict(zip(places, free_ports(len(places)))), []
        for place, port in ports.items():
            origin = self.ports["plain evhttp", place.removesuffix(encrypted(""))]
            blocks.append(f"    server {{\n        listen 127.0.0.1:{port}{' ssl' if is_encrypted(place) else ''};\n"
                          f"        location / {{ proxy_pass http://127.0.0.1:{origin}; }}\n    }}")
        config = self.processes.folder / "nginx.conf"
        config.write_text(filled("nginx.conf.in", dict(
            folder=self.processes.folder, user=getpass.getuser(), servers="\n".join(blocks), chain=self.chain,
            key=self.key)))
        for catalogue, port in ports.items():
            self.share("nginx", catalogue, ["nginx", "-c", str(config), "-e", "stderr"], port)

    def start_varnish(self) -> None:
        ports, backends, choices = dict(zip(SIZES, free_ports(len(SIZES)))), [], []
        for catalogue in ports:
            origin = self.ports["plain evhttp", catalogue]
            backends.append(f'backend {catalogue} {{ .host = "127.0.0.1"; .port = "{origin}"; }}')
            choices.append(f'    if (local.socket == "{catalogue}") {{ set req.backend_hint = {catalogue}; }}')
        config = self.processes.folder / "varnish.vcl"
        config.write_text(filled("varnish.vcl.in", dict(backends="\n".join(backends), choices="\n".join(choices))))
        command = ["varnishd", "-F", "-n", str(self.processes.folder / "varnish"), "-f", str(config),
                   "-s", "malloc,256m", "-j", "none"]
        for catalogue, port in ports.items():
            command += ["-a", f"{catalogue}=127.0.0.1:{port}"]
        # One pool for one core, a thread for each connection, nothing written to the log; bodies as the origin codes
        # them: unzipping for each client that takes no gzip would cost Varnish most of its speed.
        for parameter in ("thread_pools=1", "thread_pool_min=300", "thread_pool_max=1000", f"vsl_mask={UNLOGGED}",
                          "http_gzip_support=off", "timeout_idle=60"):
            command += ["-p", parameter]
        for catalogue, port in ports.items():
            self.share("Varnish", catalogue, command, port)

    def share(self, name: str, catalogue: str, command: list[str], port: int) -> None:
        """One process serves all catalogues, each on a port of its own."""
        if (known := self.pids.get((name, next(iter(SIZES))))) is None:
            self.run(name, catalogue, command, port)
        else:
            self.ports[name, catalogue], self.pids[name, catalogue] = port, known

    def run(self, name: str, catalogue: str, command: list[str], port: int, environment: dict | None = None) -> None:
        process = self.processes.start(f"{name}-{catalogue}".replace(" ", "-"), command, environment,
                                       core=self.server_core)
        wait_for(port, process)
        self.ports[name, catalogue], self.pids[name, catalogue] = port, process.pid


def encrypted(catalogue: str) -> str:
    """The place at which a catalogue is served over TLS."""
    return f"{catalogue}-tls"


def is_encrypted(place: str) -> bool:
    return place.endswith(encrypted(""))


def filled(template: str, values: dict[str, object]) -> str:
    """A template's text with each `@name@` replaced."""
    text = (HERE / template).read_text()
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    return text


def is_hit(name: str, answer: Answer) -> bool:
    """Whether a cache answered from memory, as it says itself."""
    if name == "nginx":
        return answer.headers.get("x-cache-status") == "HIT"
    if name == "Varnish":
        return len(answer.headers.get("x-varnish", "").split()) == 2
    return True
