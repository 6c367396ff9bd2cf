"""The matrix as a table on a terminal, and as a page."""

import html
import pathlib

from harness.environments import ALL, verdict
from harness.program import Program, expected

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 96rem; padding: 0 1rem; color: #1c1c1c; background: #fff }
table { border-collapse: collapse; margin: 1rem 0 } th, td { border: 1px solid #ccc; padding: .3rem .5rem; text-align: left; vertical-align: top }
thead th { background: #f3f3f3; position: sticky; top: 0 } td { font-family: ui-monospace, monospace; font-size: 13px; white-space: pre-wrap }
tbody th { font-weight: 600; min-width: 13rem } tbody th small { display: block; font-weight: 400 }
.good { background: #e2f4e2 } .bad { background: #f8c9c9; outline: 2px solid #b00020 } .mute { background: #f6efcf } .none { color: #666 }
small { color: #555 }
@media (prefers-color-scheme: dark) { body { background: #16181b; color: #e4e4e4 } thead th { background: #24272b }
 th, td { border-color: #444 } .good { background: #173a1d } .bad { background: #5c1620 } .mute { background: #46401c } small { color: #aaa } }
"""


class Row:
    """A program, what it said, and what was found wrong with it."""

    def __init__(self, program: Program, cells: dict, faults: dict[str, str], problem: str = "", skipped: str = ""):
        self.program, self.cells, self.faults, self.problem, self.skipped = program, cells, faults, problem, skipped

    @property
    def red(self) -> bool:
        return bool(self.problem or any(self.faults.values()))


def kind(row: Row, environment, asked: str) -> str:
    """Returns how a cell looks: good, bad, mute, or none."""
    key = f"{environment.name}/{asked}"
    cell = row.cells.get(key)
    if row.faults.get(key):
        return "bad"
    if cell is None or "skipped" in cell:
        return "none"
    if "answers" in cell:
        return "mute" if set(cell["answers"]) & set(expected(row.program, "wrong")) else "good"
    return "mute" if verdict(environment, asked) == "away" and cell["said"] in expected(row.program, "wrong") else "good"


def columns(wanted: list[str]):
    return [(environment, asked) for environment in ALL if environment.name in wanted for asked in environment.asked]


def terminal(rows: list[Row], wanted: list[str], colored: bool):
    """Prints each program with what it said, an environment a line, and why a cell is red."""
    paint = {"good": "32", "bad": "31;1", "mute": "33", "none": "2"}
    for row in rows:
        mark = "-" if row.skipped else "x" if row.red else "ok"
        print(f"\n{mark:>2}  {row.program.title or row.program.name}  ({row.program.name})")
        if row.problem or row.skipped:
            print(f"      {row.problem or row.skipped}")
        for environment in ALL:
            said = []
            for asked in environment.asked:
                cell = row.cells.get(f"{environment.name}/{asked}")
                if cell is None or environment.name not in wanted:
                    continue
                text = f"{asked} {cell.get('said', '–')}"
                fault = row.faults.get(f"{environment.name}/{asked}")
                text += f" ({fault})" if fault else ""
                said.append(f"\033[{paint[kind(row, environment, asked)]}m{text}\033[0m" if colored else text)
            if said:
                print(f"      {environment.name:12}{'   '.join(said)}")


def page(rows: list[Row], wanted: list[str], file: pathlib.Path):
    """Writes the page."""
    shown = columns(wanted)
    heads = "".join(f'<th colspan="{len([1 for e, _ in shown if e is environment])}">{environment.name}'
                    f"<br><small>{html.escape(environment.summary)}</small></th>" for environment in ALL if environment.name in wanted)
    asked = "".join(f"<th>{asked}</th>" for _, asked in shown)
    body = "".join(page_row(row, shown) for row in rows)
    origins = ", ".join(html.escape(row.program.title or row.program.name) for row in rows
                        if row.cells.get("works/wrong", {}).get("origin"))
    mute = "".join(f"<li><b>{html.escape(row.program.title or row.program.name)}</b>: {html.escape(row.program.mute)}</li>"
                   for row in rows if row.program.mute)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Doors: what programs tell their clients</title>
<style>{STYLE}</style><h1>Doors: what programs tell their clients</h1>
<p>Each row is a program of Debian that signs its users in through a door of regd; each cell what it told <em>its</em> client.
<span class="good">Green</span>: as it must be. <span class="mute">Yellow</span>: the program is mute, it says the same for wrong and for away, and
nobody is let in. <span class="bad">Red</span>: a promise is broken. A cell's title says how long the answer took.</p>
<div style="overflow-x:auto"><table><thead><tr><th rowspan="2">program</th>{heads}</tr><tr>{asked}</tr></thead><tbody>{body}</tbody></table></div>
<h2>Who is mute, and why</h2><ul>{mute}</ul>
<h2>Who tells regd whom it asks for</h2><p>{origins or "nobody"}: there, who guesses makes nobody else wait.</p>
""")


def page_row(row: Row, shown) -> str:
    name = f"{html.escape(row.program.title or row.program.name)}<small>{html.escape(row.program.name)}</small>"
    if row.problem or row.skipped:
        name += f"<small>{html.escape(row.problem or row.skipped)}</small>"
    cells = ""
    for environment, asked in shown:
        key = f"{environment.name}/{asked}"
        cell = row.cells.get(key) or {}
        title = row.faults.get(key) or cell.get("skipped") or (f"{cell['seconds']} s" if cell else "")
        text = cell.get("said", "–") + (f"\n{row.faults[key]}" if row.faults.get(key) else "")
        cells += f'<td class="{kind(row, environment, asked)}" title="{html.escape(title)}">{html.escape(text)}</td>'
    return f'<tr><th class="{"bad" if row.red else ""}">{name}</th>{cells}</tr>\n'
