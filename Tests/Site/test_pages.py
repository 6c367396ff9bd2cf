"""The site as a browser without scripts, and as somebody who means no good, meets it."""

import base64
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request

from stage import PATIENCE, REGD, SITE, Stage, Visitor, until

NODE = shutil.which("node") or os.environ.get("CI")  # in CI, its absence is a failure


class Registration(unittest.TestCase):
    """Registration and its code, which the site in Python and its twin in Node both have."""

    def play(self, program: str):
        with Stage(program, registration_terms_version="7", registration_terms_url="https://example.org/terms") as stage:
            visitor = Visitor(stage, language="es-MX,es;q=0.9,en;q=0.5")
            self.assertEqual(visitor.get("/sign-up"), 200)
            self.assertIn('<html lang="es" dir="ltr">', visitor.page)
            self.assertIn("Entre 8 y 256 caracteres", visitor.text)
            self.assertIn('href="https://example.org/terms"', visitor.page)
            self.assertEqual(visitor.post("/sign-up/live", form="1", email="a@test.com", password="short"), 200)
            state = json.loads(visitor.page)
            self.assertFalse(state["enabled"])
            self.assertEqual(state["problems"][0]["reason"], "password.tooShort")
            self.assertIn("La contraseña debe tener", state["problems"][0]["message"])

            self.assertEqual(visitor.sign_up("a@test.com", "short", terms="7"), 422)
            self.assertIn("La contraseña debe tener al menos 8 caracteres", visitor.text)
            self.assertIn('value="a@test.com"', visitor.page)
            self.assertNotIn("short", visitor.page)
            self.assertEqual(visitor.sign_up("a@test.com"), 422)
            self.assertIn("Acepte la versión 7 de las condiciones de uso", visitor.text)

            self.assertEqual(visitor.sign_up("a@test.com", terms="7", displayName="\u200b"), 422)
            self.assertIn("El nombre visible debe tener caracteres visibles", visitor.text)
            self.assertEqual(visitor.sign_up("a@test.com", "short", terms="7", displayName="Ann"), 422)
            self.assertIn('value="Ann"', visitor.page)

            entry = visitor.sign_up("a@test.com", terms="7", displayName=" Ann Lee ")
            self.assertEqual((entry, visitor.location), (200, None))
            self.assertIn("a@test.com", visitor.text)
            code = stage.code("a@test.com")
            wrong = "000000" if code != "000000" else "000001"
            self.assertEqual(visitor.post("/code", code=wrong), 422)
            self.assertIn("Código incorrecto", visitor.text)
            self.assertEqual(visitor.post("/code", do="again"), 429)
            self.assertRegex(visitor.head["Retry-After"], r"^\d+$")
            # the code does not prove the address in another browser
            other = Visitor(stage)
            other.sign_up("a@test.com", terms="7")
            self.assertEqual(other.post("/code", code=code), 422)
            visitor.get("/code")
            self.assertEqual(visitor.post("/code", code=code), 200)
            self.assertIn("Su cuenta está lista", visitor.text)
            account = stage.call("account.get", email="a@test.com")["account"]
            self.assertEqual((account["state"], account["displayName"]), ("active", "Ann Lee"))
            self.assertEqual(other.sign_up("a@test.com", terms="7"), 422)
            self.assertIn("Sorry, provided email address is already taken", other.text)

    def test_python(self):
        self.play("python")

    @unittest.skipUnless(NODE, "needs Debian's nodejs, which make deps installs")
    def test_node(self):
        self.play("node")

    def admission(self, program: str):
        with Stage(program, registration_mode="invited", registration_approval="administrator") as stage:
            visitor = Visitor(stage)
            self.assertEqual(visitor.sign_up("a@test.com"), 422)
            self.assertIn("invitation", visitor.text)
            self.assertEqual(visitor.sign_up("a@test.com", invitation="none"), 422)
            invitation = stage.call("invitation.create")["code"]
            self.assertEqual(visitor.sign_up("a@test.com", invitation=invitation.lower()), 200)
            self.assertEqual(visitor.post("/code", code=stage.code("a@test.com")), 200)
            self.assertEqual(stage.call("account.get", email="a@test.com")["account"]["state"], "waiting")
            stage.start_regd(registration_mode="closed")
            self.assertEqual(visitor.get("/sign-up"), 403)
            self.assertIn("Registration is closed", visitor.text)

    def test_admission_python(self):
        self.admission("python")

    @unittest.skipUnless(NODE, "needs Debian's nodejs, which make deps installs")
    def test_admission_node(self):
        self.admission("node")

    def crowd(self, program: str):
        """One origin keeps eight forms, whatever it does; a crowd takes no more than there is, and nobody notices."""
        with Stage(program) as stage:
            one = Visitor(stage, "192.0.2.1")
            one.get("/sign-up")
            for _ in range(60):
                other = Visitor(stage, "192.0.2.1")
                other.get("/sign-up")
                other.post("/sign-up/live", email="a@test.com")
            for number in range(110):
                other = Visitor(stage, f"198.51.100.{number}")
                other.get("/sign-up")
                self.assertEqual(other.post("/sign-up/live", email="a@test.com"), 200)
            # the first browser's form was closed long ago
            self.assertEqual(one.post("/sign-up/live", email="nothing"), 200)
            self.assertEqual(json.loads(one.page)["problems"][0]["field"], "email")
            # Two connections have room for 118 forms, but not for 170. The third makes this request, the fourth serves
            # the site's calls in Python.
            connections = stage.call("daemon.status")["connections"]
            self.assertLessEqual(connections, 4 if program == "python" else 3, "forms share connections")

    def test_crowd_python(self):
        self.crowd("python")

    @unittest.skipUnless(NODE, "needs Debian's nodejs, which make deps installs")
    def test_crowd_node(self):
        self.crowd("node")

    def at_once(self, program: str):
        """Nine requests of one origin while regd does not answer: the ninth is told to wait, and nine IPv4 addresses in IPv6's form are not."""
        with Stage(program) as stage:
            stage.regd.send_signal(signal.SIGSTOP)
            os.waitpid(stage.regd.pid, os.WUNTRACED)  # until then it may answer one more request
            visitors = [Visitor(stage, f"2001:db8::{number}") for number in range(9)]
            answers: list[int] = []
            mapped: list[int] = []
            others = [Visitor(stage, f"::ffff:192.0.2.{number}") for number in range(9)]
            threads = [threading.Thread(target=lambda one=one: mapped.append(one.get("/sign-up"))) for one in others]
            threads += [threading.Thread(target=lambda one=one: answers.append(one.get("/sign-up"))) for one in visitors]
            for thread in threads:
                thread.start()
            try:
                self.assertEqual(until(lambda: answers, "one of nine is answered"), [429])
                self.assertEqual(Visitor(stage, "192.0.2.77").get("/nothing"), 404)
            finally:
                stage.regd.send_signal(signal.SIGCONT)
                for thread in threads:
                    thread.join()
            self.assertEqual(sorted(answers), [200] * 8 + [429])
            self.assertEqual(mapped, [200] * 9)

    def test_at_once_python(self):
        self.at_once("python")

    @unittest.skipUnless(NODE, "needs Debian's nodejs, which make deps installs")
    def test_at_once_node(self):
        self.at_once("node")

    def outages(self, program: str):
        with Stage(program, registration_verification="none", mail_backend="none", network_backend="offline") as stage:
            visitor = Visitor(stage)
            self.assertEqual(visitor.sign_up("a@test.com"), 503)
            self.assertNotIn("There is no", visitor.text)
            self.assertTrue(visitor.head["Retry-After"])
            # regd starts again: earlier forms and connections no longer exist
            stage.start_regd(registration_verification="none", mail_backend="none", network_backend="unavailable")
            self.assertEqual(visitor.sign_up("a@test.com"), 503)
            stage.end_regd()
            self.assertEqual(visitor.get("/sign-up"), 503)
            self.assertIn("Accounts are not available", visitor.text)
            visitor.headers["Accept-Language"] = "ar"
            visitor.cookies.pop("__Host-language", None)
            self.assertEqual(visitor.get("/sign-up"), 503)
            self.assertIn('dir="rtl"', visitor.page)
            stage.start_regd(registration_verification="none", mail_backend="none")
            self.assertEqual(visitor.sign_up("a@test.com"), 200)

    def test_outages_python(self):
        self.outages("python")

    @unittest.skipUnless(NODE, "needs Debian's nodejs, which make deps installs")
    def test_outages_node(self):
        self.outages("node")


class Forms(unittest.TestCase):
    """The store of forms itself, on a real regd."""

    def setUp(self):
        sys.path.insert(0, str(SITE))
        import forms

        self.stage = self.enterContext(Stage())
        self.forms = forms.Forms(str(self.stage.place / "regd.sock"))

    def set(self, key: str, origin: str) -> dict:
        return self.forms.set(key, {"kind": "registration", "origin": origin}, {"email": key})[0]

    def is_open(self, entry) -> bool:
        try:
            entry.form.set()
        except Exception as error:
            self.assertEqual(error.reason, "form.notFound")
            return False
        return True

    def test_shares(self):
        """One origin has eight forms; what its ninth closes is its own oldest, which opens again when it is used."""
        self.set("neighbour@x", "2")
        made = []
        for number in range(9):
            self.set(f"{number}@x", "1")
            made.append(self.forms._entries[f"{number}@x"])
            if number == 1:
                self.set("0@x", "1")  # it was used last, so it is not the oldest
        self.assertEqual([self.is_open(form) for form in made], [True, False] + [True] * 7)
        self.assertTrue(self.is_open(self.forms._entries["neighbour@x"]))
        self.assertEqual(self.set("1@x", "1")["email"], "1@x")

    def test_room(self):
        """Each of a crowd has one; what was closed makes room, and regd never has a form that nobody can close."""
        for number in range(130):
            self.set(f"{number}@x", str(number))
        self.assertEqual([line.room for line in self.forms._lines][:4], [0, 0, 62, 64])
        for number in range(130):
            self.forms.close(f"{number}@x")
        self.assertEqual({line.room for line in self.forms._lines}, {64})
        for number in range(128):
            self.set(f"again {number}@x", str(number))
        self.assertEqual(sum(line.room for line in self.forms._lines), 64 * 14)

    def test_regd_starts_anew(self):
        self.set("a@x", "1")
        self.stage.start_regd()
        self.assertEqual(self.set("a@x", "1")["email"], "a@x")
        self.assertEqual([line.room for line in self.forms._lines][:2], [63, 64])


class Accounts(unittest.TestCase):
    def setUp(self):
        self.stage = self.enterContext(Stage())
        self.stage.account("a@test.com")
        self.visitor, self.other = Visitor(self.stage), Visitor(self.stage, "192.0.2.2")

    def test_password(self):
        self.assertEqual(self.visitor.sign_in("a@test.com", "wrong"), 422)
        self.assertIn("Incorrect email address or password", self.visitor.text)
        self.assertEqual(self.visitor.sign_in("a@test.com"), 200)
        self.other.sign_in("a@test.com")
        self.visitor.post("/password/live", newPassword="abc", newPasswordConfirmation="d")
        problems = [(one["field"], one["reason"]) for one in json.loads(self.visitor.page)["problems"]]
        self.assertEqual(problems, [("newPassword", "password.tooShort"), ("newPasswordConfirmation", "password.mismatch")])
        self.assertEqual(self.visitor.own("password", newPassword="abc", newPasswordConfirmation="abc"), 422)
        self.assertIn('id="password" open', self.visitor.page)
        new = {"newPassword": "another phrase", "newPasswordConfirmation": "another phrase"}
        self.assertEqual(self.visitor.own("password", "wrong", **new), 422)
        self.assertEqual(self.visitor.own("password", **new), 200)
        self.assertIn("has been changed", self.visitor.text)
        self.assertEqual((self.other.get("/account"), self.other.location), (303, "/sign-in"))
        self.other.get("/sign-in")
        self.assertIn("This session has ended", self.other.text)

    def test_sign_out_everywhere(self):
        self.visitor.sign_in("a@test.com")
        self.other.sign_in("a@test.com")
        self.assertEqual(self.visitor.own("sign_out"), 200)
        self.assertEqual(self.visitor.get("/account"), 200)
        self.assertEqual(self.other.get("/account"), 303)
        self.visitor.post("/sign-out")
        self.assertIn("You are signed out", self.visitor.text)
        self.assertEqual(self.visitor.get("/account"), 303)

    def test_address(self):
        self.visitor.sign_in("a@test.com")
        self.assertEqual(self.visitor.own("email", newEmail="nothing"), 422)
        self.assertEqual(self.visitor.own("email", newEmail="b@test.com"), 200)
        self.assertEqual(self.visitor.post("/code", code=self.stage.code("b@test.com")), 200)
        self.assertIn("b@test.com", self.visitor.text)
        self.assertEqual(self.stage.call("account.list")["accounts"][0]["email"], "b@test.com")

    def test_display_name(self):
        self.visitor.sign_in("a@test.com")
        self.assertEqual(self.visitor.own("name", displayName="A" * 121), 422)
        self.assertIn("at most 120 characters", self.visitor.text)
        self.assertEqual(self.visitor.own("name", "wrong", displayName="Ann"), 422)
        self.assertEqual(self.visitor.own("name", displayName="Ann <b>"), 200)
        self.assertIn("You are signed in as Ann <b> · a@test.com", self.visitor.text)
        self.assertIn("display name has been changed", self.visitor.text)
        self.assertEqual(self.visitor.own("name", displayName=""), 200)
        self.assertIn("You are signed in as a@test.com", self.visitor.text)
        self.assertNotIn("displayName", self.stage.call("account.get", email="a@test.com")["account"])

    def test_members(self):
        self.assertEqual((self.other.get("/members"), self.other.location), (303, "/sign-in"))
        self.visitor.sign_in("a@test.com")
        self.assertNotIn("/members", self.visitor.page)
        self.assertEqual(self.visitor.get("/members"), 403)
        self.stage.call("account.addGroups", email="a@test.com", groups=["members"])
        self.visitor.get("/account")
        self.assertIn('href="/members"', self.visitor.page)
        self.assertEqual(self.visitor.get("/members"), 200)
        self.stage.call("account.removeGroups", email="a@test.com", groups=["members"])
        self.assertEqual(self.visitor.get("/members"), 403, "a change of groups counts at the next request")
        self.stage.call("account.addGroups", email="a@test.com", groups=["members"])
        self.stage.end_regd()
        self.assertEqual(self.visitor.get("/account"), 200)
        self.assertEqual(self.visitor.get("/members"), 503, "the page trusts no earlier reply")

    def test_export_and_deletion(self):
        self.visitor.sign_in("a@test.com")
        self.visitor.own("export")
        self.assertIn("attachment", self.visitor.head["Content-Disposition"])
        self.assertEqual(json.loads(self.visitor.page)["account"]["email"], "a@test.com")
        self.assertEqual(self.visitor.own("delete", "wrong"), 422)
        self.assertEqual(self.visitor.own("delete"), 200)
        self.assertIn("has been deleted", self.visitor.text)
        self.assertEqual(self.stage.call("account.list")["accounts"], [])

    def test_recovery(self):
        self.other.sign_in("a@test.com")
        self.visitor.get("/recovery")
        self.assertEqual(self.visitor.post("/recovery", email="nobody@test.com"), 200)
        known = self.visitor.text.replace("nobody@", "a@")
        self.visitor.get("/recovery")
        self.visitor.post("/recovery", email="a@test.com")
        self.assertEqual(self.visitor.text, known, "nobody learns who has an account")
        new = {"code": self.stage.code("a@test.com"), "password": "another phrase"}
        self.assertEqual(self.visitor.post("/recovery/code", **new, passwordConfirmation="another"), 422)
        self.assertEqual(self.visitor.post("/recovery/code", **new, passwordConfirmation="another phrase"), 200)
        self.assertIn("a@test.com", self.visitor.text)
        self.assertEqual(self.other.get("/account"), 303)

    def test_terms(self):
        self.stage.start_regd(registration_terms_version="2", registration_terms_url="https://example.org/2")
        self.visitor.sign_in("a@test.com")
        self.assertIn("The terms of use have changed", self.visitor.text)
        self.assertEqual(self.visitor.own("terms", terms="2"), 200)
        self.assertNotIn("The terms of use have changed", self.visitor.text)
        self.assertEqual(self.stage.call("account.get", email="a@test.com")["terms"]["version"], "2")

    def test_too_many_guesses(self):
        for number in range(20):
            if self.visitor.sign_in("a@test.com", f"wrong {number}") == 429:
                break
        self.assertEqual(self.visitor.status, 429)
        self.assertTrue(self.visitor.head["Retry-After"])
        self.assertEqual(self.other.sign_in("a@test.com"), 200, "whoever guesses waits, and others do not")

    def test_disabled(self):
        self.visitor.sign_in("a@test.com")
        self.stage.call("account.disable", email="a@test.com")
        self.assertEqual(self.visitor.get("/account"), 303)
        self.assertEqual(self.visitor.sign_in("a@test.com"), 422)

    def test_regd_is_away(self):
        self.visitor.sign_in("a@test.com")
        self.stage.end_regd()
        self.assertEqual(self.visitor.get("/account"), 200, "a sign-in of a moment ago counts")
        self.assertIn("You stay signed in meanwhile", self.visitor.text)
        self.assertEqual(self.visitor.own("sign_out"), 503)
        self.assertEqual(self.other.sign_in("a@test.com"), 503)
        self.assertEqual(self.visitor.get("/"), 200)
        self.stage.start_site(SITE_TRUST_SECONDS="0")
        self.assertEqual(self.visitor.get("/account"), 503, "and no longer than the site is told to trust it")
        self.stage.start_regd()
        self.assertEqual(self.visitor.get("/account"), 200, "a site that starts anew signs nobody out")
        self.assertNotIn("meanwhile", self.visitor.text)

    def test_store_is_away(self):
        self.visitor.sign_in("a@test.com")
        database = self.stage.place / "regd.db"
        copy = database.with_name("copy")
        copy.write_bytes(database.read_bytes())
        copy.rename(database)  # the file at the path is no longer the one that regd has open
        self.assertEqual(self.visitor.own("sign_out"), 503)
        self.assertIn("sign_out", self.visitor.page)
        self.assertNotIn("has ended", self.visitor.text)
        self.assertEqual(self.visitor.get("/account"), 200)


class Guards(unittest.TestCase):
    def setUp(self):
        self.stage = self.enterContext(Stage())
        self.stage.account("a@test.com")
        self.visitor = Visitor(self.stage)
        self.visitor.sign_in("a@test.com")

    def test_forged_forms(self):
        self.assertEqual(self.visitor.post("/account", do="sign_out", password="a fine phrase", token=""), 403)
        self.assertEqual(self.visitor.post("/account", do="sign_out", password="a fine phrase", token="é"), 403)
        stranger = Visitor(self.stage)
        stranger.get("/sign-in")
        self.assertEqual(self.visitor.post("/account", do="sign_out", password="x", token=stranger.fields["token"]), 403)
        self.visitor.get("/account")
        body = f"token={self.visitor.fields['token']}&do=sign_out"
        self.assertEqual(self.visitor.ask("POST", "/account", body, **{"Sec-Fetch-Site": "cross-site"}), 403)
        self.assertEqual(self.visitor.ask("POST", "/account", body + "x" * 20000), 403)

    def test_forged_cookies(self):
        name = "__Host-session"
        text, _, mac = self.visitor.cookies[name].rpartition(".")
        end, value = json.loads(base64.urlsafe_b64decode(text))
        altered = base64.urlsafe_b64encode(json.dumps([end + 1, value]).encode()).decode()
        for forged in (f"{altered}.{mac}", f"{text}.{mac[:-1]}{'1' if mac.endswith('0') else '0'}", f"{text}.", text, "", ".", "é", self.visitor.cookies["__Host-visit"]):
            thief = Visitor(self.stage)
            thief.cookies[name] = forged.encode().decode("latin-1")
            self.assertEqual(thief.get("/account"), 303, forged)
        for cookie in ("a" * 5000, '"', "a=b; a", "\\"):
            self.assertEqual(Visitor(self.stage).ask("GET", "/", Cookie=cookie), 200)

    def test_headers(self):
        for cookie in self.visitor.head.get_all("Set-Cookie", []):
            self.assertRegex(cookie, r"^__Host-\w+=[^;]*; Path=/; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$")
        self.visitor.get("/account")
        self.assertEqual(self.visitor.head["Cache-Control"], "no-store")
        self.assertIn("default-src 'none'", self.visitor.head["Content-Security-Policy"])
        self.assertNotIn("unsafe", self.visitor.head["Content-Security-Policy"])
        self.assertNotRegex(self.visitor.page, r"<script>|\son\w+=|style=")
        self.assertEqual(oct((self.stage.place / "site.key").stat().st_mode & 0o777), "0o600")

    def test_what_is_typed_is_text(self):
        evil = '"><script>alert(1)</script>{{token}}@x'
        self.assertEqual(self.visitor.sign_up(evil), 422)
        self.assertNotIn("<script>alert", self.visitor.page)
        self.assertIn("{{token}}", self.visitor.page)
        self.assertEqual(self.visitor.sign_in(evil), 422)
        self.assertNotIn("<script>alert", self.visitor.page)

    def test_paths(self):
        for path in ("/../server.py", "/words/en.json", "/site.key", "/sign_in", "/account/x", "/%2e%2e/web.py", "/json"):
            self.assertEqual(self.visitor.get(path), 404, path)
        for path in ("//evil.example", "/sign-in?language=//evil.example", "/?next=https://evil.example"):
            self.visitor.get(path)
            self.assertIsNone(self.visitor.location)
        self.assertEqual(self.visitor.ask("HEAD", "/account"), 200)
        self.assertEqual(self.visitor.page, "")


class Start(unittest.TestCase):
    def start(self, **settings: str) -> subprocess.Popen:
        place = self.enterContext(tempfile.TemporaryDirectory())
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("REGD_")}
        environment = inherited | {"REGD": REGD, "PORT": "0"} | settings
        start = subprocess.Popen([SITE / "start", place], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (start.terminate(), start.communicate()))
        return start

    def test_it_says_where_to_look(self):
        start = self.start()
        said = {name: value.split()[0] for name, _, value in (start.stdout.readline().partition(": ") for _ in range(4))}
        mails = pathlib.Path(said["Emails"])
        until((mails.parent / "regd.sock").exists, "regd listens")
        with urllib.request.urlopen(said["The site"] + "/sign-up", timeout=PATIENCE) as page:
            self.assertIn('href="/terms"', page.read().decode())
        self.assertEqual(oct(mails.parent.stat().st_mode & 0o777), "0o700", "a mail has a code in it")
        start.terminate()
        self.assertEqual(start.wait(PATIENCE), 0)
        with self.assertRaises(OSError):
            urllib.request.urlopen(said["The site"], timeout=PATIENCE)
        self.assertFalse((mails.parent / "regd.sock").exists())

    def test_it_says_why_it_does_not_start(self):
        start = self.start(REGD_REGISTRATION_MODE="ajar")
        _, complaint = start.communicate(timeout=PATIENCE)
        self.assertEqual(start.returncode, 1)
        self.assertIn("registration.mode", complaint)


class Words(unittest.TestCase):
    def test_every_language_has_every_word(self):
        words = {file.stem: json.loads(file.read_text()) for file in (SITE / "words").glob("*.json")}
        self.assertEqual(sorted(words), ["ar", "en", "es", "pt", "zh"])
        for language, texts in words.items():
            self.assertEqual(list(texts), list(words["en"]), language)
            for name, text in texts.items():
                self.assertTrue(text.strip(), f"{language} {name}")
                self.assertEqual(sorted(re.findall(r"\{\d}", text)), sorted(re.findall(r"\{\d}", words["en"][name])), f"{language} {name}")

    def test_pages_use_no_word_that_is_not_there(self):
        known = set(json.loads((SITE / "words/en.json").read_text()))
        source = (SITE / "server.py").read_text() + (SITE / "web.py").read_text()
        for page in (SITE / "pages").glob("*.html"):
            for name in re.findall(r"\{\{\??(\w+)}}", page.read_text()):
                is_value = name in source or name.startswith(("problem_", "alert_"))
                self.assertTrue(name in known or is_value, f"{page.name}: {name}")

    def test_it_is_short(self):
        """The site without regd's client: lines with code on them."""
        lines = 0
        for name in ("server", "forms", "web"):
            text = re.sub(r'""".*?"""', "", (SITE / f"{name}.py").read_text(), flags=re.S)
            lines += sum(1 for line in text.splitlines() if line.strip() and not line.strip().startswith("#"))
        self.assertLess(lines, 420)


if __name__ == "__main__":
    unittest.main(verbosity=2)
