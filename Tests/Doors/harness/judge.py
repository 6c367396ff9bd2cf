"""The iron rule: what regd did not decide is never told as wrong, and right alone is let in."""

from harness.environments import Environment, verdict
from harness.program import Program, expected


def judge(program: Program, environment: Environment, asked: str, cell: dict | None) -> str:
    """Returns why a cell is red, or nothing."""
    if cell is None:
        return "it was not asked"
    if "skipped" in cell:
        return ""
    said, meant = cell["said"], verdict(environment, asked)
    if meant != "right" and said in expected(program, "right"):
        return "somebody was let in who must not be"
    if said in expected(program, meant):
        return ""
    if meant == "away" and said in expected(program, "wrong") and not program.mute:
        return "away is told as wrong"
    return f"expected: {' or '.join(expected(program, meant))}"


def contradictions(program: Program) -> str:
    """Returns what is wrong with what a program promises, or nothing."""
    for verdict_name in ("wrong", "refused", "away"):
        if set(expected(program, verdict_name)) & set(expected(program, "right")):
            return f"right and {verdict_name} are told alike"
    alike = set(expected(program, "away")) & set(expected(program, "wrong") + expected(program, "refused"))
    if alike and not program.mute:
        return f"wrong and away are told alike ({', '.join(sorted(alike))}), and no reason is given"
    return ""
