"""How a stress test starts and ends."""

import argparse
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from shared import Failure, Processes, Stopped

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)


def run(name: str, test: Callable[[Processes, argparse.Namespace], bool], options: argparse.Namespace,
        most_seconds: int) -> int:
    """Runs a test with a folder of its own, for so long at most, and ends all that it started. The exit code."""
    for number in SIGNALS:
        signal.signal(number, stop)
    signal.alarm(most_seconds)
    folder = Path(tempfile.mkdtemp(prefix=f"larder-{name}-"))
    try:
        with Processes(folder) as processes:
            return 0 if test(processes, options) else 1
    except (Failure, Stopped) as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def stop(number: int, _) -> None:
    for other in SIGNALS:
        signal.signal(other, signal.SIG_IGN)
    raise Stopped(f"stopped by {signal.Signals(number).name}")
