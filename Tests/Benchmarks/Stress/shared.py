"""Imports from the benchmark beside, for the stress tests."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "Serve"))

from catalogues import get, write_catalogue
from processes import Failure, Processes, free_ports, parser, resident, run, two_cores, until, wait_for

__all__ = ["Failure", "Processes", "free_ports", "get", "parser", "resident", "run", "two_cores", "until", "wait_for",
           "write_catalogue"]
