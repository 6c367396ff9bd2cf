"""testsaslauthd, the client that Cyrus SASL has for trying saslauthd out."""

from harness import wire
from harness.program import Program


class Testsaslauthd(Program):
    name = "testsaslauthd"
    title = "testsaslauthd"
    folder = "saslauthd"
    packages = ["sasl2-bin"]
    # If regd closes the connection, it reads an answer of no bytes. If regd is gone, it cannot connect.
    right, wrong = "OK", "NO"
    away = ("size read failed", "connect() : Connection refused", "connect() : No such file or directory")

    def prepare(self, stage):
        stage.group("sasl")

    def start(self, stage):
        self.stage = stage

    def attempt(self, login, password):
        said = self.stage.run("testsaslauthd", "-u", login, "-p", password, "-s", "imap", check=False, patience=wire.PATIENCE)
        lines = said.strip().splitlines()
        if not lines:
            return "size read failed"  # SIGPIPE has ended it: regd was killed before it had read the request
        if not lines[0].startswith("0: "):
            return lines[0]
        words = lines[0].split()
        return words[1] if len(words) > 1 else "size read failed"  # regd was killed within its reply
