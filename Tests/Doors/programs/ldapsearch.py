import re

from harness.program import Program


class Ldapsearch(Program):
    """Binds as the address itself, and looks its own entry up."""

    name = "ldapsearch"
    title = "ldapsearch, regd's own LDAP"
    folder = "openldap"
    packages = ["ldap-utils"]
    # -1 comes from the library, which reaches no server
    right, wrong, away = "0", "49", ("51", "52", "-1")

    def start(self, stage):
        self.stage = stage
        stage.place("ldap.conf", "/etc/ldap/ldap.conf")

    def attempt(self, login, password):
        said = self.stage.run("ldapsearch", "-x", "-LLL", "-D", login, "-y", "/dev/stdin", f"(mail={login})", "mail", input=password, check=False)
        if failed := re.search(r"\((-?\d+)\)", said):
            return failed[1]
        return "0" if f"mail: {login.lower()}" in said else f"0, without the entry: {said.strip()}"
