"""Reads and writes again the file on each line of the standard input, and says in how many ms of processor time."""

import sys
import time
from pathlib import Path

import orjson

print(orjson.__version__, flush=True)
for line in sys.stdin:
    content = Path(line.strip()).read_bytes()
    start = time.process_time()
    values = orjson.loads(content)
    written = orjson.dumps(values)
    print((time.process_time() - start) * 1000, flush=True)
    del values, written, content
