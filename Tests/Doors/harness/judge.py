"""The iron rule: what regd did not decide is never told as wrong, and right alone is let in."""

from harness.environments import Environment, verdict
from harness.program import Program, expected


def judge(program: Program, environment: Environment, asked: str, cell: dict | None) -> str:
    """Returns why a cell is red, or nothing."""
    if cell is None:
        return "it was not asked"
    if "skipped" in cell:
        return ""
    if "answers" in cell:
        return unsure(program, environment, cell["answers"])
    if environment.works and asked == "wrong" and program.origin and not cell["origin"]:
        return "regd did not hear whom the program asks for"
    said, meant = cell["said"], verdict(environment, asked)
    if meant != "right" and said in expected(program, "right"):
        return "somebody was let in who must not be"
    if said in expected(program, meant) or (environment.held and said == "silent"):
        return ""
    if meant == "away" and said in expected(program, "wrong") and not program.mute:
        return "away is told as wrong"
    return f"expected: {' or '.join(expected(program, meant))}"


def unsure(program: Program, environment: Environment, answers: list[str]) -> str:
    """Judges what people with the right password were told while regd or the program was killed and started: right or away, and right at
    least once. A program that is killed says nothing, or does not listen."""
    possible = {*expected(program, "right"), *expected(program, "away"), *(expected(program, "wrong") if program.mute else ())}
    if environment.name == "crashed":
        possible |= {"closed", "refused"}
    if others := [answer for answer in answers if answer not in possible]:
        told = "away is told as wrong" if set(others) & set(expected(program, "wrong")) else "not expected"
        return f"{told}: {', '.join(others)}"
    return "" if set(answers) & set(expected(program, "right")) else "nobody was let in again"


def contradictions(program: Program) -> str:
    """Returns what is wrong with what a program promises, or nothing."""
    for verdict_name in ("wrong", "refused", "away"):
        if set(expected(program, verdict_name)) & set(expected(program, "right")):
            return f"right and {verdict_name} are told alike"
    alike = set(expected(program, "away")) & set(expected(program, "wrong") + expected(program, "refused"))
    if alike and not program.mute:
        return f"wrong and away are told alike ({', '.join(sorted(alike))}), and no reason is given"
    return ""
