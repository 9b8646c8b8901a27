"""The instructions of a request by function, from two runs of callgrind that differ in the number of requests alone."""

import re
import shutil
import subprocess
from pathlib import Path

LEAST = 20
"""Instructions a request; what costs less is left out."""
LINE = re.compile(r"^ *([0-9,]+) \([^)]*\)  (.*)$")


def write_profile(few: Path, many: Path, requests: int) -> None:
    """Writes, next to the profiles, what each function costs a request: by itself, and with all that it calls."""
    for inclusive in ("no", "yes"):
        less, more = functions(few, inclusive), functions(many, inclusive)
        costs = {name: (count - less.get(name, 0)) / requests for name, count in more.items()}
        ranked = sorted(costs.items(), key=lambda pair: -pair[1])
        lines = [f"{cost:10,.0f}  {name}" for name, cost in ranked if cost >= LEAST]
        kind = {"no": "self", "yes": "inclusive"}[inclusive]
        many.with_name(f"{many.name}.{kind}.txt").write_text(readable("\n".join(lines) + "\n"))


def functions(profile: Path, inclusive: str) -> dict[str, int]:
    """Instructions by function."""
    command = ["callgrind_annotate", f"--inclusive={inclusive}", "--threshold=100", "--auto=no", str(profile)]
    run = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120, check=True)
    found: dict[str, int] = {}
    for match in filter(None, map(LINE.match, run.stdout.splitlines())):
        place = re.sub(r" \[[^]]*\]$", "", match.group(2))
        name = place.partition(":")[2] or "(all)"
        found[name] = found.get(name, 0) + int(match.group(1).replace(",", ""))
    return found


def readable(text: str) -> str:
    """With Swift's names as Swift writes them, where the toolchain is at hand."""
    if shutil.which("swift") is None:
        return text
    return subprocess.run(["swift", "demangle", "--simplified"], input=text, capture_output=True, text=True, timeout=60,
                          check=True).stdout
