"""Runs all fuzzers at once, each from its corpus: `make fuzz`.

Beside the programs, a folder for each keeps what was found worth keeping, and there is a file for each input that
failed. In the package's folder, `.build-fuzz/edge-fuzz -merge=1 Tests/Fuzz/Guard/Corpus .build-fuzz/edge` adds to the
corpus what reaches further than it does. That may be hundreds: commit few, as `found_edge_…`; `CorpusTests` sends
them to a real server and has to know how many requests each has.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FUZZERS = {
    "guard": ["-max_len=2048", HERE / "Guard" / "Corpus"],
    "edge": ["-max_len=1024", HERE / "Guard" / "Corpus"],
    "tls": ["-max_len=2048", HERE / "Guard" / "CorpusTLS"],
    "proxy": ["-max_len=4200", HERE / "Guard" / "CorpusProxy"],
    "redis": ["-max_len=4096", HERE / "Redis" / "Corpus"],
    "query": ["-max_len=512", f"-dict={HERE / 'Query' / 'query.dict'}", HERE / "Query" / "Corpus"],
    **{f"decoding-{format}": ["-max_len=4096", f"-dict={HERE / 'Decoding' / 'decoding.dict'}", "-timeout=10",
                              HERE / "Decoding" / format / "Corpus"]
       for format in ("json", "jsonl", "csv", "tsv", "xml")},
    "catalogue": ["-max_len=4096", f"-dict={HERE / 'Catalogue' / 'catalogue.dict'}", HERE / "Catalogue" / "Corpus"],
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=Path, required=True, help="the folder with the fuzzers")
    parser.add_argument("--seconds", type=int, default=1800)
    parser.add_argument("--only", nargs="+", choices=FUZZERS, default=FUZZERS, help="the fuzzers to run; all if absent")
    options = parser.parse_args()
    running = {name: start(name, options) for name in options.only}
    try:
        return max([wait(name, process, options) for name, process in running.items()])
    finally:
        for process in running.values():
            process.kill()
            process.wait()


def start(name: str, options: argparse.Namespace) -> subprocess.Popen:
    """At the lowest priority, and without Swift's own report of a crash, which the fuzzer would wait for. In Swift no leaks
    are looked for: what an enum with a tagged pointer holds is taken for lost."""
    *flags, corpus = FUZZERS[name]
    found = options.programs / name
    found.mkdir(exist_ok=True)
    program, _, format = name.partition("-")
    command = ["nice", "-n", "19", options.programs / f"{program}-fuzz", *flags, f"-max_total_time={options.seconds}",
               f"-artifact_prefix={options.programs}/{name}-", "-print_final_stats=1", found, corpus]
    environment = os.environ | {"SWIFT_BACKTRACE": "enable=no"}
    if program in ("query", "catalogue", "decoding"):
        environment["ASAN_OPTIONS"] = "detect_leaks=0"
    if format:
        environment["LARDER_FUZZ_FORMAT"] = format
    with log(name, options).open("wb") as output:
        return subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output,
                                stderr=subprocess.STDOUT, env=environment)


def wait(name: str, process: subprocess.Popen, options: argparse.Namespace) -> int:
    """The exit code, after a line that says what came of it."""
    try:
        code = process.wait(options.seconds + 300)
    except subprocess.TimeoutExpired:
        print(f"{name}: did not end")
        return 1
    text = log(name, options).read_text(errors="replace")
    executed = re.search(r"stat::number_of_executed_units:\s*(\d+)", text)
    print(f"{name}: {executed.group(1) if executed else '?'} inputs, "
          f"{'no finding' if code == 0 else f'a finding: see {log(name, options)}'}", flush=True)
    return min(abs(code), 1)


def log(name: str, options: argparse.Namespace) -> Path:
    return options.programs / f"{name}.log"


if __name__ == "__main__":
    sys.exit(main())
