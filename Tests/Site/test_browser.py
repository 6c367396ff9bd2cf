"""The site as a person meets it: Debian's chromium plays all of its pages, with scripts and without..

PICTURES names a directory for screenshots.
"""

import json
import os
import pathlib
import unittest

from browser import Browser, Driver
from stage import Stage, until

TERMS = {"registration_terms_version": "7", "registration_terms_url": "https://example.org/terms"}


class BrowserCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.driver = cls.enterClassContext(Driver())

    def stage(self, program: str = "python", **settings: str) -> Stage:
        return self.enterContext(Stage(program, **settings))

    def browser(self, stage: Stage, **how) -> Browser:
        return self.enterContext(Browser(self.driver, stage.url, **how))

    def enter(self, browser: Browser, address: str, password: str = "a fine phrase", terms: bool = False, **also: str):
        browser.go("/sign-up")
        browser.type("#email", address)
        browser.type("#password", password)
        browser.type("#confirmation", password)
        for name, value in also.items():
            browser.type(f"#{name}", value)
        if terms:
            browser.click("[name=terms]")
        self.press(browser, "form[action='/sign-up'] button")

    def press(self, browser: Browser, button: str):
        """As a person does, who waits until it can be pressed."""
        until(lambda: browser.is_enabled(button), f"{button} can be pressed: {browser.text()}")
        browser.click(button)

    def sign_in(self, browser: Browser, address: str, password: str = "a fine phrase"):
        browser.go("/sign-in")
        browser.type("#email", address)
        browser.type("#password", password)
        browser.click("form[action='/sign-in'] button")

    def own(self, browser: Browser, do: str, password: str = "a fine phrase", **fields: str):
        browser.go("/account")
        if not browser.attribute(f"#{do}", "open"):
            browser.click(f"#{do} summary")
        browser.type(f"#{do} [name=password]", password)
        for name, value in fields.items():
            browser.type(f"#{do} [name={name}]", value)
        self.press(browser, f"#{do} button")


class Life(BrowserCase):
    """All of an account's life, with a second browser that is signed in to it."""

    def life(self, has_scripts: bool):
        stage = self.stage(**TERMS)
        one, two = self.browser(stage, has_scripts=has_scripts), self.browser(stage, has_scripts=has_scripts)
        self.enter(one, "a@test.com", terms=True)
        one.says("We have sent a code to this address")
        code = stage.code("a@test.com")
        one.type("#code", "000000" if code != "000000" else "000001")
        one.click("main form button")
        one.says("Incorrect code")
        one.click("button[value=again]")
        one.says("An email was requested a moment ago")
        one.type("#code", f"{code[:3]} {code[3:]}")
        one.click("main form button")
        one.says("Your account is ready")

        self.sign_in(two, "a@test.com", "wrong phrase")
        two.says("Incorrect email address or password")
        self.sign_in(two, "a@test.com")
        two.says("You are signed in as a@test.com")

        new = {"newPassword": "another phrase", "newPasswordConfirmation": "another phrase"}
        self.own(one, "password", "wrong phrase", **new)
        one.says("Incorrect email address or password", "#password")
        self.own(one, "password", **new)
        one.says("Your password has been changed")
        two.reload()
        two.says("This session has ended")
        self.sign_in(two, "a@test.com", "another phrase")
        two.says("You are signed in as")
        self.own(one, "sign_out", "another phrase")
        one.says("Every other sign-in has ended")
        two.go("/account")
        two.says("This session has ended")

        self.own(one, "email", "another phrase", newEmail="b@test.com")
        one.says("b@test.com")
        one.type("#code", stage.code("b@test.com"))
        one.click("main form button")
        one.says("You are signed in as b@test.com")
        self.own(one, "export", "another phrase")
        file = one.downloads / "account.json"
        until(file.exists, "the export is downloaded")
        self.assertEqual(json.loads(file.read_text())["account"]["email"], "b@test.com")

        two.go("/sign-in")
        two.click("a[href='/recovery']")
        two.type("#email", "b@test.com")
        two.click("main form button")
        two.says("If there is an account with this address")
        two.type("#code", stage.code("b@test.com", 2))
        two.type("#password", "a third phrase")
        two.type("#confirmation", "a third phrase")
        self.press(two, "main form button")
        two.says("You are signed in as b@test.com")
        one.reload()
        one.says("This session has ended")
        self.own(two, "delete", "a third phrase")
        two.says("Your account has been deleted")
        self.assertEqual(stage.call("account.list")["accounts"], [])
        for browser in (one, two):
            self.assertEqual(browser.complaints(), [])

    def test_with_scripts(self):
        self.life(has_scripts=True)

    def test_without_scripts(self):
        self.life(has_scripts=False)


class Live(BrowserCase):
    def keys(self, program: str):
        """Each key is judged: the rules, the words beside the fields, and the button."""
        browser = self.browser(self.stage(program, **TERMS))
        browser.go("/sign-up")
        button, length = "main form button", "#password-rules li:first-child"
        until(lambda: not browser.is_enabled(button), "the button is shut before anything is entered")
        self.assertEqual(browser.text("#email-problem"), "", "nobody is blamed for what was not typed yet")
        browser.type("#email", "a@")
        browser.says("domain", "#email-problem")
        browser.type("#email", "test.com", clear=False)
        until(lambda: browser.text("#email-problem") == "", "the address is one")
        for count, letter in enumerate("fine phr", 1):
            browser.type("#password", letter, clear=False)
            wanted = "broken" if count < 8 else "kept"
            until(lambda: wanted in (browser.attribute(length, "class") or ""), f"{count} letters: {wanted}")
        browser.type("#confirmation", "fine ph")
        browser.says("do not match", "#confirmation-problem")
        self.assertEqual(browser.attribute("#confirmation", "aria-invalid"), "true")
        browser.type("#confirmation", "r", clear=False)
        until(lambda: browser.text("#confirmation-problem") == "", "it is the same")
        self.assertFalse(browser.is_enabled(button))
        browser.click("[name=terms]")
        until(lambda: browser.is_enabled(button), "all is there")
        browser.click("[name=terms]")
        browser.says("Please accept version", "#terms-problem")
        self.assertFalse(browser.is_enabled(button))
        self.assertEqual(browser.complaints(), [])

    def test_python(self):
        self.keys("python")

    def test_node(self):
        self.keys("node")

    def test_without_regd(self):
        """A script that gets no answer stands in nobody's way: the button's own page says what is the matter."""
        stage = self.stage()
        browser = self.browser(stage)
        browser.go("/sign-up")
        until(lambda: not browser.is_enabled("main form button"), "the button is shut")
        stage.end_regd()
        browser.type("#email", "a@test.com")
        until(lambda: browser.is_enabled("main form button"), "the button can be pressed")
        browser.click("main form button")
        browser.says("Accounts are not available")
        stage.start_regd()
        self.enter(browser, "a@test.com")
        browser.says("We have sent a code")

    def test_new_password(self):
        stage = self.stage()
        stage.account("a@test.com")
        browser = self.browser(stage)
        self.sign_in(browser, "a@test.com")
        browser.click("#password summary")
        browser.type("#new-password", "a@test.com")
        browser.says("must not be the email address", "#new-password-problem")
        self.assertFalse(browser.is_enabled("#password button"))


class Admission(BrowserCase):
    def test_invitation(self):
        """One that comes in a link stands behind its #, which no server sees."""
        stage = self.stage(registration_mode="invited", **TERMS)
        code = stage.call("invitation.create")["code"]
        browser = self.browser(stage)
        browser.go(f"/sign-up#invitation={code}")
        browser.type("#email", "a@test.com")
        browser.type("#password", "a fine phrase")
        browser.type("#confirmation", "a fine phrase")
        self.assertEqual(browser.property("#invitation", "value"), code)
        browser.click("[name=terms]")
        self.press(browser, "main form button")
        browser.says("We have sent a code")
        browser.type("#code", stage.code("a@test.com"))
        browser.click("main form button")
        browser.says("Your account is ready")
        other = self.browser(stage)
        self.enter(other, "b@test.com", terms=True, invitation=code)
        other.says("This invitation")

    def test_terms_that_change(self):
        stage = self.stage(**TERMS)
        stage.account("a@test.com")
        browser = self.browser(stage)
        self.sign_in(browser, "a@test.com")
        browser.says("The terms of use have changed")
        browser.type("#terms [name=password]", "a fine phrase")
        browser.click("#terms button")
        browser.says("You have accepted the terms")
        self.assertEqual(browser.all("#terms"), [])

    def test_closed(self):
        browser = self.browser(self.stage(registration_mode="closed"))
        browser.go("/sign-up")
        browser.says("Registration is closed")


class Outages(BrowserCase):
    def outage(self, says: str, has_scripts: bool, **settings: str):
        stage = self.stage(registration_verification="none", mail_backend="none", **settings)
        browser = self.browser(stage, has_scripts=has_scripts)
        self.enter(browser, "a@test.com")
        browser.says(says)
        self.assertEqual(browser.property("#email", "value"), "a@test.com", "nothing has to be typed again")
        # the button can be pressed again at once, also if scripts run
        browser.type("#password", "a fine phrase")
        browser.type("#confirmation", "a fine phrase")
        until(lambda: browser.is_enabled("main form button"), "it can be tried again")
        self.assertEqual(stage.call("account.list")["accounts"], [])

    def test_offline(self):
        self.outage("cannot be reached", True, network_backend="offline")

    def test_offline_without_scripts(self):
        self.outage("cannot be reached", False, network_backend="offline")

    def test_unavailable(self):
        self.outage("not available at the moment", True, network_backend="unavailable")

    def test_unavailable_without_scripts(self):
        self.outage("not available at the moment", False, network_backend="unavailable")

    def test_store_away(self):
        stage = self.stage()
        stage.account("a@test.com")
        browser = self.browser(stage)
        self.sign_in(browser, "a@test.com")
        browser.says("You are signed in as")
        database = stage.place / "regd.db"
        copy = database.with_name("copy")
        copy.write_bytes(database.read_bytes())
        copy.rename(database)
        self.own(browser, "sign_out")
        browser.says("Try again in", "main")
        self.assertEqual(browser.path, "/account")
        stage.end_regd()
        browser.go("/account")
        browser.says("You stay signed in meanwhile")
        stage.start_regd()
        browser.go("/account")
        self.assertNotIn("meanwhile", browser.text())


class Looks(BrowserCase):
    def test_right_to_left(self):
        browser = self.browser(self.stage(**TERMS), language="ar")
        browser.go("/sign-up")
        self.assertEqual(browser.attribute("html", "dir"), "rtl")
        self.assertEqual(browser.style("main", "direction"), "rtl")
        self.assertGreater(browser.box("header .name")["x"], browser.box("header nav")["x"])
        self.assertEqual(browser.style("#email", "direction"), "ltr", "an address is written from left to right")
        browser.click("footer a[lang=es]")
        browser.says("Crear una cuenta", "h1")
        self.assertEqual(browser.style("main", "direction"), "ltr")
        browser.go("/sign-in")
        browser.says("Iniciar sesión", "h1")

    def test_every_control_has_a_name(self):
        stage = self.stage(registration_mode="invited", **TERMS)
        stage.account("a@test.com")
        browser = self.browser(stage)
        self.sign_in(browser, "a@test.com")
        browser.says("You are signed in as")
        for path in ("/", "/sign-up", "/sign-in", "/recovery", "/account"):
            browser.go(path)
            for summary in browser.all("details:not([open]) summary"):
                browser.ask("POST", f"/element/{summary}/click", {})
            found = browser.all("input:not([type=hidden]):not(.hidden), button, a")
            self.assertTrue(found)
            for element in found:
                html = browser.ask("GET", f"/element/{element}/property/outerHTML")
                self.assertTrue(browser.ask("GET", f"/element/{element}/computedlabel"), f"{path}: {html}")

    def test_pictures(self):
        """Nothing is wider than its window, in the languages with the longest words and from right to left; and pictures to look at."""
        pictures = pathlib.Path(os.environ["PICTURES"]) if "PICTURES" in os.environ else None
        if pictures:
            pictures.mkdir(parents=True, exist_ok=True)
        stage = self.stage(**TERMS)
        stage.account("somebody.with.a.long.name@subdomain.example.org")
        for language in ("es", "ar"):
            for width in (360, 1000):
                browser = self.browser(stage, language=language, width=width)
                for page in ("", "sign-up", "sign-in", "recovery", "code", "account"):
                    if page == "account":
                        self.sign_in(browser, "somebody.with.a.long.name@subdomain.example.org")
                        browser.click("#password summary")
                    elif page == "code":
                        self.enter(browser, f"{language}{width}.with.a.long.name@subdomain.example.org", terms=True)
                        until(lambda: browser.path == "/code", "the code's page")
                    else:
                        browser.go(f"/{page}")
                    if page == "sign-up":
                        browser.type("#email", "nothing")
                        browser.type("#password", "short")
                        until(lambda: browser.text("#password-problem"), "it is judged")
                    if pictures:
                        browser.picture(pictures / f"{page or 'home'}-{language}-{width}.png")
                    size = browser.devtools("Page.getLayoutMetrics")["cssContentSize"]["width"]
                    self.assertLessEqual(size, width, f"/{page} in {language}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
