"""Django's users sign in by regd; Django keeps no passwords. settings.py:

    AUTHENTICATION_BACKENDS = ["regd_backend.RegdBackend"]
    MIDDLEWARE = [..., "django.contrib.auth.middleware.AuthenticationMiddleware", "regd_backend.RegdMiddleware"]
"""

from django.contrib.auth import get_user_model, logout, user_logged_in
from django.contrib.auth.backends import ModelBackend
from django.http import HttpResponse

from regd_client import Client, NoAnswer, RegdError

regd = Client()  # threads share it
NO = ("credentials.rejected", "validation.failed", "rpc.invalidParams", "account.disabled", "account.waiting")


class RegdBackend(ModelBackend):
    def authenticate(self, request, username=None, password=None, **also):
        try:
            answer = regd.session.sign_in(email=username or "", password=password or "", origin=request.META["REMOTE_ADDR"])
        except RegdError as error:
            if error.reason in NO:
                return None
            raise  # regd has not decided, so this is not a wrong password
        user, _ = get_user_model().objects.get_or_create(username=answer["account"]["id"])
        user.email, user.stamp = answer["account"]["email"], answer["stamp"]
        return user


class RegdMiddleware:
    """Signs out who has been signed out everywhere, and says 503 where regd has not decided."""

    def __init__(self, get_response):
        self.get_response = get_response
        user_logged_in.connect(self.keep)

    def __call__(self, request):
        try:
            if stamp := request.session.get("stamp"):
                regd.session.check(account=request.user.username, stamp=stamp)
        except (RegdError, NoAnswer) as error:
            if getattr(error, "reason", "") == "session.ended":
                logout(request)
        return self.get_response(request)

    def process_exception(self, request, error):
        if isinstance(error, (RegdError, NoAnswer)):
            wait = getattr(error, "retry_after", None) or 5
            return HttpResponse(str(error), status=503, content_type="text/plain", headers={"Retry-After": str(wait)})

    def keep(self, sender, request, user, **also):
        user.save(update_fields=["email", "last_login"])
        request.session["stamp"] = user.stamp
