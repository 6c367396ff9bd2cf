"""regd as its unit runs it: as user regd, with the sockets that systemd would pass."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess

from harness.database import Database
from harness.environments import Environment
from harness.stage import Stage, identity

SOCKET = "/run/regd/regd.sock"
# Each answer comes after the account's own commit, so that the next request sees the account.
PEOPLE = {"right": "anna@example.org", "disabled": "dora@example.org"}


class Regd:
    """The daemon of one machine, in one state after the other."""

    def __init__(self, stage: Stage, example: pathlib.Path, password: str):
        self.stage, self.password = stage, password
        self.process: subprocess.Popen | None = None
        self.passed: list[tuple[str, socket.socket]] = []
        self.units = sorted(example.glob("*.socket"))
        stage.user("regd", home="/var/lib/regd")
        stage.group("regd-admin")
        stage.directory("/run/regd", 0o755, "regd", "regd")
        stage.directory("/var/lib/regd", 0o700, "regd", "regd")
        stage.write("/etc/regd/regd.yaml", (example / "regd.yaml").read_text(), 0o640, "root:regd")

    def enter(self, environment: Environment):
        """Ends the regd that there is and starts one in the given state."""
        self.kill()
        if environment.held:
            return
        for _, listener in self.passed:
            listener.close()
        self.passed = []
        if environment.variables is None:
            if not environment.sockets:
                for path in sockets_bound():
                    os.unlink(path)
            return
        self.passed = [bind(unit) for unit in self.units]
        if environment.database:
            database = Database(self.stage)
            database.start()
        self._start(environment.variables)
        if environment.database:
            self.people()
            database.end()

    def restart(self, meanwhile):
        """Kills regd and starts it again as systemd does, which holds the sockets that it passes; nobody holds the others meanwhile."""
        self.kill()
        if not self.passed:
            meanwhile()
        self._start({})

    def kill(self):
        """Kills regd, which may clean nothing up."""
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None
            self.stage.spawned = [entry for entry in self.stage.spawned if entry[0] != "regd"]

    def _start(self, variables: dict[str, str]):
        count = len(self.passed)
        environment = {**{k: v for k, v in os.environ.items() if not k.startswith(("REGD_", "LISTEN_"))}, **variables}
        if count:
            environment |= {"LISTEN_FDS": str(count), "LISTEN_FDNAMES": ":".join(name for name, _ in self.passed)}
        descriptors = [listener.fileno() for _, listener in self.passed]

        def arrange():  # descriptors 3 and on, as sd_listen_fds(3) has them
            high = [os.dup2(fd, 100 + i) for i, fd in enumerate(descriptors)]
            for i, fd in enumerate(high):
                os.dup2(fd, 3 + i)
                os.close(fd)

        self.stage.log(f"--- regd, {variables}")
        # A separate session is a separate group to the scheduler (sched(7)), like the unit. In the harness's session,
        # hashing at nice 10 would wait for other processes that compute there, longer than answerSeconds.
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", "LISTEN_PID=$$ exec /usr/bin/regd --config /etc/regd/regd.yaml"], env=environment, preexec_fn=arrange,
            pass_fds=range(3, 3 + count), stdin=subprocess.DEVNULL, stdout=self.stage.file, stderr=self.stage.file,
            start_new_session=True, **identity("regd"))
        self.stage.spawned.append(("regd", self.process))
        self.stage.until("regd answers", lambda: answers())

    def people(self):
        """Makes the accounts that are asked for."""
        for email in PEOPLE.values():
            call("account.create", email=email, password=self.password, passwordConfirmation=self.password)
        call("account.disable", email=PEOPLE["disabled"])


def bind(unit: pathlib.Path) -> tuple[str, socket.socket]:
    """Listens as systemd does for a socket unit, and returns the descriptor's name with it."""
    keys = dict(re.findall(r"^(\w+)=(.*)$", unit.read_text(), re.MULTILINE))
    path = pathlib.Path(keys["ListenStream"])
    path.parent.mkdir(parents=True, exist_ok=True, mode=int(keys.get("DirectoryMode", "0755"), 8))
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    mask = os.umask(0o777)
    listener.bind(str(path))
    os.umask(mask)
    shutil.chown(path, keys.get("SocketUser", "root"), keys.get("SocketGroup", "root"))
    os.chmod(path, int(keys.get("SocketMode", "0666"), 8))
    listener.listen(1024)
    return keys.get("FileDescriptorName", unit.name), listener


def sockets_bound() -> list[str]:
    """Returns the paths of regd's sockets that are there."""
    text = pathlib.Path("/etc/regd/regd.yaml").read_text()
    paths = [SOCKET, *re.findall(r"^\s*(?:path:|\S+:\s*\{.*\bpath:)\s*\"?([^\s\",}]+)", text, re.MULTILINE)]
    return [path for path in dict.fromkeys(paths) if os.path.exists(path)]


def answers() -> bool:
    try:
        return call("rpc.ping") == "pong"
    except OSError:
        return False


def call(method: str, **parameters):
    """Calls regd as root, and returns the result."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(30)
        connection.connect(SOCKET)
        connection.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).encode() + b"\n")
        reply = json.loads(connection.makefile().readline() or '{"error": "closed"}')
    if "error" in reply:
        raise OSError(f"{method}: {reply['error']}")
    return reply["result"]
