"""What a program of the matrix is, and where they are found."""

import importlib
import pathlib

USUAL_PASSWORD = "correct: \"horse\" b\u00e4ttery 9\\'x"


class Program:
    """A program of Debian that signs its users in through a door. See README.md."""

    name = ""
    title = ""
    folder = ""
    door = ""
    packages: list[str] = []
    right: str | tuple = "OK"
    wrong: str | tuple = "NO"
    away: str | tuple = "NO"
    refused: str | tuple | None = None
    mute = ""
    login = "anna@example.org"
    password = USUAL_PASSWORD
    origin = False
    skip: dict[str, str] = {}

    @property
    def doors(self) -> str:
        """The folder of regd.yaml and the socket units."""
        return self.door or self.folder

    def prepare(self, stage):
        """Makes the users, groups and directories that regd.yaml or socket units name, before regd starts."""

    def start(self, stage):
        """Configures the program and starts it; returns when it serves its clients."""

    def stop(self):
        """Ends what the end of the namespaces would not."""

    def attempt(self, login: str, password: str) -> str:
        """Signs in as a client of the program does, and returns what the program says."""
        raise NotImplementedError


def expected(program: Program, verdict: str) -> tuple:
    """Returns the answers that stand for a verdict."""
    value = getattr(program, verdict)
    if value is None:  # "refused" is reported as "wrong" unless a program distinguishes them
        value = program.wrong
    return value if isinstance(value, tuple) else (value,)


def every() -> list[Program]:
    """Returns one of each program in programs/, in the order of their files and classes."""
    found = []
    for file in sorted((pathlib.Path(__file__).parent.parent / "programs").glob("*.py")):
        if file.stem.startswith("_"):
            continue
        module = importlib.import_module(f"programs.{file.stem}")
        found += [value() for value in vars(module).values()
                  if isinstance(value, type) and issubclass(value, Program) and value.name and value.__module__ == module.__name__]
    return found
