"""A whole site on regd: registration, code, sign-in, account, recovery, in five languages, with scripts and without.

Registration goes by regd's forms, which judge each key; all else goes by calls. The site has no database: what it knows of a
person is in that person's signed cookie.
"""

import json
import os
import pathlib
import re
import time

from forms import Forms
from regd_client import Client, NoAnswer, RegdError
from web import HERE, JSON, WORDS, Exchange, Server, signing_key

SOCKET = os.environ.get("REGD_SOCKET_PATH", "/run/regd/regd.sock")
GROUP = os.environ.get("SITE_GROUP", "members")  # whose members see the page /members
TRUST_SECONDS = int(os.environ.get("SITE_TRUST_SECONDS", "900"))  # how long a sign-in counts that regd cannot be asked of
# what a person can do nothing about: the site's operator can, or regd's
INNER = {"rpc", "access", "request", "response", "batch", "feature", "network", "store", "server"}
STATIC = {"/site.css": "text/css; charset=utf-8", "/site.js": "text/javascript; charset=utf-8"}
ENTRY = ("email", "password", "passwordConfirmation", "invitation", "terms", "displayName")
OWNER = {
    "password": ("owner.change_password", "newPassword", "newPasswordConfirmation"), "email": ("owner.change_email", "newEmail"),
    "sign_out": ("owner.sign_out",), "export": ("owner.export",), "delete": ("owner.delete",), "terms": ("owner.accept_terms", "terms"),
    "name": ("owner.set_display_name", "displayName"),
}  # fmt: skip


class Site(Exchange):
    forms = Forms(SOCKET)
    idle = {language: [] for language in WORDS}  # connections that are not in use now, by their language

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

    def given(self, *names: str) -> dict:
        """Fields of the page, which have regd's own names, as params of the client, which has Python's."""
        return {re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name): self.fields.get(name, "") for name in names}

    def ask(self, method: str, **params):
        """What regd answers, on a connection that no other call uses meanwhile, in the person's language."""
        idle, (space, _, name) = self.idle[self.language], method.partition(".")
        try:
            regd = idle.pop()
        except IndexError:
            regd = Client(SOCKET, language=self.language)
        try:
            return self.asked(lambda: getattr(getattr(regd, space), name)(**params))
        finally:
            idle.append(regd) if len(idle) < 16 else regd.close()

    def asked(self, act):
        """A regd that is not there has a reason, too, in words of the site's own."""
        try:
            return act()
        except NoAnswer:
            data = {"reason": "regd.away", "retryable": True, "retryAfter": 5}
            raise RegdError({"message": self.words["away"], "data": data}) from None

    def refusal(self, error: RegdError) -> dict:
        """What a page shows of an error, and the status and the header that go with it."""
        is_inner = error.reason.partition(".")[0] in INNER and error.reason != "request.conflict"
        status = 429 if error.reason == "rate.limited" else 503 if error.retryable else 500 if is_inner else 422
        shown = {"status": status, "retry_after": error.retry_after or (5 if status == 503 else 0), "alert": str(error)}
        for problem in error.problems:
            name = f"problem_{problem['field']}"
            shown[name] = f"{shown.get(name, '')} {problem['message']}".strip()
        return shown

    # Who is signed in

    def enter(self, account: dict, stamp: str, terms: dict | None = None):
        kept = {"account": account["id"], "email": account["email"], "stamp": stamp, "checked": time.time(), "terms": terms}
        self.keep("session", kept, 30 * 86400)

    def session(self, trust: int = TRUST_SECONDS):
        """The person of this browser; None, and the answer is given, if there is none or no longer.

        If regd cannot be asked, its last answer counts for `trust` seconds.
        """
        kept = self.cookie("session")
        if not kept:
            return self.go("/sign-in")
        try:
            account = self.ask("session.check", account=kept["account"], stamp=kept["stamp"])["account"]
        except RegdError as error:
            if error.reason == "session.ended":
                self.forget("session")
                return self.go("/sign-in", "ended")
            if time.time() - kept["checked"] > trust:
                raise
            return kept | {"groups": [], "unsure": str(error)}
        self.enter(account, kept["stamp"], kept["terms"])
        return kept | {"email": account["email"], "name": account.get("displayName"), "groups": account["groups"]}

    # Registration, by a form

    def get_sign_up(self, status: int = 200, **values):
        rules = self.ask("rpc.server_info")["registration"]
        password, terms = rules["password"], rules.get("terms", {"version": "", "url": ""})
        if rules["mode"] == "closed":
            return self.page("message", 403, alert=self.words["closed"])
        values |= {"rule_length": self.words["rule_length"].format(password["minimumLength"], password["maximumLength"])}
        values |= {name: password[name] for name in ("refuseCommon", "refuseResemblingEmail", "refuseBreached")}
        values |= {"domains": ", ".join(rules["email"].get("allowedDomains", [])), "terms_version": terms["version"]}
        values |= {"terms_url": terms["url"] if re.match("https?://", terms["url"]) else "/terms", "is_invited": rules["mode"] == "invited"}
        self.page("sign-up", status, form=self.fields.get("form") or os.urandom(8).hex(), **values)

    def form(self, **also):
        opening = {"kind": "registration", "origin": self.origin, "language": self.language}
        key, fields = f"{self.visit} {self.language} {self.fields.get('form')}", {name: self.fields.get(name, "") for name in ENTRY}
        return key, lambda: self.asked(lambda: self.forms.set(key, opening, fields, **also))

    def post_sign_up_live(self):
        state, _ = self.form()[1]()
        self.answer(200, json.dumps({"enabled": state["registrationEnabled"], "problems": state["problems"]}), JSON)

    def post_sign_up_close(self):
        self.forms.close(self.form()[0])
        self.answer(204, "", "text/plain")

    def post_sign_up(self):
        key, submit = self.form(submit=True)
        state, end = submit()
        if end["event"] == "alert":
            # a form's alert does not say whether the same may work later
            may_work = end["reason"].startswith(("network.", "store.", "server."))
            data = {"reason": end["reason"], "retryable": may_work, "problems": state["problems"]}
            error = RegdError({"message": end["message"], "data": data})
            return self.get_sign_up(**self.refusal(error), **self.given("email", "invitation", "terms", "displayName"))
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
        recovering = ("recovery.finish", "code", "password", "passwordConfirmation")
        method, *names = recovering if claim["kind"] == "recovery" else ("claim.prove", "code")
        try:
            if self.fields.get("do") == "again":
                again = self.ask("claim.resend", claim=claim["id"], origin=self.origin)["claim"]
                self.keep("claim", claim | again, 86400)
                return self.go(claim["page"], "again")
            result = self.ask(method, claim=claim["id"], origin=self.origin, **self.given(*names))
        except RegdError as error:
            if error.reason in ("claim.notFound", "email.taken") or error.attempts_left == 0:
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
        try:
            claim = self.ask("recovery.start", origin=self.origin, **self.given("email"))["claim"]
        except RegdError as error:
            return self.page("recovery", **self.given("email"), **self.refusal(error))
        self.keep("claim", claim | {"kind": "recovery", "page": "/recovery/code"}, 86400)
        self.go("/recovery/code")

    # Signing in, and what owners do with their accounts

    def post_sign_in(self):
        try:
            result = self.ask("session.sign_in", origin=self.origin, **self.given("email", "password"))
        except RegdError as error:
            return self.page("sign-in", **self.given("email"), **self.refusal(error))
        self.enter(result["account"], result["stamp"], result.get("terms"))
        self.go("/account")

    def post_sign_out(self):
        self.forget("session")
        self.go("/", "signed_out")

    def get_account(self, **values):
        if person := values.pop("person", None) or self.session():
            terms = person["terms"] or {"current": "", "url": ""}
            values |= {"terms_version": terms["current"], "terms_url": terms["url"], "unsure": person.get("unsure")}
            values |= {"display_name": person.get("name"), "is_member": GROUP in person["groups"]}
            self.page("account", email=person["email"], **values)

    def get_members(self):
        """A page for members of one group. regd must confirm the membership now, because an earlier reply may be out of date."""
        if person := self.session(trust=0):
            if GROUP in person["groups"]:
                return self.page("members")
            self.page("message", 403, title=self.words["members_title"], alert=self.words["members_only"])

    def post_account(self):
        person, do = self.session(), self.fields.get("do")
        if not person or do not in OWNER:
            return person and self.get_account(person=person)
        method, *names = OWNER[do]
        try:
            result = self.ask(method, email=person["email"], origin=self.origin, **self.given("password", *names))
        except RegdError as error:
            shown = self.refusal(error)
            return self.get_account(person=person, **{f"alert_{do}": shown.pop("alert")}, **shown)
        if do == "export":
            text = json.dumps(result, ensure_ascii=False, indent=2)
            return self.answer(200, text, JSON, **{"Content-Disposition": 'attachment; filename="account.json"'})
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
        password, confirmation = self.given(*names.values()).values()
        found = self.ask("registration.validate", email=email, password=password, password_confirmation=confirmation)["problems"]
        problems = [one | {"field": names[one["field"]]} for one in found if one["field"] in names]
        self.answer(200, json.dumps({"enabled": not problems, "problems": problems}), JSON)


if __name__ == "__main__":
    key = signing_key(pathlib.Path(os.environ.get("STATE_DIRECTORY", ".")) / "site.key")
    server = Server(int(os.environ.get("PORT", "8080")), Site, key, "SITE_BEHIND_PROXY" in os.environ)
    print(f"http://localhost:{server.server_port}", flush=True)
    server.serve_forever()
