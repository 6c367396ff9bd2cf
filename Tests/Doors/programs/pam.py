"""pamtester, a program that asks PAM."""

from harness.program import Program
from harness.regd import call


class Pamtester(Program):
    name = "pamtester"
    title = "pamtester, pam_exec and regd-login pam"
    origin = True
    folder = "pam"
    packages = ["pamtester"]
    right, wrong = "successfully authenticated", "Authentication failure"
    refused = "Permission denied"
    away = "Authentication service cannot retrieve authentication info"

    def start(self, stage):
        self.stage = stage
        self.place("regd", "")
        self.place("regd-staff", "staff")
        said = [self.ask("regd-staff", self.login, self.password)]
        for method in ("account.addGroups", "account.removeGroups"):
            call(method, email=self.login, groups=["staff"])
            said.append(self.ask("regd-staff", self.login, self.password))
        if said != [self.refused, self.right, self.refused]:
            raise ValueError(f"a service for members of a group: {said}")

    def place(self, service: str, group: str):
        """Makes a service, for members of a group alone if there is one."""
        options = "--socket /run/regd/pam.sock" + (f" --group {group}" if group else "")
        self.stage.place("../pam.d/regd", f"/etc/pam.d/{service}", replace={"/regd-login pam": f"/regd-login pam {options}"})

    def attempt(self, login, password):
        return self.ask("regd", login, password)

    def ask(self, service: str, login: str, password: str) -> str:
        said = self.stage.run("pamtester", "-I", "rhost=192.0.2.7", service, login, "authenticate", input=password + "\n", check=False)
        return said.rpartition("pamtester: ")[2].splitlines()[0]


class PamtesterModule(Pamtester):
    name = "pamtester-module"
    title = "pamtester, pam_regd.so"

    def place(self, service, group):
        replace = {"pam_regd.so socket": f"pam_regd.so group={group} socket"} if group else {}
        self.stage.place("regd-module", f"/etc/pam.d/{service}", replace=replace)
