"""A whole site on regd: registration, code, sign-in, account, recovery, in five languages, with scripts and without.

Registration goes by regd's forms, which judge each key; all else goes by calls. The site has no database: what it knows of a
person is in that person's signed cookie.
"""

import collections
import json
import os
import pathlib
import re
import secrets
import sys
import threading
import time

sys.dont_write_bytecode = True  # it may lie where others only read

from forms import Forms
from regd_client import Regd, RegdError
from web import HERE, Exchange, Server, signing_key

SOCKET = os.environ.get("REGD_SOCKET_PATH", "/run/regd/regd.sock")
TRUST_SECONDS = int(os.environ.get("SITE_TRUST_SECONDS", "900"))  # how long a sign-in counts that regd cannot be asked of
STATUS = {
    "rate.limited": 429, "email.taken": 409, "request.conflict": 409, "registration.closed": 403, "access.denied": 403,
    "account.disabled": 403, "account.waiting": 403, "feature.off": 404, "claim.notFound": 410, "account.pending": 503,
    "network.timeout": 504, "request.timeout": 504, "store.full": 507,
    "network": 503, "store": 503, "server": 503, "regd": 503, "rpc": 500,
}  # fmt: skip
STATIC = {"/site.css": "text/css; charset=utf-8", "/site.js": "text/javascript; charset=utf-8"}
ENTRY = ("email", "password", "passwordConfirmation", "invitation", "terms")
OWNER = {
    "password": ("owner_change_password", "newPassword", "newPasswordConfirmation"), "email": ("owner_change_email", "newEmail"),
    "sign_out": ("owner_sign_out",), "export": ("owner_export",), "delete": ("owner_delete",), "terms": ("owner_accept_terms", "terms"),
}  # fmt: skip


class Site(Exchange):
    forms, lock = Forms(SOCKET), threading.Lock()
    idle = collections.defaultdict(list)  # connections that nobody uses just now, by their language

    def do_GET(self):
        self.begin()
        verb, path = "post" if self.command == "POST" else "get", self.path.removesuffix("/")
        name = path.strip("/").translate({ord("/"): "_", ord("-"): "_"}) if re.fullmatch("(/[a-z-]+)*", path) else "none"
        asks_nothing = verb == "get" and name in ("", "terms", "sign_in", "recovery")
        act = (lambda: self.page(path[1:] or "home")) if asks_nothing else getattr(self, f"{verb}_{name}", None)
        try:
            if not self.server.count(self.origin, 1):
                self.page("message", 429, retry_after=1, alert=self.words["busy"])
            elif path in STATIC:
                self.answer(200, (HERE / path[1:]).read_text("utf-8"), STATIC[path], **{"Cache-Control": "max-age=300"})
            elif not act:
                self.page("message", 404, alert=self.words["no_page"])
            elif verb == "post" and not self.read_own_form():
                self.page("message", 403, alert=self.words["stale"])
            else:
                act()
        except RegdError as error:
            self.page("message", **self.refusal(error))
        except OSError:
            pass  # the browser has gone
        finally:
            self.server.count(self.origin, -1)

    do_HEAD = do_POST = do_GET

    # regd

    def ask(self, method: str, **params):
        return self.asked(lambda: self.call(self.idle[self.language], method, params))

    def call(self, idle: list, method: str, params: dict):
        """One call on a connection of its own, for as long as it takes."""
        with self.lock:
            while idle and not idle[-1].is_open:
                idle.pop()
            regd = idle.pop() if idle else None
        if not regd:
            regd = Regd(SOCKET)
            regd.rpc_language(language=self.language)
        try:
            return getattr(regd, method)(**params)
        finally:
            idle.append(regd) if len(idle) < 16 else regd.close()

    def asked(self, act):
        """What regd answers. A regd that is not there has a reason, too, in words of the site's own."""
        try:
            return act()
        except OSError:
            data = {"reason": "regd.away", "retryable": True, "retryAfter": 5}
            raise RegdError({"message": self.words["away"], "data": data}) from None

    def refusal(self, error: RegdError) -> dict:
        """What a page shows of an error, and the status and the header that go with it."""
        status = STATUS.get(error.reason) or STATUS.get(error.reason.partition(".")[0], 422)
        shown = {"status": status, "retry_after": error.retry_after or (5 if status == 503 else 0), "alert": str(error)}
        for problem in error.problems:
            name = f"problem_{problem['field']}"
            shown[name] = f"{shown.get(name, '')} {problem['message']}".strip()
        return shown

    # Who is signed in

    def enter(self, account: dict, stamp: str, terms: dict | None = None):
        kept = {"account": account["id"], "email": account["email"], "stamp": stamp, "checked": time.time(), "terms": terms}
        self.keep("session", kept, 30 * 86400)

    def session(self):
        """The person of this browser; None, and the answer is given, if there is none or no longer."""
        kept = self.cookie("session")
        if not kept:
            return self.go("/sign-in")
        try:
            account = self.ask("session_check", account=kept["account"], stamp=kept["stamp"])["account"]
        except RegdError as error:
            if error.reason == "session.ended":
                self.forget("session")
                return self.go("/sign-in", "ended")
            if time.time() - kept["checked"] > TRUST_SECONDS:
                raise
            return kept | {"unsure": str(error)}
        self.enter(account, kept["stamp"], kept["terms"])
        return kept | {"email": account["email"]}

    # Registration, by a form

    def get_sign_up(self, status: int = 200, **values):
        rules = self.ask("rpc_server_info")["registration"]
        password, terms = rules["password"], rules.get("terms", {"version": "", "url": ""})
        if rules["mode"] == "closed":
            return self.page("message", 403, alert=self.words["closed"])
        values |= {"rule_length": self.words["rule_length"].format(password["minimumLength"], password["maximumLength"])}
        values |= {name: password[name] for name in ("refuseCommon", "refuseResemblingEmail", "refuseBreached")}
        values |= {"domains": ", ".join(rules["email"].get("allowedDomains", [])), "terms_version": terms["version"]}
        values |= {"terms_url": terms["url"] if re.match("https?://", terms["url"]) else "/terms", "is_invited": rules["mode"] == "invited"}
        self.page("sign-up", status, form=self.fields.get("form") or secrets.token_hex(8), **values)

    def form(self, **also):
        opening = {"kind": "registration", "origin": self.origin, "language": self.language}
        key, fields = f"{self.visit} {self.language} {self.fields.get('form')}", {name: self.fields.get(name, "") for name in ENTRY}
        return key, lambda: self.asked(lambda: self.forms.set(key, opening, fields, **also))

    def post_sign_up_live(self):
        state, _ = self.form()[1]()
        self.json({"enabled": state["registrationEnabled"], "problems": state["problems"]})

    def post_sign_up_close(self):
        self.forms.close(self.form()[0])
        self.answer(204, "", "text/plain")

    def post_sign_up(self):
        key, submit = self.form(submit=True)
        state, end = submit()
        if end["event"] == "alert":
            error = RegdError({"message": end["message"], "data": {"reason": end["reason"], "problems": state["problems"]}})
            kept = {name: self.fields.get(name, "") for name in ("email", "invitation", "terms")}
            return self.get_sign_up(**self.refusal(error), **kept)
        self.forms.close(key)
        if end["to"] == "welcome":
            return self.go("/sign-in", "registered")
        self.keep("claim", state["claim"] | {"kind": "registration", "page": "/code"}, 86400)
        self.go("/code")

    # Codes, of registrations, other addresses and recoveries

    def get_code(self):
        claim = self.cookie("claim")
        self.page(claim["page"][1:].replace("/", "-"), email=claim["email"]) if claim else self.go("/sign-up")

    get_recovery_code = get_code

    def post_code(self):
        claim = self.cookie("claim") or self.go("/sign-up")
        if not claim:
            return
        names = ("code", "password", "passwordConfirmation") if claim["kind"] == "recovery" else ("code",)
        fields = {name: self.fields.get(name, "") for name in names}
        method = "recovery_finish" if claim["kind"] == "recovery" else "claim_prove"
        try:
            if self.fields.get("do") == "again":
                again = self.ask("claim_resend", claim=claim["id"], origin=self.origin)["claim"]
                self.keep("claim", claim | again, 86400)
                return self.go(claim["page"], "again")
            result = self.ask(method, claim=claim["id"], origin=self.origin, **fields)
        except RegdError as error:
            if error.reason in ("claim.notFound", "email.taken") or error.data.get("attemptsLeft") == 0:
                self.forget("claim")
                return self.page("message", **self.refusal(error))
            return self.page(claim["page"][1:].replace("/", "-"), email=claim["email"], **self.refusal(error))
        self.forget("claim")
        if "stamp" not in result:
            return self.page("message", title=self.words["code_title"], notice=self.words[result["account"]["state"]])
        self.enter(result["account"], result["stamp"])
        self.go("/account", {"email": "done_email", "recovery": "done_password"}.get(claim["kind"], "welcome"))

    post_recovery_code = post_code

    def post_recovery(self):
        email = self.fields.get("email", "")
        try:
            claim = self.ask("recovery_start", email=email, origin=self.origin)["claim"]
        except RegdError as error:
            return self.page("recovery", email=email, **self.refusal(error))
        self.keep("claim", claim | {"kind": "recovery", "page": "/recovery/code"}, 86400)
        self.go("/recovery/code")

    # Signing in, and what owners do with their accounts

    def post_sign_in(self):
        email, password = self.fields.get("email", ""), self.fields.get("password", "")
        try:
            result = self.ask("session_sign_in", email=email, password=password, origin=self.origin)
        except RegdError as error:
            return self.page("sign-in", email=email, **self.refusal(error))
        self.enter(result["account"], result["stamp"], result.get("terms"))
        self.go("/account")

    def post_sign_out(self):
        self.forget("session")
        self.go("/", "signed_out")

    def get_account(self, **values):
        if person := values.pop("person", None) or self.session():
            terms = person["terms"] or {"current": "", "url": ""}
            values |= {"terms_version": terms["current"], "terms_url": terms["url"], "unsure": person.get("unsure")}
            self.page("account", email=person["email"], **values)

    def post_account(self):
        person, do = self.session(), self.fields.get("do")
        if not person or do not in OWNER:
            return person and self.get_account(person=person)
        method, *names = OWNER[do]
        fields = {name: self.fields.get(name, "") for name in ("password", *names)}
        try:
            result = self.ask(method, email=person["email"], origin=self.origin, **fields)
        except RegdError as error:
            shown = self.refusal(error)
            return self.get_account(person=person, **{f"alert_{do}": shown.pop("alert")}, **shown)
        if do == "export":
            text = json.dumps(result, ensure_ascii=False, indent=2)
            return self.answer(200, text, "application/json", **{"Content-Disposition": 'attachment; filename="account.json"'})
        if do == "delete":
            self.forget("session")
            return self.go("/", "deleted")
        if "claim" in result:
            self.keep("claim", result["claim"] | {"kind": "email", "page": "/code"}, 86400)
            return self.go("/code")
        self.enter(result["account"], result.get("stamp", person["stamp"]), None if do == "terms" else person["terms"])
        self.go("/account", f"done_{do}")

    def post_password_live(self):
        """A new password's rules, for the person of this browser or of its recovery."""
        email = (self.cookie("session") or self.cookie("claim") or {}).get("email", "")
        new = "newPassword" if "newPassword" in self.fields else "password"
        names = {"password": new, "passwordConfirmation": f"{new}Confirmation"}
        fields = {name: self.fields.get(here, "") for name, here in names.items()}
        found = self.ask("registration_validate", email=email, **fields)["problems"]
        problems = [one | {"field": names[one["field"]]} for one in found if one["field"] in names]
        self.json({"enabled": not problems, "problems": problems})

    def json(self, value):
        self.answer(200, json.dumps(value), "application/json")


if __name__ == "__main__":
    key = signing_key(pathlib.Path(os.environ.get("STATE_DIRECTORY", ".")) / "site.key")
    server = Server(int(os.environ.get("PORT", "8080")), Site, key, "SITE_BEHIND_PROXY" in os.environ)
    print(f"http://localhost:{server.server_port}", flush=True)
    server.serve_forever()
