"""LDAP: OpenLDAP's client at regd's own door, and OpenLDAP's server that hands passwords on."""

import re

from harness import wire
from harness.program import Program

BASE = "dc=example,dc=org"

SLAPD = f"""include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
database mdb
suffix "{BASE}"
rootdn "cn=admin,{BASE}"
directory /var/lib/ldap
"""

TOP = f"dn: {BASE}\nobjectClass: dcObject\nobjectClass: organization\no: Example\ndc: example\n\n"


class Ldapwhoami(Program):
    name = "ldapwhoami"
    title = "ldapwhoami, regd's own LDAP"
    folder = "ldap"
    packages = ["ldap-utils"]
    # -1 comes from the library, which reaches no server
    right, wrong, away = "0", "49", ("51", "52", "-1")

    def start(self, stage):
        self.stage = stage

    def attempt(self, login, password):
        said = self.stage.run("ldapwhoami", "-x", "-H", "ldap://127.0.0.1:1389", "-D", f"mail={login},{BASE}", "-y", "/dev/stdin",
                              input=password, check=False)
        if said.startswith("dn:"):
            return "0"
        found = re.search(r"\((-?\d+)\)", said)
        return found[1] if found else said.strip()


class Slapd(Program):
    name = "slapd-sasl"
    title = "slapd, {SASL} by saslauthd"
    folder = "slapd"
    door = "saslauthd"
    packages = ["slapd", "ldap-utils", "libsasl2-modules"]
    right, wrong, away = "0", "49", "49"
    mute = "slapd's {SASL} knows a password that fits and one that does not: what libsasl could not find out is 49 too; its better way is regd's own door."

    def prepare(self, stage):
        stage.user("openldap", groups=["sasl"])

    def start(self, stage):
        stage.place("sasl2/slapd.conf", "/etc/ldap/sasl2/slapd.conf")
        stage.write("/etc/ldap/slapd.conf", SLAPD)
        anna = (stage.examples / "people.ldif").read_text()
        people = "\n".join(anna.replace("anna", name).replace("Anna", name) for name in ("anna", "dora", "nobody"))
        stage.directory("/var/lib/ldap", 0o700, "openldap", "openldap")
        stage.run("slapadd", "-f", "/etc/ldap/slapd.conf", input=TOP + people)
        stage.run("chown", "-R", "openldap:openldap", "/var/lib/ldap")
        stage.spawn("slapd", "-f", "/etc/ldap/slapd.conf", "-h", "ldap://127.0.0.1:389/", "-u", "openldap", "-g", "openldap", "-d", "0")
        stage.port(389)

    def attempt(self, login, password):
        return wire.ldap(389, f"uid={login.partition('@')[0]},{BASE}", password)
