"""regd's forms for many browsers: a few connections with 64 forms each, and none that is left behind.

A browser sends all of its fields each time, so that a form is a help and no memory: the next key that somebody presses opens
one again which was closed because others needed its room, or which regd has forgotten.
"""

import collections
import contextlib
import threading
import time

from regd_client import Regd, RegdError

FORMS, CONNECTIONS, OF_ONE_ORIGIN, IDLE_SECONDS = 64, 16, 8, 600  # regd keeps 64 forms for one connection


class Line:
    """A connection, which is opened when it is needed, and what ended the last submit of each of its forms."""

    def __init__(self, path: str):
        self.path, self.regd, self.room, self.ends, self.lock = path, None, FORMS, {}, threading.Lock()

    def open(self) -> Regd:
        with self.lock:
            self.regd = self.regd or Regd(self.path, notified=self._notified)
            return self.regd

    def _notified(self, method: str, params: dict):
        if params.get("event") in ("alert", "navigate"):
            self.ends[params["form"]] = params


class Form:
    def __init__(self, line: Line, origin: str):
        self.line, self.origin, self.used, self.number, self.is_over, self.is_busy = line, origin, 0.0, None, False, False
        self.lock = threading.RLock()  # keys and the button take effect one behind the other


class Forms:
    def __init__(self, path: str):
        self._path, self._lock, self._lines = path, threading.Lock(), []
        self._forms: collections.OrderedDict[str, Form] = collections.OrderedDict()  # the one used last is the last one

    def set(self, key: str, opening: dict, fields: dict, submit: bool = False) -> tuple[dict, dict]:
        """The state with these fields, or that in which the form has come to rest, and the event that says how.

        `opening` is the kind, the origin and the language of a form that is not there yet.
        """
        for is_last in (False, True):
            form = self._form(key, opening["origin"])
            with form.lock:
                form.is_busy = True
                try:
                    if form.is_over:
                        raise ConnectionError("somebody has closed it meanwhile")
                    regd = form.line.open()
                    form.number = form.number or regd.form_open(**opening)["form"]
                    state = regd.form_set(form=form.number, **fields)["state"]
                    is_last = True  # a submit whose answer was lost may have been one
                    return (regd.form_submit(form=form.number)["state"] if submit else state), form.line.ends.get(form.number, {})
                except (RegdError, ConnectionError) as error:
                    self.close(key)
                    if is_last or getattr(error, "reason", "form.notFound") != "form.notFound":
                        raise
                finally:
                    form.is_busy = False

    def close(self, key: str):
        with self._lock:
            form = self._forms.pop(key, None)
        if not form:
            return
        with form.lock:
            form.is_over = True
            with contextlib.suppress(RegdError, OSError):  # what has ended with its connection is closed
                if form.number:
                    form.line.ends.pop(form.number, None)
                    form.line.open().form_close(form=form.number)
        with self._lock:
            form.line.room += 1  # behind regd's answer: sooner, another form could be the 65th

    def _form(self, key: str, origin: str) -> Form:
        with self._lock:
            surplus = [] if key in self._forms else self._surplus(origin)
        for other in surplus:
            self.close(other)
        with self._lock:
            form = self._forms.setdefault(key, None) or Form(self._line(), origin)
            self._forms[key], form.used = form, time.monotonic()
            self._forms.move_to_end(key)
            return form

    def _surplus(self, origin: str) -> list[str]:
        """What is idle; the oldest form of an origin that has its share; where all is full, the oldest of who has the most."""
        idle = [key for key, form in self._forms.items() if not form.is_busy and form.used < time.monotonic() - IDLE_SECONDS]
        shares = collections.Counter(form.origin for form in self._forms.values())
        if shares[origin] < OF_ONE_ORIGIN:
            if len(self._forms) - len(idle) < FORMS * CONNECTIONS:
                return idle
            origin = shares.most_common(1)[0][0]
        oldest = next(([key] for key, form in self._forms.items() if form.origin == origin and not form.is_busy), [])
        return list({*idle, *oldest})

    def _line(self) -> Line:
        self._lines = [line for line in self._lines if not line.regd or line.regd.is_open]
        line = next((line for line in self._lines if line.room), None) or Line(self._path)
        self._lines += [] if line in self._lines else [line]
        line.room -= 1
        return line
