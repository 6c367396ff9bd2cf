"""Plays one program through the environments, in namespaces of its own; called by run, and prints what it has seen as JSON."""

import json
import os
import pathlib
import sys
import time
import traceback

from harness import environments, machine
from harness.program import every
from harness.regd import PEOPLE, Regd
from harness.stage import Stage

OUT = os.fdopen(os.dup(1), "w")  # what programs print goes to the log


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
    except BaseException as problem:  # whatever it is, it is told on the page
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
    for environment in environments.ALL:
        if environment.name not in wanted:
            continue
        if environment.name != environments.ALL[0].name:
            regd.enter(environment)
        for asked in environment.asked:
            cells[f"{environment.name}/{asked}"] = attempt(program, stage, environment, asked)
    program.stop()


def attempt(program, stage: Stage, environment, asked: str) -> dict:
    """Asks the program once; what it says, and how long it took."""
    if environment.name in program.skip:
        return {"skipped": program.skip[environment.name]}
    login = {"unknown": "nobody@example.org", "disabled": PEOPLE["disabled"]}.get(asked, program.login)
    password = "not " + program.password if asked == "wrong" else program.password
    stage.log(f"--- {environment.name}: {asked}")
    begun = time.monotonic()
    try:
        said = program.attempt(login, password)
    except Exception as problem:
        stage.log(traceback.format_exc())
        said = f"{type(problem).__name__}: {problem}"
    stage.log(f"--- {environment.name}: {asked}: {said}")
    return {"said": said, "seconds": round(time.monotonic() - begun, 1)}


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
