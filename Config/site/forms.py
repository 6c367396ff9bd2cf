"""regd's forms for many browsers: a few connections with 64 forms each, and none that is left behind.

A browser sends all of its fields each time, so that a form is a help and no memory: the next key that somebody presses opens
one again which was closed because others needed its room, or which regd has forgotten.
"""

import collections
import threading
import time

from regd_client import Client, NoAnswer, RegdError

FORMS, CONNECTIONS, OF_ONE_ORIGIN, IDLE_SECONDS = 64, 16, 8, 600  # regd keeps 64 forms for one connection


class Entry:
    """A browser's form, if it is open, and the connection on which it has a place."""

    def __init__(self, line: "Line", origin: str):
        self.line, self.origin, self.used, self.form, self.is_over, self.is_busy = line, origin, 0.0, None, False, False
        self.lock = threading.RLock()  # keys and the button take effect one behind the other


class Line(Client):
    room = FORMS


class Forms:
    def __init__(self, path: str):
        self._lock, self._lines = threading.Lock(), [Line(path) for _ in range(CONNECTIONS)]
        self._entries: collections.OrderedDict[str, Entry] = collections.OrderedDict()  # the one used last is the last one

    def set(self, key: str, opening: dict, fields: dict, submit: bool = False) -> tuple[dict, dict]:
        """The state with these fields, or that in which the form has come to rest, and the event that says how.

        `opening` is the kind, the origin and the language of a form that is not there yet.
        """
        for is_last in (False, True):
            entry = self._entry(key, opening["origin"])
            with entry.lock:
                entry.is_busy = True
                try:
                    if entry.is_over:
                        raise NoAnswer("somebody has closed it meanwhile")
                    entry.form = entry.form or entry.line.form(**opening)
                    entry.form.set(**fields)
                    is_last = True  # a submission whose answer was lost may have been one
                    events = entry.form.submit() if submit else [{}]
                    return entry.form.state, events[-1]
                except (RegdError, NoAnswer) as error:
                    self.close(key)
                    if is_last or getattr(error, "reason", "form.notFound") != "form.notFound":
                        raise
                finally:
                    entry.is_busy = False

    def close(self, key: str):
        with self._lock:
            entry = self._entries.pop(key, None)
        if entry:
            with entry.lock:
                entry.is_over = True
                if entry.form:
                    entry.form.close()
            with self._lock:
                entry.line.room += 1  # behind regd's answer: sooner, another form could be the 65th

    def _entry(self, key: str, origin: str) -> Entry:
        with self._lock:
            surplus = [] if key in self._entries else self._surplus(origin)
        for other in surplus:
            self.close(other)
        with self._lock:
            if key not in self._entries:
                line = next((line for line in self._lines if line.room), self._lines[-1])
                line.room -= 1
                self._entries[key] = Entry(line, origin)
            self._entries.move_to_end(key)
            self._entries[key].used = time.monotonic()
            return self._entries[key]

    def _surplus(self, origin: str) -> list[str]:
        """What is idle; the oldest form of an origin that has its share; where all is full, the oldest of who has the most."""
        free = [(key, entry) for key, entry in self._entries.items() if not entry.is_busy]
        idle = [key for key, entry in free if entry.used < time.monotonic() - IDLE_SECONDS]
        shares = collections.Counter(entry.origin for entry in self._entries.values())
        if shares[origin] < OF_ONE_ORIGIN:
            if len(self._entries) - len(idle) < FORMS * CONNECTIONS:
                return idle
            origin = shares.most_common(1)[0][0]
        return list({*idle, *[key for key, entry in free if entry.origin == origin][:1]})
