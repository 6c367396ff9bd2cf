import re

from harness.program import Program
from harness.regd import call

BASE = "dc=example,dc=org"


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
        self.look_up_groups()

    def look_up_groups(self):
        """Asks for the groups of an account, and for the members of a group."""
        call("account.addGroups", email=self.login, groups=["staff", "admins"])
        anna, staff, admins = f"mail={self.login},{BASE}", f"cn=staff,ou=groups,{BASE}", f"cn=admins,ou=groups,{BASE}"
        for arguments, lines in (
            (("ldapsearch", "-LLL", "-b", f"ou=groups,{BASE}", "(cn=staff)", "member"), [f"dn: {staff}", f"member: {anna}"]),
            (("ldapsearch", "-LLL", f"(member={anna})", "1.1"), [f"dn: {staff}", f"dn: {admins}"]),
            (("ldapsearch", "-LLL", f"(mail={self.login})", "memberOf"), [f"memberOf: {staff}", f"memberOf: {admins}"]),
            (("ldapsearch", "-LLL", f"(&(mail={self.login})(memberOf={staff}))", "mail"), [f"mail: {self.login}"]),
            (("ldapcompare", staff, f"member:{anna}"), ["TRUE"]),
        ):
            options = ("-x", "-o", "ldif-wrap=no", "-D", self.login, "-y", "/dev/stdin")
            said = self.stage.run(arguments[0], *options, *arguments[1:], input=self.password, check=False)
            if missing := set(lines) - set(said.splitlines()):
                raise ValueError(f"{arguments}: {missing} is not in {said!r}")

    def attempt(self, login, password):
        said = self.stage.run("ldapsearch", "-x", "-LLL", "-D", login, "-y", "/dev/stdin", f"(mail={login})", "mail", input=password, check=False)
        if failed := re.search(r"\((-?\d+)\)", said):
            return failed[1]
        return "0" if f"mail: {login.lower()}" in said else f"0, without the entry: {said.strip()}"
