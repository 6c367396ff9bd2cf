"""What every page needs of HTTP: signed cookies, proof that a form is the site's own, headers, languages, templates, and shares."""

import base64
import collections
import hashlib
import hmac
import html
import http.server
import ipaddress
import json
import math
import os
import pathlib
import re
import threading
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
WORDS = {file.stem: json.loads(file.read_text("utf-8")) for file in HERE.glob("words/*.json")}
PAGES = {file.stem: file.read_text("utf-8") for file in HERE.glob("pages/*.html")}
UNDER_WAY, OF_ONE_ORIGIN, BODY_BYTES, JSON = 128, 8, 16384, "application/json"  # requests at once, in all and of one origin
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def signing_key(path: pathlib.Path) -> bytes:
    """The key of all cookies. Who has it can be everybody: it is made once, for its owner's eyes."""
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(os.urandom(32))
    except FileExistsError:
        pass
    return path.read_bytes()


def render(template: str, values: dict) -> str:
    """{{name}} is the value, escaped; {{?name}}…{{/name}} is there if the value is something."""

    def sections(text: str) -> str:
        return re.sub(r"\{\{\?(\w+)}}(.*?)\{\{/\1}}", lambda found: sections(found[2]) if values.get(found[1]) else "", text, flags=re.S)

    return re.sub(r"\{\{(\w+)}}", lambda found: html.escape(str(values.get(found[1]) or "")), sections(template))


class Server(http.server.ThreadingHTTPServer):
    daemon_threads, request_queue_size = True, 128

    def __init__(self, port: int, handler: type, key: bytes, is_behind_proxy: bool):
        super().__init__(("127.0.0.1", port), handler)
        self.key, self.is_behind_proxy = key, is_behind_proxy
        self.lock, self.shares, self.room = threading.Lock(), collections.Counter(), threading.BoundedSemaphore(UNDER_WAY)

    def process_request(self, request, client_address):
        self.room.acquire()  # others wait where the kernel queues them
        super().process_request(request, client_address)

    def process_request_thread(self, request, client_address):
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.room.release()

    def count(self, origin: str, change: int) -> bool:
        """Whether the origin may have one more request under way; those that have ended are taken off."""
        with self.lock:
            self.shares[origin] += change
            if not self.shares[origin]:
                del self.shares[origin]
            return self.shares[origin] <= OF_ONE_ORIGIN


class Exchange(http.server.BaseHTTPRequestHandler):
    """One request and its answer, whatever the page is."""

    timeout = 10  # seconds for each read: who sends nothing holds a thread no longer
    server_version, sys_version = "site", ""

    def begin(self):
        self.path, _, query = self.path.partition("?")
        self.fields, self.cookies_to_set = {}, []
        self.cookies = dict(one.strip().partition("=")[::2] for one in self.headers.get("Cookie", "").split(";"))
        wanted = [query.removeprefix("language="), self.cookie("language")]
        wanted += re.findall(r"(?:^|,)\s*([a-z]+)", self.headers.get("Accept-Language", ""))  # browsers have the dearest first
        self.language = next((tag for tag in wanted if tag in WORDS), "en")
        self.words = WORDS[self.language]
        if wanted[0] == self.language:
            self.keep("language", self.language, 86400 * 365)
        self.visit = self.cookie("visit") or os.urandom(16).hex()  # tells browsers apart that are not signed in
        if not self.cookie("visit"):
            self.keep("visit", self.visit, 86400 * 30)
        self.token = self.mac(f"token {self.visit}")  # in each form: pages of other sites cannot know it
        address = self.server.is_behind_proxy and self.headers.get("X-Real-IP") or self.client_address[0]
        if with_port := re.fullmatch(r"\[([^]]+)\](?::\d+)?|([\d.]+):\d+", address):  # some proxies write the port
            address = with_port[1] or with_port[2]
        try:
            ip = ipaddress.ip_address(address)
            ip = getattr(ip, "ipv4_mapped", None) or ip  # of IPv6 the network, for all of it is one person's
            self.origin = str(ip if ip.version == 4 else ipaddress.ip_network((ip, 64), strict=False))
        except ValueError:
            self.origin = "unknown"

    def read_own_form(self) -> bool:
        try:
            length = int(self.headers.get("Content-Length", ""))
            text = self.rfile.read(length if 0 <= length <= BODY_BYTES else 0).decode()
            self.fields = dict(urllib.parse.parse_qsl(text, keep_blank_values=True, max_num_fields=32))
        except ValueError:
            return False
        is_from_here = self.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
        return hmac.compare_digest(self.fields.get("token", "").encode(), self.token.encode()) and is_from_here

    # Cookies: JSON with an end, signed. A browser can read its own, and change none.

    def mac(self, text: str) -> str:
        return hmac.new(self.server.key, text.encode(), hashlib.sha256).hexdigest()

    def cookie(self, name: str):
        text, _, mac = self.cookies.get(f"__Host-{name}", "").rpartition(".")
        if not hmac.compare_digest(mac.encode(), self.mac(f"{name} {text}").encode()):
            return None
        end, value = json.loads(base64.urlsafe_b64decode(text))
        return value if time.time() < end else None

    def keep(self, name: str, value, seconds: int):
        text = base64.urlsafe_b64encode(json.dumps([int(time.time()) + seconds, value]).encode()).decode()
        self.cookies[f"__Host-{name}"] = signed = f"{text}.{self.mac(f'{name} {text}')}" if seconds else ""
        self.cookies_to_set.append(f"__Host-{name}={signed}; Path=/; Max-Age={seconds}; Secure; HttpOnly; SameSite=Lax")

    def forget(self, name: str):
        self.keep(name, None, 0)

    # Answers.

    def page(self, name: str, status: int = 200, retry_after: float = 0, **values):
        notice, wait, session = self.cookie("notice"), str(math.ceil(retry_after or 0)), self.cookie("session")
        if notice:
            self.forget("notice")
        common = {"token": self.token, "language": self.language, "is_signed_in": session, "is_signed_out": not session}
        common |= {"title": self.words[f"{name.replace('-', '_')}_title"], "notice": self.words.get(notice)}
        values = self.words | common | {"retry_after": retry_after and wait} | values
        text = render(PAGES["layout"], values).replace("<!--page-->", render(PAGES[name], values))
        self.answer(status, text, "text/html; charset=utf-8", **({"Retry-After": wait} if retry_after else {}))

    def go(self, path: str, notice: str = ""):
        """See Other: one of the site's own paths, never one that somebody has sent."""
        if notice:
            self.keep("notice", notice, 60)
        self.answer(303, "", "text/plain", Location=path)

    def answer(self, status: int, body: str, kind: str, **headers: str):
        self.send_response(status)
        headers = HEADERS | {"Content-Type": kind, "Content-Length": str(len(body.encode()))} | headers
        for name, value in [*headers.items(), *(("Set-Cookie", cookie) for cookie in self.cookies_to_set)]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else body.encode())

    def log_message(self, *words):
        pass  # a proxy logs, and addresses of people belong into no second log
