"""Does to processes what the kubelet does to containers: probes, thresholds, restarts, grace periods."""

import asyncio
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import manifests
from manifests import PodSpec, Probe
from programs import Programs, free_ports

FIRST_PAUSE = 1.0
"""Between two starts of a container; doubled each time. The kubelet begins with ten seconds."""


@dataclass
class Pod:
    """A process, and what is known about it."""

    name: str
    folder: Path
    ports: dict[str, int]
    process: subprocess.Popen | None = None
    is_ready: bool = False
    is_terminating: bool = False
    restarts: int = 0
    exit_codes: list[int] = field(default_factory=list)
    watch: asyncio.Task | None = None
    ready_since: float = 0


class Kubelet:
    """Runs pods; `on_change(pod)` is told when one becomes ready, or is so no more."""

    def __init__(self, programs: Programs, larder: Path, upstream: int, spec: PodSpec, on_change):
        self.programs, self.larder, self.upstream = programs, larder, upstream
        self.spec, self.on_change = spec, on_change
        self.count = 0

    def run(self) -> Pod:
        """Starts a pod, and watches it from now on."""
        self.count += 1
        folder = self.programs.folder / f"pod-{self.count}"
        (folder / "secrets").mkdir(parents=True)
        for secret in ("token", "admin-token"):
            (folder / "secrets" / secret).write_text("drill\n")
        http, admin = free_ports(2)
        pod = Pod(folder.name, folder, {"http": http, "admin": admin})
        (folder / "larder.yaml").write_text(manifests.config(pod.ports))
        pod.watch = asyncio.create_task(self.watch(pod))
        return pod

    async def terminate(self, pod: Pod) -> int:
        """Deletes a pod as the API server would have it: not ready at once, preStop, SIGTERM, grace, SIGKILL."""
        pod.is_terminating = True
        self.note(pod, False)
        pod.watch.cancel()
        deadline = time.monotonic() + self.spec.grace
        await asyncio.sleep(self.spec.pre_stop)
        pod.process.send_signal(signal.SIGTERM)
        return await self.ended(pod, deadline)

    async def ended(self, pod: Pod, deadline: float) -> int:
        """Waits for the end of the process until the deadline, and makes it then; gives its exit code."""
        while pod.process.poll() is None:
            if time.monotonic() > deadline:
                pod.process.kill()
            await asyncio.sleep(0.02)
        pod.exit_codes.append(pod.process.returncode)
        return pod.process.returncode

    async def watch(self, pod: Pod) -> None:
        """Starts the container, and starts it again whenever it has ended or a probe has it killed."""
        pause = FIRST_PAUSE
        while True:
            pod.process = self.programs.start(
                pod.name, [self.larder, "serve", "--config", pod.folder / "larder.yaml"],
                {"LARDER_UPSTREAM": f"127.0.0.1:{self.upstream}", "LARDER_DATA": str(pod.folder / "data"),
                 "LARDER_SECRETS": str(pod.folder / "secrets")})
            probes = asyncio.create_task(self.probe(pod))
            try:
                while pod.process.poll() is None and not probes.done():
                    await asyncio.sleep(0.02)
            finally:
                probes.cancel()
            self.note(pod, False)
            if pod.process.poll() is None:
                pod.process.send_signal(signal.SIGTERM)
            await self.ended(pod, time.monotonic() + self.spec.grace)
            pod.restarts += 1
            await asyncio.sleep(pause)
            pause *= 2

    async def probe(self, pod: Pod) -> None:
        """Returns when the container has to be killed."""
        if not await self.verdict(pod, self.spec.startup):
            return
        readiness = asyncio.create_task(self.keep_ready(pod))
        try:
            while await self.verdict(pod, self.spec.liveness):
                await asyncio.sleep(self.spec.liveness.period)
        finally:
            readiness.cancel()

    async def keep_ready(self, pod: Pod) -> None:
        probe, goods, bads = self.spec.readiness, 0, 0
        while True:
            is_good = await answers(pod, probe)
            goods, bads = (goods + 1, 0) if is_good else (0, bads + 1)
            if goods >= probe.successes:
                self.note(pod, True)
            elif bads >= probe.failures:
                self.note(pod, False)
            await asyncio.sleep(probe.period)

    async def verdict(self, pod: Pod, probe: Probe) -> bool:
        """Whether the probe succeeds before it has failed as often as it may."""
        for attempt in range(probe.failures):
            if attempt:
                await asyncio.sleep(probe.period)
            if await answers(pod, probe):
                return True
        return False

    def note(self, pod: Pod, is_ready: bool) -> None:
        if pod.is_ready == is_ready or (is_ready and pod.is_terminating):
            return
        pod.is_ready, pod.ready_since = is_ready, time.monotonic()
        self.on_change(pod)


async def answers(pod: Pod, probe: Probe) -> bool:
    """Whether the probe gets a status from 200 to 399 in time."""
    try:
        async with asyncio.timeout(probe.timeout):
            reader, writer = await asyncio.open_connection("127.0.0.1", pod.ports[probe.port])
            try:
                writer.write(f"GET {probe.path} HTTP/1.1\r\nHost: pod\r\nUser-Agent: kube-probe/1.37\r\n"
                             "Connection: close\r\n\r\n".encode())
                return 200 <= int((await reader.readline()).split()[1]) < 400
            finally:
                writer.close()
    except (OSError, TimeoutError, ValueError, IndexError):
        return False
