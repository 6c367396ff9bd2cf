"""Sends mails by regd to one mail server in each of its cases, in namespaces of its own; called by run, and prints the results as JSON."""

import json
import os
import pathlib
import subprocess
import sys
import traceback

from harness import machine, receiver
from harness.regd import call
from harness.stage import Failure, Stage, identity

OUT = os.fdopen(os.dup(1), "w")  # output of programs goes to the log
MAILS = 8  # the number of refusals in a row that count as an outage
USUAL = {
    "REGD_REGISTRATION_VERIFICATION": "required", "REGD_MAIL_BACKEND": "smtp", "REGD_MAIL_FROM": "regd@example.org",
    "REGD_MAIL_SMTP_URL": receiver.LOOPBACK, "REGD_STORE_BACKEND": "memory", "REGD_HASHING_MEMORY_KI_B": "7168", "REGD_HASHING_PASSES": "5",
    "REGD_MAIL_QUEUE_FIRST_SECONDS": "3600", "REGD_MAIL_QUEUE_MAXIMUM_SECONDS": "3600",
}


def main(order: dict):
    one = next(r for r in receiver.every() if r.name == order["program"])
    cells: dict[str, str] = {}
    stage = None
    try:
        machine.enter(pathlib.Path(order["tree"]), pathlib.Path(order["repository"]), pathlib.Path(order["built"]))
        pathlib.Path("/etc/hosts").write_text(f"127.0.0.1 localhost\n127.0.0.1 {machine.HOST} mail example.org\n")
        stage = Stage(pathlib.Path("/nonexistent"), pathlib.Path(order["log"]))
        for user in ("regd", *(f"u{number}" for number in range(MAILS))):
            stage.user(user, home=f"/home/{user}")
            stage.directory(f"/home/{user}", 0o755, user, user)
        stage.group("regd-admin")
        stage.directory("/run/regd", 0o755, "regd", "regd")
        stage.certificate()
        one.prepare(stage)
        for case in one.cases:
            try:
                cells[case.name] = play(one, case, stage)
            except (Failure, OSError) as problem:  # the other cases continue
                cells[case.name] = str(problem)
        result = {"cells": cells}
    except BaseException as problem:  # every problem is reported
        result = {"cells": cells, "problem": f"{type(problem).__name__}: {problem}"}
        if stage:
            stage.log(traceback.format_exc())
    print(json.dumps(result), file=OUT, flush=True)
    os._exit(0)


def play(one: receiver.Receiver, case: receiver.Case, stage: Stage) -> str:
    """Returns what was not as the case says, or nothing."""
    stage.log(f"--- {one.name}: {case.name}")
    one.configure(stage, case.settings)
    seen = stage.length()
    regd = subprocess.Popen(
        ["/usr/bin/regd"], env={**os.environ, **USUAL, **case.variables}, stdin=subprocess.DEVNULL, stdout=stage.file, stderr=stage.file,
        start_new_session=True, **identity("regd"))
    try:
        stage.until("regd answers", answers)
        before = one.mailboxes()
        for number in range(MAILS):
            call("registration.register", email=f"{case.users}{number}@example.org",
                 password="a fine phrase", passwordConfirmation="a fine phrase")
        stage.until("each mail has been tried", lambda: tried(case))
        return judged(one, case, stage, before, seen)
    finally:
        regd.terminate()
        regd.wait()


def answers() -> bool:
    try:
        return call("rpc.ping") == "pong"
    except OSError:
        return False


def tried(case: receiver.Case) -> bool:
    mail = call("daemon.status")["mail"]
    if case.outcome == "deferred":
        return all(waiting["attempts"] for waiting in call("mail.list")["waiting"])
    return mail["sent"] + mail["refused"] == MAILS


def judged(one: receiver.Receiver, case: receiver.Case, stage: Stage, before: str, seen: int) -> str:
    """Compares what the server has with what regd's status, list, journal and doctor say of it."""
    mail, waiting = call("daemon.status")["mail"], call("mail.list")["waiting"]
    doctor = json.loads(subprocess.run([stage.regctl, "doctor", "--json"], capture_output=True, text=True).stdout)
    finding = next((f for f in doctor["findings"] if f["name"] == "mail"), {"verdict": "none", "evidence": ""})
    failure = mail.get("failure", "")
    stage.log(f"--- {mail} {waiting} {finding}")
    counts = {"sent": MAILS if case.outcome == "sent" else 0, "refused": MAILS if case.outcome in ("refused", "recipient") else 0}
    for name, count in counts.items():
        if mail[name] != count:
            return f"{mail[name]} {name}, {count} expected; {failure or waiting[:1]}"
    if case.outcome == "sent":
        stage.until("each mailbox has its mail", lambda: one.mailboxes().count("Auto-Submitted:") - before.count("Auto-Submitted:") == MAILS)
    if case.outcome in ("sent", "recipient"):
        return "" if mail["healthy"] and finding["verdict"] == "ok" and not waiting else f"not well: {failure} {finding}"
    expected = f"{case.outcome}: {case.begins}"
    if mail["healthy"] or not failure.startswith(expected):
        return f"status says {failure!r}, {expected!r} expected"
    if finding["verdict"] != "problem" or failure not in finding["evidence"]:
        return f"the doctor says {finding['evidence']!r}, and status {failure!r}"
    # regd writes its journal after it has answered
    stage.until("the journal has the server's words", lambda: failure in stage.since(seen))
    reasons = [entry.get("reason", "") for entry in waiting]
    if case.outcome == "deferred" and (len(waiting) != MAILS or not all(reason.startswith(expected) for reason in reasons)):
        return f"mail.list says {reasons}"
    if case.outcome == "refused" and waiting:
        return f"mail.list has {waiting}"
    return ""


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
