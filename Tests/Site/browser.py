"""Debian's chromium, without a screen, by the W3C's WebDriver: chromedriver speaks it as JSON over HTTP."""

import base64
import contextlib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import urllib.error
import urllib.request

from stage import PATIENCE, until

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the W3C's name for a reference


class Driver(contextlib.ExitStack):
    def __init__(self):
        super().__init__()
        self.log = pathlib.Path(self.enter_context(tempfile.TemporaryDirectory())) / "chromedriver.log"
        with open(self.log, "w") as output:
            process = subprocess.Popen(["chromedriver", "--port=0"], stdout=output, stderr=output)
        self.callback(lambda: (process.terminate(), process.wait()))
        found = until(lambda: re.search(r"started successfully on port (\d+)", self.log.read_text()), "chromedriver listens")
        self.url = f"http://127.0.0.1:{found[1]}"

    def ask(self, method: str, path: str, body: dict | None = None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise WebDriverError(value["error"], value["message"].splitlines()[0]) from None


class WebDriverError(Exception):
    @property
    def is_of_old_page(self) -> bool:
        """Whether nothing was done, for another page had come. The W3C has two names for it; chromedriver has further words where it noticed late."""
        late = ("does not belong to the document", "aborted by navigation", "Cannot find context")
        return self.args[0] in ("stale element reference", "no such element") or any(words in self.args[1] for words in late)


class Browser(contextlib.ExitStack):
    """A session of its own: nothing is shared with another one, cookies neither."""

    def __init__(self, driver: Driver, url: str, language: str = "en", width: int = 1000, has_scripts: bool = True):
        super().__init__()
        self.driver, self.site, self.has_scripts = driver, url, has_scripts
        self.downloads = pathlib.Path(self.enter_context(tempfile.TemporaryDirectory()))
        settings = {"intl.accept_languages": language, "download.default_directory": str(self.downloads)}
        if not has_scripts:
            settings["profile.managed_default_content_settings.javascript"] = 2
        words = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", f"--window-size={width},900"]
        words += ["--no-sandbox"] if os.getuid() == 0 else []
        options = {"args": words, "prefs": settings}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        session = driver.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        self.session = f"/session/{session}"
        self.callback(lambda: driver.ask("DELETE", self.session))
        if width < 500:  # browsers have no narrower window, so a telephone is emulated
            self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=True)

    def ask(self, method: str, path: str, body: dict | None = None):
        return self.driver.ask(method, self.session + path, body)

    def devtools(self, command: str, **params):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def go(self, path: str):
        self.ask("POST", "/url", {"url": self.site + path})

    def reload(self):
        self.ask("POST", "/refresh", {})

    @property
    def path(self) -> str:
        return self.ask("GET", "/url").removeprefix(self.site)

    def all(self, css: str) -> list[str]:
        return [one[ELEMENT] for one in self.ask("POST", "/elements", {"using": "css selector", "value": css})]

    def of(self, css: str, method: str, what: str, body: dict | None = None):
        """Waits for the element: a page comes in pieces, and what was found may be the page's before it."""
        answer = []

        def asked():
            try:
                answer[:] = [self.ask(method, f"/element/{found}/{what}", body) for found in self.all(css)[:1]]
            except WebDriverError as problem:
                if not problem.is_of_old_page:
                    raise
            return answer

        self.wait(asked, css)
        return answer[0]

    def wait(self, reached, sentence: str):
        try:
            until(reached, sentence)
        except AssertionError as problem:  # only now can the message include the page
            body = self.ask("POST", "/element", {"using": "css selector", "value": "body"})[ELEMENT]
            raise AssertionError(f"{problem} on {self.path}: {self.ask('GET', f'/element/{body}/text')!r}") from None

    def text(self, css: str = "main") -> str:
        return self.of(css, "GET", "text")

    def says(self, text: str, css: str = "main"):
        """Waits until it does: a page may be under way, and a word of the script's."""
        self.wait(lambda: text in self.text(css), repr(text))

    def type(self, css: str, text: str, clear: bool = True):
        if clear:
            self.of(css, "POST", "clear", {})
        self.of(css, "POST", "value", {"text": text})

    def click(self, css: str):
        self.of(css, "POST", "click", {})

    def attribute(self, css: str, name: str):
        return self.of(css, "GET", f"attribute/{name}")

    def property(self, css: str, name: str):
        return self.of(css, "GET", f"property/{name}")

    def style(self, css: str, name: str) -> str:
        return self.of(css, "GET", f"css/{name}")

    def is_enabled(self, css: str) -> bool:
        return self.of(css, "GET", "enabled")

    def box(self, css: str) -> dict:
        return self.of(css, "GET", "rect")

    def complaints(self) -> list[str]:
        """What the browser's console has of it, but for answers that are pages of a refusal."""
        entries = self.ask("POST", "/se/log", {"type": "browser"})
        return [one["message"] for one in entries if "Failed to load resource" not in one["message"]]

    def picture(self, file: pathlib.Path):
        """The whole page, however long."""
        size = self.devtools("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        shot = self.devtools("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        file.write_bytes(base64.b64decode(shot))
