"""pamtester, a program that asks PAM."""

from harness.program import Program


class Pamtester(Program):
    name = "pamtester"
    title = "pamtester, pam_exec and regctl pam"
    origin = True
    folder = "pam"
    packages = ["pamtester"]
    right, wrong = "successfully authenticated", "Authentication failure"
    refused = "Permission denied"
    away = "Authentication service cannot retrieve authentication info"

    def start(self, stage):
        self.stage = stage
        stage.place("../pam.d/regd", "/etc/pam.d/regd", replace={"regctl pam": "regctl pam --socket /run/regd/pam.sock"})

    def attempt(self, login, password):
        said = self.stage.run("pamtester", "-I", "rhost=192.0.2.7", "regd", login, "authenticate", input=password + "\n", check=False)
        return said.rpartition("pamtester: ")[2].splitlines()[0]


class PamtesterModule(Pamtester):
    name = "pamtester-module"
    title = "pamtester, pam_regd.so"

    def start(self, stage):
        self.stage = stage
        stage.place("regd-module", "/etc/pam.d/regd")
