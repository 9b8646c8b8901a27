"""HAProxy, told of endpoints as a cluster's proxies are: a while after they have changed.

It tries nothing twice, so that what a pod does wrong reaches the client.
"""

import asyncio
import socket

from programs import Programs, free_ports, until

SLOTS = 16
CONFIG = """
global
    stats socket {socket} mode 600 level admin
    maxconn 4000
defaults
    mode http
    timeout connect 1s
    timeout client 60s
    timeout server 30s
    retries 0
frontend clients
    bind 127.0.0.1:{port}
    default_backend pods
backend pods
    balance roundrobin
    server-template pod 1-{slots} 127.0.0.1:1 disabled
"""


class Proxy:
    """One backend with room for `SLOTS` endpoints."""

    def __init__(self, programs: Programs, lag: float):
        [self.port] = free_ports(1)
        self.lag = lag
        self.socket = programs.folder / "haproxy.socket"
        config = programs.folder / "haproxy.cfg"
        config.write_text(CONFIG.format(socket=self.socket, port=self.port, slots=SLOTS))
        program = programs.start("haproxy", ["haproxy", "-db", "-f", config])
        until(self.socket.exists, "HAProxy runs", program)
        self.slots: dict[int, int] = {}
        self.tasks: set[asyncio.Task] = set()

    def change(self, port: int, is_endpoint: bool) -> None:
        """An endpoint has come or gone; requests follow when the lag is over."""
        task = asyncio.create_task(self.follow(port, is_endpoint))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def follow(self, port: int, is_endpoint: bool) -> None:
        await asyncio.sleep(self.lag)
        if not is_endpoint:
            if slot := self.slots.get(port):
                self.say(f"set server pods/pod{slot} state maint")
            return
        slot = self.slots.setdefault(port, len(self.slots) + 1)
        self.say(f"set server pods/pod{slot} addr 127.0.0.1 port {port}")
        self.say(f"set server pods/pod{slot} state ready")

    def say(self, command: str) -> str:
        """A command on HAProxy's own socket."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.socket))
            connection.sendall(f"{command}\n".encode())
            return connection.makefile().read()
