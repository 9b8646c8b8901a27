"""Runs the Debian package under a systemd that is process 1, in a machine of QEMU: `make drill-systemd`.

The machine has Debian's kernel, no network, and a disk that is thrown away. Its processor is emulated.
"""

import argparse
import sys
from pathlib import Path

from deb import SUITES, output
from programs import HERE, Failure, Programs, parser, run, until

sys.path.append(str(HERE / "Packages"))
from contents import Release  # noqa: E402
from package import build  # noqa: E402

GUEST = """[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/opt/drill
[Install]
WantedBy=graphical.target
"""
CONSOLE = "root=/dev/vda rw console=ttyS0 quiet panic=-1 systemd.unit=graphical.target systemd.show_status=no"


def machine(programs: Programs, suite: str, packages: dict[str, Path]) -> list:
    """Makes the disk; returns the command that starts the machine."""
    root, disk = programs.folder / suite, programs.folder / f"{suite}.img"
    # What the package depends on is there before: the machine has no network.
    output("mmdebstrap", "--variant=minbase", "--include=systemd-sysv,udev,dbus,linux-image-cloud-amd64,initramfs-tools,curl,procps",
           f"--customize-hook=copy-in {packages['larder.deb'].parent}/{packages['larder.deb'].name} /opt",
           f"--customize-hook=chroot \"$1\" sh -c 'apt-get install -qq --no-install-recommends /opt/{packages['larder.deb'].name} && "
           "dpkg --purge larder'", suite, root)
    for name, package in packages.items():
        (root / "opt" / name).write_bytes(package.read_bytes())
    (root / "opt" / packages["larder.deb"].name).unlink()
    (root / "opt" / "drill").write_bytes((HERE / "systemd_guest.sh").read_bytes())
    (root / "opt" / "drill").chmod(0o755)
    (root / "etc/systemd/system/drill.service").write_text(GUEST)
    output("chroot", root, "systemctl", "enable", "drill.service")
    # The console is the drill's.
    output("chroot", root, "systemctl", "mask", "serial-getty@ttyS0.service")
    output("mke2fs", "-q", "-t", "ext4", "-d", root, disk, "3G")
    return ["qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "1024", "-nographic", "-no-reboot",
            "-nic", "none", "-drive", f"file={disk},format=raw,if=virtio,cache=unsafe", "-kernel", root / "vmlinuz",
            "-initrd", root / "initrd.img", "-append", CONSOLE]


def drill(programs: Programs, options: argparse.Namespace) -> None:
    release = Release.read(options.larder)
    packages = {"larder.deb": build(release, programs.folder, level=1),
                "newer.deb": build(release, programs.folder, release.version + "+drill1", level=1)}
    for suite in options.suites:
        print(f"Debian {SUITES[suite]}", flush=True)
        process = programs.start(f"machine-{suite}", machine(programs, suite, packages))
        until(lambda: process.poll() is not None, "the machine is off", patience=900, pause=1)
        lines = [line.strip() for line in process.log.read_text(errors="replace").splitlines()]
        for line in lines:
            # The first one stands behind what the firmware has printed.
            _, is_fact, fact = line.partition("FACT ")
            if is_fact:
                print(f"  {fact}", flush=True)
        if "FACT all" not in lines:
            raise Failure("\n".join(lines[-60:]))


def main() -> int:
    arguments = parser(__doc__)
    arguments.add_argument("--suites", nargs="+", choices=SUITES, default=list(SUITES))
    options = arguments.parse_args()
    return run("systemd", lambda programs: drill(programs, options))


if __name__ == "__main__":
    sys.exit(main())
