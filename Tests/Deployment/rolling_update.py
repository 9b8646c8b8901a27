"""A rolling update of the pods of config/kubernetes behind HAProxy, under load: no request may fail.

The pods are processes. A prober does what the kubelet does with the probes, preStop and grace period of the manifests;
HAProxy hears of endpoints a while late, as proxies of a cluster do. Afterwards one pod is killed and one is stopped,
and both must be started again and become ready.
"""

import argparse
import asyncio
import os
import signal
import sys
import time
from dataclasses import replace

import manifests
from kubelet import Kubelet, Pod
from load import Load
from programs import Failure, Programs, parser, run
from proxy import Proxy


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--rate", type=int, default=500, help="requests a second")
    arguments.add_argument("--lag", type=float, default=1, help="seconds until the proxy hears of a change")
    arguments.add_argument("--pre-stop", type=float, help="seconds, in place of what the manifest says")
    options = arguments.parse_args()
    return run("rolling", lambda programs: asyncio.run(drill(programs, options)))


async def drill(programs: Programs, options: argparse.Namespace) -> None:
    spec = manifests.PodSpec.read()
    if options.pre_stop is not None:
        spec = replace(spec, pre_stop=options.pre_stop)
    proxy = Proxy(programs, options.lag)
    kubelet = Kubelet(
        programs, options.larder, programs.start_upstream(options.larder), spec,
        lambda pod: proxy.change(pod.ports["http"], pod.is_ready))
    pods = [kubelet.run() for _ in range(manifests.replicas())]
    await asyncio.gather(*(available(pod, spec.min_ready) for pod in pods))
    await asyncio.sleep(options.lag)
    load = Load(programs, proxy.port, options.rate)
    try:
        pods = await update(kubelet, pods)
    finally:
        result = load.stop()
    print(f"rolling update of {len(pods)} pods: {result}")
    if result["failed"]:
        raise Failure(f"{result['failed']} of {result['asked']} requests failed:\n{load.failures()}")
    await crash(pods[0], signal.SIGKILL, spec)
    await crash(pods[1], signal.SIGSTOP, spec)
    for pod in pods:
        pod.watch.cancel()


async def update(kubelet: Kubelet, old: list[Pod]) -> list[Pod]:
    """Updates like a Deployment with maxSurge 1 and maxUnavailable 0: one comes before one goes."""
    new, ends = [], []
    for pod in old:
        new.append(kubelet.run())
        await available(new[-1], kubelet.spec.min_ready)
        ends.append(asyncio.create_task(kubelet.terminate(pod)))
    codes = await asyncio.gather(*ends)
    if any(codes):
        raise Failure(f"pods that were told to stop exited with {codes}")
    if restarts := sum(pod.restarts for pod in new + old):
        raise Failure(f"{restarts} containers were restarted")
    return new


async def available(pod: Pod, min_ready: float, patience: float = 60) -> None:
    """Returns when the pod has been ready for long enough."""
    deadline = time.monotonic() + patience
    while not (pod.is_ready and time.monotonic() - pod.ready_since >= min_ready):
        if time.monotonic() > deadline:
            raise Failure(f"{pod.name} does not become ready:\n{pod.process.log.read_text()[-2000:]}")
        await asyncio.sleep(0.02)


async def crash(pod: Pod, number: signal.Signals, spec: manifests.PodSpec) -> None:
    """Sends a signal that a process cannot heed, and waits until the pod is ready anew."""
    start, restarts = time.monotonic(), pod.restarts
    os.kill(pod.process.pid, number)
    patience = spec.liveness.failures * (spec.liveness.period + spec.liveness.timeout) + spec.grace + 30
    while pod.restarts == restarts or not pod.is_ready:
        if time.monotonic() - start > patience:
            raise Failure(f"{pod.name} is not back {patience} s after {number.name}")
        await asyncio.sleep(0.02)
    print(f"after {number.name} {pod.name} was ready again in {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    sys.exit(main())
