"""The machine and the versions behind the figures."""

import os
import platform
import re
import subprocess
from pathlib import Path


def description(larder: str) -> list[str]:
    """The machine, then the versions."""
    model = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return [f"{model.group(1) if model else platform.machine()}, {os.cpu_count()} cores, Linux {platform.release()}",
            f"Larder {first_line([larder, '--version'])}, libevent {package('libevent-dev')}, "
            f"nginx {package('nginx-light')}, Varnish {package('varnish')}, wrk {package('wrk')}"]


def package(name: str) -> str:
    """A Debian package's version."""
    return first_line(["dpkg-query", "-W", "-f=${Version}", name])


def first_line(command: list[str]) -> str:
    run = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    return (run.stdout.splitlines() or ["(unknown)"])[0]
