"""TLS clients that send key updates and renegotiations by the thousand against one Larder: `make stress-tls`.

The attacks are those of the shim's probe. While they go on for a minute, beside wrk over plain requests of other TLS
clients, the process must go on and `/livez` must answer within 100 ms for 99 of 100 probes.
"""

import argparse
import ssl
import subprocess
import sys
from pathlib import Path

from observers import Observer
from shared import Failure, Processes, parser, run, two_cores
from victim import Victim, Watch

CERTIFICATES = Path(__file__).resolve().parents[2] / "TestSupport" / "Certificates"
TLS = f"{{ certificate: {CERTIFICATES / 'first.pem'}, key: {CERTIFICATES / 'first-test-key.pem'} }}"
LATENCY_LIMIT = 100
"""Milliseconds that 99 of 100 probes may take."""


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--probe", required=True, help="the shim's probe, which has the attacks")
    arguments.add_argument("--seconds", type=int, default=60)
    options = arguments.parse_args()
    return run("key-updates", lambda processes: test(processes, options), most_seconds=options.seconds + 120)


def test(processes: Processes, options: argparse.Namespace) -> bool:
    victim = Victim(processes, options.larder, two_cores(), products=100, limits="connections: 10000", tls=TLS)
    with Watch(victim) as watch, Observer(victim.port, "/livez", 0.05, tls=trusting()) as probe:
        load = subprocess.Popen(command(victim, "wrk", "-t1", "-c16", f"-d{options.seconds}s",
                                        f"https://127.0.0.1:{victim.port}/products"),
                                stdout=subprocess.PIPE, text=True)
        attack = subprocess.run(command(victim, options.probe, "--attack", str(victim.port), str(options.seconds)),
                                capture_output=True, text=True, timeout=options.seconds + 60)
        served = load.communicate(timeout=60)[0]
    print(attack.stdout.strip() or f"the attack ended with {attack.returncode}: {attack.stderr.strip()}")
    print("\n".join(line.strip() for line in served.splitlines() if "requests in" in line or "Socket errors" in line))
    if not victim.is_running():
        raise Failure(f"Larder ended with {victim.process.poll()}")
    print(f"/livez: {probe.summary} (count | p50 | p99 | max ms), {len(probe.failures)} failed; MiB {watch.memory}")
    return attack.returncode == 0 and not probe.failures and probe.percentile(0.99) < LATENCY_LIMIT


def command(victim: Victim, *words: str) -> list[str]:
    return ["taskset", "-c", str(victim.cores[1]), *words]


def trusting() -> ssl.SSLContext:
    """The certificate is the tests' own."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


if __name__ == "__main__":
    sys.exit(main())
