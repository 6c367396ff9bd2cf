"""Django's backend and the page in PHP, in front of a real regd. Each is skipped, and says why, where its language is not."""

import importlib.util
import os
import shutil
import sys
import unittest

from stage import PROGRAMS, SITE, Stage, Visitor

PROGRAMS["php"] = ["sh", "-c", f'exec php -S localhost:$PORT "{SITE}/php/sign-in.php"']


@unittest.skipUnless(importlib.util.find_spec("django"), "needs Django, which Tests/Interop/run installs")
class Django(unittest.TestCase):
    def setUp(self):
        self.stage = self.enterContext(Stage())
        self.stage.account("a@test.com")
        os.environ["REGD_SOCKET_PATH"] = str(self.stage.place / "regd.sock")
        sys.path[:0] = [str(SITE), str(SITE / "django")]

    def test_sign_in(self):
        import django
        from django.conf import settings

        apps = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"]
        own = ["sessions.middleware.SessionMiddleware", "auth.middleware.AuthenticationMiddleware"]
        settings.configure(
            ALLOWED_HOSTS=["testserver"], AUTHENTICATION_BACKENDS=["regd_backend.RegdBackend"], INSTALLED_APPS=apps, ROOT_URLCONF=__name__,
            DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}, SECRET_KEY="for this test", USE_TZ=True,
            MIDDLEWARE=[f"django.contrib.{name}" for name in own] + ["regd_backend.RegdMiddleware"], DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        )  # fmt: skip
        django.setup()
        from django.contrib.auth import authenticate, login
        from django.core.management import call_command
        from django.http import HttpResponse
        from django.test import Client
        from django.urls import path

        def sign_in(request):
            user = authenticate(request, username=request.POST["username"], password=request.POST["password"])
            if user:
                login(request, user)
            return HttpResponse("welcome" if user else "no", status=200 if user else 403)

        global urlpatterns
        urlpatterns = [path("sign-in", sign_in), path("", lambda request: HttpResponse(getattr(request.user, "email", "nobody")))]
        call_command("migrate", verbosity=0)
        browser = Client()

        def ask(password: str):
            return browser.post("/sign-in", {"username": "a@test.com", "password": password})

        self.assertEqual(ask("wrong phrase").status_code, 403)
        self.assertEqual(browser.get("/").content, b"nobody")
        self.assertEqual(ask("a fine phrase").content, b"welcome")
        self.assertEqual(browser.get("/").content, b"a@test.com")
        self.stage.call("account.signOut", email="a@test.com")
        self.assertEqual(browser.get("/").content, b"nobody")
        self.assertEqual(ask("a fine phrase").content, b"welcome")
        self.stage.end_regd()
        self.assertEqual(browser.get("/").content, b"a@test.com", "away is no end")
        away = ask("a fine phrase")
        self.assertEqual((away.status_code, away["Retry-After"]), (503, "5"), "and no wrong password")


@unittest.skipUnless(shutil.which("php"), "needs Debian's php-cli, which Tests/Interop/run installs")
class PHP(unittest.TestCase):
    def test_sign_in(self):
        import socket

        with socket.socket() as free:
            free.bind(("localhost", 0))
            port = free.getsockname()[1]
        stage = self.enterContext(Stage("php", port=port))
        stage.account("a@test.com")
        visitor = Visitor(stage, language="es")
        visitor.get("/")
        self.assertEqual(visitor.post("/", email="a@test.com", password="<wrong>"), 422)
        self.assertIn("contraseña incorrectas", visitor.text)
        self.assertEqual(visitor.post("/", email="a@test.com", password="a fine phrase", token="forged"), 403)
        visitor.get("/")
        self.assertEqual(visitor.post("/", email="a@test.com", password="a fine phrase"), 200)
        self.assertIn("You are signed in as a@test.com", visitor.text)
        stage.end_regd()
        self.assertEqual(visitor.get("/"), 503)
        self.assertIn("You are signed in", visitor.text)
        stage.start_regd()
        stage.call("account.signOut", email="a@test.com")
        self.assertEqual(visitor.get("/"), 422)
        self.assertIn("Sign in", visitor.text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
