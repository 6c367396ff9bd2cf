"""A PostgreSQL that regd has its accounts in, and that goes away while regd runs."""

import glob
import os
import signal

from harness.stage import Failure, Stage

PLACE = "/var/lib/regd-database"
URL = f"postgresql://regd@/regd?host={PLACE}"


class Database:
    """A server of the machine alone, on a Unix socket."""

    def __init__(self, stage: Stage):
        self.stage = stage
        self.process = None

    def start(self):
        programs = os.environ.get("REGD_TEST_POSTGRESQL_BIN") or max(glob.glob("/usr/lib/postgresql/*/bin"), default="")
        if not programs:
            raise Failure("there is no PostgreSQL; make deps installs Debian's")
        self.stage.user("postgres")
        self.stage.directory(PLACE, 0o755, "postgres", "postgres")
        self.stage.run(f"{programs}/initdb", "--no-sync", "--auth=trust", "--username=regd", "--encoding=UTF8", "--locale=C",
                       "--pgdata", f"{PLACE}/data", user="postgres")
        self.process = self.stage.spawn(f"{programs}/postgres", "-D", f"{PLACE}/data", "-k", PLACE, "-c", "listen_addresses=", user="postgres")
        self.stage.until("PostgreSQL answers", lambda: "accepting" in self.stage.run(f"{programs}/pg_isready", "-h", PLACE, check=False))
        self.stage.run(f"{programs}/createdb", "-h", PLACE, "-U", "regd", "regd")

    def end(self):
        """Ends the server at once; connections are cut, and nobody listens."""
        self.stage.spawned = [entry for entry in self.stage.spawned if entry[1] is not self.process]
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()
