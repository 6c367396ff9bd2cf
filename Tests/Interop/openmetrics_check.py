"""Reads an OpenMetrics text from standard input and holds it against OpenMetrics 1.0; prints how many families it has.

The parser of the package prometheus_client says most of what is wrong. It calls itself laxer than the format, so the
rest is here: every line after the ABNF, the numbers of buckets, and the metadata that people need.
"""

import re
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families
from prometheus_client.utils import floatToGoString

TEXT = r'(?:[^\n"\\]|\\[n"\\])*'  # escaped-string, without escapes that mean nothing
NAME = r"[a-zA-Z][a-zA-Z0-9_]*"  # without reserved names
LABEL = rf'{NAME}="{TEXT}"'
NUMBER = r"[+-]?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|Inf)|NaN"
LINE = re.compile(
    rf"# TYPE {NAME} (?:counter|gauge|histogram)|# UNIT {NAME} [a-z_]+|# HELP {NAME} {TEXT}"
    rf"|{NAME}(?:\{{{LABEL}(?:,{LABEL})*\}})? (?:{NUMBER})"
)
METADATA = ["TYPE", "UNIT", "HELP"]  # in this order
BASE_UNITS = ("seconds", "bytes")


def complaints(text: str) -> list[str]:
    # not splitlines(), which also breaks label values at characters other than line feeds
    *lines, eof, rest = text.split("\n") if text.count("\n") else ["", ""]
    if (eof, rest) != ("# EOF", ""):
        return ["the text does not end with # EOF and a line feed"]
    try:
        families = list(text_string_to_metric_families(text))
    except Exception as error:  # the parser raises other errors as well as ValueError
        return [f"{type(error).__name__}: {error}"]
    return [
        *(f"no line of the format: {line!r}" for line in lines if not LINE.fullmatch(line)),
        *order(lines),
        *(wrong for family in families for wrong in words(family)),
    ]


def order(lines: list[str]):
    """A family's metadata is in order; that it stands before the samples, and once, the parser has seen."""
    before = ("", -1)
    for line in lines:
        if line.startswith("# "):
            _, kind, name, *_ = line.split(" ", 3)
            here = (name, METADATA.index(kind) if kind in METADATA else -1)
            if here[0] == before[0] and here[1] <= before[1]:
                yield f"metadata out of order: {line!r}"
            before = here


def words(family):
    """What the specification says in words."""
    if family.type == "unknown":
        yield f"{family.name}: no TYPE"
    if not family.documentation:
        yield f"{family.name}: no HELP"
    for unit in BASE_UNITS:
        if family.name.endswith("_" + unit) and family.unit != unit:
            yield f"{family.name}: no UNIT"
    for sample in family.samples:
        threshold = sample.labels.get("le")
        if threshold and threshold != floatToGoString(float(threshold)):
            yield f"{family.name}: le={threshold} is no canonical number"
        if "" in sample.labels.values():
            yield f"{family.name}: a label that is empty, which is as none"


def main() -> None:
    try:
        text = sys.stdin.buffer.read().decode("utf-8")  # unchanged, without converting other line ends to line feeds
    except UnicodeDecodeError as error:
        sys.exit(f"no UTF-8: {error}")
    if wrong := complaints(text):
        sys.exit("\n".join(wrong))
    print(len(list(text_string_to_metric_families(text))))


if __name__ == "__main__":
    main()
