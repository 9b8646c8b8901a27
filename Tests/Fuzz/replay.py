"""Compiles the fuzzers of the C shim for a machine, and gives them their corpora: `make check-arm64`.

Every read at an address that its type forbids ends them, and so does all else that the sanitizer of undefined behaviour
finds. The shim's probe runs too.
"""

import argparse
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from fuzz import FUZZERS

REPOSITORY = Path(__file__).resolve().parents[2]
SHIM = REPOSITORY / "Sources" / "CEventShim"
TESTS = REPOSITORY / "Tests"
GUARD = TESTS / "Fuzz" / "Guard"
ALL = sorted(SHIM.glob("*/*.c"))
SERVER = [GUARD / "fuzz_server.c", GUARD / "second_reader.c"]
SOURCES = {
    "guard": [*sorted((SHIM / "guard").glob("*.c")), GUARD / "guard_fuzz.c", GUARD / "second_reader.c"],
    "edge": [*ALL, GUARD / "edge_fuzz.c", *SERVER],
    "tls": [*ALL, GUARD / "tls_fuzz.c", *SERVER, TESTS / "CEventShimProbe" / "tls_certificate.c"],
    "proxy": [*ALL, GUARD / "proxy_fuzz.c"],
    "redis": [*ALL, TESTS / "Fuzz" / "Redis" / "redis_fuzz.c"],
}
FLAGS = ["-std=gnu11", "-g", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{SHIM}", f"-I{SHIM / 'include'}", f"-I{TESTS}"]
SANITIZER = ["-fsanitize=undefined,alignment", "-fno-sanitize-recover=all"]
LIBRARIES = ["-levent_openssl", "-levent", "-lhiredis", "-lssl", "-lcrypto", "-lcurl", "-lpthread"]
FAULT = """#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *bytes, unsigned long size) { return size > 4 && *(const uint32_t *)bytes == 1; }
"""
"""Reads four bytes from wherever they are."""


class Machine:
    """A compiler, and what runs its programs."""

    def __init__(self, options: argparse.Namespace, folder: Path):
        self.compiler, self.runner, self.folder = shlex.split(options.cc), shlex.split(options.run), folder

    def compiled(self, name: str, sources: list[Path], flags: list[str]) -> Path:
        program = self.folder / name
        subprocess.run([*self.compiler, *FLAGS, *flags, *sources, "-o", program, *LIBRARIES], check=True)
        return program

    def run(self, program: Path, *words, seconds: int = 600) -> subprocess.CompletedProcess:
        return subprocess.run([*self.runner, program, *words], cwd=REPOSITORY, capture_output=True, text=True, check=False,
                              timeout=seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cc", default="gcc", help="the compiler, with the flags that it always has")
    parser.add_argument("--run", default="", help="what runs its programs, for another machine")
    options = parser.parse_args()
    is_good = True
    with tempfile.TemporaryDirectory() as folder:
        machine, replay = Machine(options, Path(folder)), TESTS / "Fuzz" / "replay.c"
        fault = Path(folder) / "fault.c"
        fault.write_text(FAULT)
        *_, corpus = FUZZERS["guard"]
        done = machine.run(machine.compiled("fault", [replay, fault], SANITIZER), corpus)
        found = done.returncode != 0 and "misaligned address" in done.stderr
        print(f"a planted unaligned read: {'found' if found else 'NOT FOUND'}", flush=True)
        is_good &= found
        for name, sources in SOURCES.items():
            *_, corpus = FUZZERS[name]
            done = machine.run(machine.compiled(name, [replay, *sources], SANITIZER), corpus)
            print(f"{name}: {done.stdout.strip() or f'FAILED, exit code {done.returncode}: {done.stderr[-2000:]}'}", flush=True)
            is_good &= done.returncode == 0
        probe = machine.compiled("probe", [*ALL, *sorted((TESTS / "CEventShimProbe").glob("[a-z]*.c"))], [])
        done = machine.run(probe)
        print(done.stdout.strip() if done.returncode == 0 else f"probe: FAILED: {done.stdout[-500:]}{done.stderr[-2000:]}")
        is_good &= done.returncode == 0
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
