"""The machine as a program of the matrix uses it."""

import collections.abc
import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import threading
import time

PATIENCE = 30  # seconds that a program may take to start, which only end a program that hangs


class Failure(Exception):
    """What kept a program from starting."""


class Stage:
    """Places a program's files, and starts it, in the namespaces that the process has entered."""

    regctl = "/usr/bin/regctl"

    def __init__(self, examples: pathlib.Path, log: pathlib.Path):
        self.examples = examples
        self.file = open(log, "a", buffering=1, errors="replace")
        self.log_file = log
        self.spawned: list[tuple[str, subprocess.Popen]] = []
        self.is_starting = True  # until the program serves, after which spawned processes belong to other programs
        self.commands: list[collections.abc.Callable] = []  # each starts one of the program's processes again
        threading.Thread(target=self._syslog, daemon=True).start()

    def log(self, text: str):
        self.file.write(text.rstrip("\n") + "\n")

    def length(self) -> int:
        return os.fstat(self.file.fileno()).st_size

    def since(self, length: int) -> str:
        """Returns what the log has gained."""
        with open(self.log_file, "rb") as file:
            file.seek(length)
            return file.read().decode(errors="replace")

    # files

    def place(self, name: str, target: str, mode: int = 0o644, owner: str = "root", replace: dict[str, str] | None = None,
              append: bool = False):
        """Copies a file or a folder of the example to where the program looks for it, or adds it to the file that is there."""
        source = self.examples / name
        if source.is_dir():
            for file in sorted(source.rglob("*")):
                if file.is_file():
                    self.place(str(file.relative_to(self.examples)), f"{target}/{file.relative_to(source)}", mode, owner, replace)
            return
        text = source.read_text()
        for old, new in (replace or {}).items():
            if old not in text:
                raise Failure(f"{name} does not have {old!r}")
            text = text.replace(old, new)
        self.write(target, (pathlib.Path(target).read_text() if append else "") + text, mode, owner)

    def write(self, target: str, text: str, mode: int = 0o644, owner: str = "root"):
        path = pathlib.Path(target)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)  # it may be a link to another path
        path.write_text(text)
        os.chmod(path, mode)
        user, _, group = owner.partition(":")
        shutil.chown(path, user, group or None)

    def directory(self, path: str, mode: int = 0o755, owner: str = "root", group: str = "root"):
        pathlib.Path(path).mkdir(parents=True, exist_ok=True)
        os.chmod(path, mode)
        shutil.chown(path, owner, group)

    def certificate(self):
        """Makes the certificate that Debian's package ssl-cert would make, at its usual paths."""
        self.group("ssl-cert")
        self.directory("/etc/ssl/private", 0o710, "root", "ssl-cert")
        self.run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=mail.example.org",
                 "-addext", "subjectAltName=DNS:mail.example.org", "-out", "/etc/ssl/certs/ssl-cert-snakeoil.pem",
                 "-keyout", "/etc/ssl/private/ssl-cert-snakeoil.key")
        os.chmod("/etc/ssl/private/ssl-cert-snakeoil.key", 0o640)
        shutil.chown("/etc/ssl/private/ssl-cert-snakeoil.key", "root", "ssl-cert")

    # users

    def group(self, name: str, members: list[str] | None = None):
        self.run("groupadd", "--force", "--system", name)
        for member in members or []:
            self.run("usermod", "--append", "--groups", name, member)

    def user(self, name: str, home: str = "/nonexistent", groups: list[str] | None = None):
        self.group(name)
        try:
            pwd.getpwnam(name)
        except KeyError:
            self.run("useradd", "--system", "--gid", name, "--home-dir", home, "--no-create-home",
                     "--shell", "/usr/sbin/nologin", name)
        for other in groups or []:
            self.group(other, members=[name])

    # processes

    def run(self, *command: str, input: str | None = None, user: str | None = None, check: bool = True,
            patience: float = PATIENCE * 2) -> str:
        extra = identity(user) if user else {}
        ran = subprocess.run(command, input=input, text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             timeout=patience, **({"stdin": subprocess.DEVNULL} if input is None else {}), **extra)
        self.log(f"$ {' '.join(command)}\n{ran.stdout}".rstrip() + (f"\n(status {ran.returncode})" if ran.returncode else ""))
        if check and ran.returncode != 0:
            raise Failure(f"{command[0]} ended with {ran.returncode}: {' '.join(ran.stdout.split())[-300:]}")
        return ran.stdout

    def spawn(self, *command: str, user: str | None = None, env: dict[str, str] | None = None) -> subprocess.Popen:
        self.log(f"$ {' '.join(command)} &")
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.file, stderr=self.file, start_new_session=True,
                                   env={**os.environ, **(env or {})}, **(identity(user) if user else {}))
        self.spawned.append((command[0], process))
        if self.is_starting:
            self.commands.append(lambda: self.spawn(*command, user=user, env=env))
        return process

    def respawn(self, meanwhile):
        """Kills all processes of the program at once, as cgroup.kill does (cgroups(7)), and starts it again."""
        ended = [process for name, process in self.spawned if name != "regd"]
        kept = {os.getpid(), *(process.pid for name, process in self.spawned if name == "regd")}
        killed = set()
        for fatal in (signal.SIGSTOP, signal.SIGKILL):  # no process reacts to another one's end
            for entry in os.listdir("/proc"):
                if entry.isdigit() and int(entry) not in kept and int(entry) != 1:
                    killed.add(int(entry))
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(entry), fatal)
        for process in ended:
            process.wait()
        self.spawned = [entry for entry in self.spawned if entry[1] not in ended]
        # its children may still hold its ports
        self.until("all killed processes have ended", lambda: not any(runs(process) for process in killed))
        meanwhile()
        for spawn in self.commands:
            spawn()

    # waiting for facts

    def until(self, fact: str, holds, patience: float = PATIENCE):
        """Waits until a function returns true; a spawned process that ended meanwhile with a fault will not make it so."""
        end = time.monotonic() + patience
        while not holds():
            for name, process in self.spawned:
                if process.poll():
                    raise Failure(f"{name} ended with {process.returncode} before {fact}")
            if time.monotonic() > end:
                raise Failure(f"not within {patience} s: {fact}")
            time.sleep(0.02)

    def port(self, number: int):
        self.until(f"somebody listens on port {number}", lambda: listens(number))

    def path(self, path: str):
        self.until(f"{path} is there", lambda: os.path.exists(path))

    # the messages that programs send by syslog(3)

    def _syslog(self):
        receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        receiver.bind("/dev/log")
        os.chmod("/dev/log", 0o666)
        while True:
            line = receiver.recv(65536)
            self.log(line.decode(errors="replace").rstrip("\n\0").partition(">")[2])


def identity(user: str) -> dict:
    """Returns what Popen needs to be a user with all of its groups."""
    entry = pwd.getpwnam(user)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": os.getgrouplist(user, entry.pw_gid)}


def runs(process: int) -> bool:
    """Whether there is such a process that is no zombie (proc_pid_stat(5))."""
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def listens(port: int) -> bool:
    """Looks without connecting, for a connection is a client to the program."""
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in open(table).readlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == port:
                return True
    return False
