"""A Prometheus of this run's own, and what it knows."""

import json
import pathlib
import re
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

HASTE = 20  # how much shorter each duration of the rules is
SECONDS = {"m": 60, "h": 3600}
PORT = 9090


def hastened(rules: str) -> str:
    """The rules with all durations shorter: they are asked the same, and need no hour for it."""
    return re.sub(r"(for: |\[)(\d+)([mh])", lambda found: f"{found[1]}{int(found[2]) * SECONDS[found[3]] // HASTE}s", rules)


def names(rules: str) -> list[str]:
    return re.findall(r"- alert: (\w+)", rules)


class Prometheus:
    def __init__(self, place: pathlib.Path, programs: pathlib.Path, rules: str, ports: dict[str, int]):
        (place / "regd.rules.yml").write_text(rules)
        targets = [{"targets": [f"127.0.0.1:{port}"], "labels": {"instance": name}} for name, port in ports.items()]
        config = {"global": {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"}, "rule_files": ["regd.rules.yml"],
                  "scrape_configs": [{"job_name": "regd", "static_configs": targets}]}
        (place / "prometheus.yml").write_text(json.dumps(config))  # JSON is YAML
        with open(place / "prometheus.log", "w") as log:
            self._process = subprocess.Popen(
                [programs / "prometheus", f"--config.file={place}/prometheus.yml", f"--storage.tsdb.path={place}/data",
                 f"--web.listen-address=127.0.0.1:{PORT}"], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._log = place / "prometheus.log"

    def ask(self, query: str) -> list[dict]:
        words = urllib.parse.urlencode({"query": query})
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/api/v1/query?{words}", timeout=60) as answer:
                return json.load(answer)["data"]["result"]
        except urllib.error.HTTPError as error:
            if error.code == 503:  # it still starts
                return []
            raise SystemExit(f"{query}: {error.read().decode()}") from error
        except urllib.error.URLError:
            if self._process.poll() is not None:
                raise SystemExit(self._log.read_text()) from None
            time.sleep(0.1)
            return []

    def value(self, query: str) -> float:
        """Of the one series; -1 where there is none."""
        result = self.ask(query)
        return float(result[0]["value"][1]) if result else -1

    def fired(self) -> set[tuple[str, str]]:
        """Each rule that has fired at some time, with the regd for which it has."""
        return {(r["metric"]["alertname"], r["metric"]["instance"]) for r in self.ask('max_over_time(ALERTS{alertstate="firing"}[1h])')}

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
