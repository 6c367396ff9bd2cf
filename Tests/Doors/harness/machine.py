"""A machine of its own for one program: entered by a process that unshare(1) has started as PID 1 of new namespaces."""

import os
import pathlib
import subprocess

UNSHARE = ["unshare", "--mount", "--propagation", "private", "--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child=KILL"]
HOST = "mail.example.org"


def mount(*arguments):
    subprocess.run(["mount", *map(str, arguments)], check=True)


def enter(tree: pathlib.Path, repository: pathlib.Path, built: pathlib.Path):
    """Makes the root of the machine and goes there; the repository and what is built are seen at their own paths."""
    base = pathlib.Path("/run/regd-doors")  # only in this namespace, like all mounts here
    mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", "/run")
    base.mkdir()
    for name in ("upper", "work", "root"):
        (base / name).mkdir(mode=0o755)
    # copied, because the layers of an overlay must not contain each other, and the packages are below /
    subprocess.run(["cp", "-a", "--no-target-directory", tree, base / "upper"], check=True)
    mount("-t", "overlay", "overlay", "-o", f"lowerdir=/,upperdir={base}/upper,workdir={base}/work", base / "root")
    root = base / "root"
    for name in ("proc", "sys", "dev", "run", "tmp"):
        (root / name).mkdir(exist_ok=True)
    mount("-t", "proc", "proc", root / "proc")
    mount("--bind", "-o", "ro", "/sys", root / "sys")
    devices(root / "dev")
    mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", root / "run")
    mount("-t", "tmpfs", "-o", "mode=1777", "tmpfs", root / "tmp")
    for seen in (repository, built):
        if not seen.is_relative_to(repository) or seen == repository:
            (root / seen.relative_to("/")).mkdir(parents=True, exist_ok=True)
            mount("--rbind", seen, root / seen.relative_to("/"))
    programs(root, built, repository / ".build/pam")
    os.chroot(root)
    os.chdir("/")
    settle()


def devices(place: pathlib.Path):
    """Makes what /dev must have, without the machine's /dev/log."""
    mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", place)
    for name, minor in {"null": 3, "zero": 5, "full": 7, "random": 8, "urandom": 9}.items():
        subprocess.run(["mknod", "-m", "666", place / name, "c", "1", str(minor)], check=True)
    subprocess.run(["mknod", "-m", "666", place / "tty", "c", "5", "0"], check=True)
    (place / "shm").mkdir()
    mount("-t", "tmpfs", "-o", "mode=1777", "tmpfs", place / "shm")
    (place / "pts").mkdir()
    mount("-t", "devpts", "-o", "newinstance,ptmxmode=666", "devpts", place / "pts")
    (place / "ptmx").symlink_to("pts/ptmx")
    (place / "fd").symlink_to("/proc/self/fd")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        (place / name).symlink_to(f"/proc/self/fd/{number}")


def programs(root: pathlib.Path, built: pathlib.Path, module: pathlib.Path):
    """Shows regd's programs where its package installs them, whoever may read the directory that they were built in."""
    security = next(iter(sorted((root / "usr/lib").glob("*-linux-gnu*/security"))), root / "usr/lib/security")
    for source, target in ((built / "regd", root / "usr/bin/regd"), (built / "regctl", root / "usr/bin/regctl"),
                           (built / "regd-login", root / "usr/libexec/regd/regd-login"), (module / "pam_regd.so", security / "pam_regd.so")):
        if source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            target.touch(mode=0o755)
            mount("--bind", source, target)


def settle():
    """Names the machine, and brings loopback up, which is all of its network."""
    subprocess.run(["hostname", HOST], check=True)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    pathlib.Path("/etc/hosts").write_text(f"127.0.0.1 localhost\n::1 localhost\n127.0.1.1 {HOST} mail example.org\n")
    resolver = pathlib.Path("/etc/resolv.conf")
    resolver.unlink(missing_ok=True)
    resolver.write_text("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    pathlib.Path("/etc/hostname").write_text(HOST + "\n")
    pathlib.Path("/etc/mailname").write_text("example.org\n")
    os.chmod("/etc/resolv.conf", 0o644)
    os.umask(0o022)
