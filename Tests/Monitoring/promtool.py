"""Prometheus' own judgement: promtool evaluates the shipped rules, and queries, on scrapes that are a simulated minute apart."""

import json
import pathlib
import re
import subprocess

from regd import Scrape, left

Firing = dict[tuple[str, str], tuple[str, str]]  # instance and rule: the first minute of the alert, such as "7m", and its annotations


def series(instance: str, scrapes: list[Scrape], named: str = "") -> list[dict[str, str]]:
    """What Prometheus would have stored: a series is stale as long as scrapes lack it. If `named` is set, metrics whose names it does not
    contain are left out, because promtool needs seconds for thousands of series."""
    labels = f'instance="{instance}",job="regd"'
    samples = [{"up": "1" if scrape else "0"} | scrape for scrape in scrapes]
    keys = {key for sample in samples for key in sample if not named or key.partition("{")[0] in named}
    return [{"series": f"{key[:-1]},{labels}}}" if key.endswith("}") else f"{key}{{{labels}}}",
             "values": " ".join(sample.get(key, "stale") for sample in samples)} for key in sorted(keys)]


class Promtool:
    def __init__(self, place: pathlib.Path, programs: pathlib.Path, rules: pathlib.Path):
        self._place, self._program, self._rules = place, programs / "promtool", rules
        self.rules = re.findall(r"- alert: (\w+)", rules.read_text())

    def error(self, *words: str | pathlib.Path) -> str:
        """What promtool prints if it fails, otherwise an empty string."""
        done = subprocess.run([self._program, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=left())
        return done.stdout.strip() if done.returncode else ""

    def parsing_error(self, body: str) -> str:
        """The error of Prometheus' OpenMetrics parser. The import needs a timestamp on each line."""
        (self._place / "metrics.txt").write_text(re.sub(r"(?m)^([^#\n].*)$", r"\1 1700000000", body))
        return self.error("tsdb", "create-blocks-from", "openmetrics", self._place / "metrics.txt", self._place / "blocks")

    def judge(self, scrapes: dict[str, list[Scrape]], queried: str, queries: list[str]) -> tuple[Firing, set[str]]:
        """The alerts that fire in any minute, and the queries that return something for the regd `queried` in the last minute. The tests
        expect nothing at all, so that promtool reports everything that there is as a failure."""
        minutes = range(1, len(scrapes[queried]))
        text = self._rules.read_text()
        alerting = {"interval": "1m", "input_series": [one for name in scrapes for one in series(name, scrapes[name], text)],
                    "alert_rule_test": [{"eval_time": f"{minute}m", "alertname": rule} for minute in minutes for rule in self.rules]}
        querying = {"interval": "1m", "input_series": series(queried, scrapes[queried]),
                    "promql_expr_test": [{"eval_time": f"{minutes[-1]}m", "expr": query} for query in queries]}
        test = {"rule_files": [str(self._rules)], "evaluation_interval": "1m", "tests": [alerting, querying]}
        (self._place / "test.yml").write_text(json.dumps(test))  # JSON is YAML
        firing, found, rule, minute, instance = {}, set(), "", "", ""
        for line in map(str.strip, self.error("test", "rules", self._place / "test.yml").splitlines()):
            if about := re.match(r"alertname: (\w+), time: (\w+), *$", line):
                rule, minute = about.groups()
            elif line.startswith("Labels:"):
                instance = "".join(re.findall(r'[{ ]instance="([^"]*)"', line))
            elif about := re.match("Annotations:{(.*)}", line):
                firing.setdefault((instance, rule), (minute, about[1]))
            elif about := re.match(r'expr: (".*"), time: \w+,$', line):
                found.add(json.loads(about[1]))
            elif " err: " in line:
                raise SystemExit(f"FAILED: promtool: {line}")
        return firing, found
