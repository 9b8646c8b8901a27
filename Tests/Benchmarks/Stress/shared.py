"""What stress tests share with the benchmark that serves beside others."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "Serve"))

from catalogues import get, write_catalogue
from processes import Failure, Processes, Stopped, free_ports, two_cores, wait_for
from servers import until

__all__ = ["Failure", "Processes", "Stopped", "free_ports", "get", "two_cores", "until", "wait_for", "write_catalogue"]
