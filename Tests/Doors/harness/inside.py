"""Plays one program through the environments, in namespaces of its own; called by run, and prints what it has seen as JSON."""

import collections
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time
import traceback

from harness import environments, machine
from harness.program import every, expected
from harness.regd import PEOPLE, Regd
from harness.stage import Failure, Stage

OUT = os.fdopen(os.dup(1), "w")  # output of programs goes to the log


def main(order: dict):
    repository, built = pathlib.Path(order["repository"]), pathlib.Path(order["built"])
    program = next(p for p in every() if p.name == order["program"])
    examples = repository / "Config/doors" / program.folder
    cells: dict[str, dict] = {}
    stage = None
    try:
        machine.enter(pathlib.Path(order["tree"]), repository, built)
        stage = Stage(examples, pathlib.Path(order["log"]))
        regd = Regd(stage, examples.parent / program.doors, program.password)
        play(program, stage, regd, order["environments"], cells)
        result = {"cells": cells}
    except BaseException as problem:  # every problem is shown on the page
        result = {"cells": cells, "problem": f"{type(problem).__name__}: {problem}"}
        if stage:
            stage.log(traceback.format_exc())
    print(json.dumps(result), file=OUT, flush=True)
    os._exit(0)


def play(program, stage: Stage, regd: Regd, wanted: list[str], cells: dict):
    """Starts the program where regd works, and asks it in each environment."""
    program.prepare(stage)
    regd.enter(environments.ALL[0])
    regd.people()
    program.start(stage)
    stage.is_starting = False
    for environment in environments.ALL:
        if environment.name not in wanted:
            continue
        if environment.held and not regd.units:
            cells[f"{environment.name}/right"] = {"skipped": "no unit of systemd's"}
            continue
        if environment.name != environments.ALL[0].name:
            regd.enter(environment)
        for asked in environment.asked:
            key = f"{environment.name}/{asked}"
            if why := program.skip.get(environment.name) or program.skip.get(key):
                cells[key] = {"skipped": why}
            elif environment.name == "restarted":
                cells[key] = repeated(program, stage, regd, environment, regd.restart)
            elif environment.name == "crashed":
                cells[key] = repeated(program, stage, regd, environment, stage.respawn) if stage.commands else {
                    "skipped": "no daemon of its own"}
            else:
                cells[key] = attempt(program, stage, environment, asked)
    program.stop()


def attempt(program, stage: Stage, environment, asked: str) -> dict:
    """Asks the program once; what it says, how long it took, and whom regd has heard to be asking."""
    login = {"unknown": "nobody@example.org", "disabled": PEOPLE["disabled"], "typed": program.login.upper()}.get(asked, program.login)
    password = "not " + program.password if asked == "wrong" else program.password
    stage.log(f"--- {environment.name}: {asked}")
    begun, seen = time.monotonic(), stage.length()
    said = ask(program, stage, login, password)
    stage.log(f"--- {environment.name}: {asked}: {said}")
    origin = heard(stage, seen) if asked == "wrong" and environment.works else ""
    return {"said": said, "seconds": round(time.monotonic() - begun, 1), "origin": origin}


def heard(stage: Stage, seen: int) -> str:
    """Returns the origin of the refusal that regd has written into its log, which it does after it has answered."""
    with contextlib.suppress(Failure):
        stage.until("regd logs the refusal", lambda: "reason=credentials.rejected" in stage.since(seen), patience=2)
    line = next((line for line in stage.since(seen).splitlines() if "reason=credentials.rejected" in line), "")
    found = re.search(r"\borigin=(\S+)", line)
    return found[1] if found else ""


def ask(program, stage: Stage, login: str, password: str) -> str:
    try:
        return program.attempt(login, password)
    except subprocess.TimeoutExpired:
        return "silent"
    except Exception as problem:  # red, with its message
        stage.log(traceback.format_exc())
        return f"{type(problem).__name__}: {problem}"


def repeated(program, stage: Stage, regd: Regd, environment, restart) -> dict:
    """Kills and starts something three times while several people sign in; what they are told, and how often."""
    said, over = [[] for _ in range(3)], threading.Event()

    def person(answers: list[str]):
        while not over.is_set():
            answers.append(ask(program, stage, program.login, program.password))

    def more(count: int):
        """Waits until each has been told so often more."""
        wanted = [len(answers) + count for answers in said]
        stage.until(f"answers while it is {environment.name}", lambda: all(len(a) >= n for a, n in zip(said, wanted)), patience=120)

    begun = time.monotonic()
    regd.enter(environment)
    people = [threading.Thread(target=person, args=(answers,), daemon=True) for answers in said]
    for one in people:
        one.start()
    try:
        for _ in range(3):
            more(2)
            restart(meanwhile=lambda: more(1))
        more(2)
        # a client that connects when everything works is admitted
        stage.until("somebody is let in again", lambda: ask(program, stage, program.login, program.password) in expected(program, "right"))
    finally:
        over.set()
    for one in people:
        one.join()
    counts = collections.Counter(answer for answers in said for answer in answers)
    return {"said": ", ".join(f"{answer} ×{count}" for answer, count in counts.most_common()), "answers": list(counts),
            "seconds": round(time.monotonic() - begun, 1)}


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
