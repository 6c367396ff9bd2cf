"""Dovecot's IMAP, with each passdb that can ask regd."""

from harness import wire
from harness.program import Program

SHARE = "/usr/share/dovecot"


class Dovecot(Program):
    """What all three share: Debian's configuration without its passdb, and local.conf."""

    packages = ["dovecot-imapd", "dovecot-ldap"]
    right, wrong, away = "OK", "NO [AUTHENTICATIONFAILED]", "NO [UNAVAILABLE]"

    def prepare(self, stage):
        for user in ("dovecot", "dovenull", "vmail"):
            stage.user(user)

    def start(self, stage):
        stage.certificate()
        stage.run("cp", "-r", f"{SHARE}/conf.d", f"{SHARE}/dovecot.conf", "/etc/dovecot/")
        stage.write(f"{SHARE}/protocols.d/imapd.protocol", "protocols = $protocols imap\n")  # as the package's postinst does
        stage.run("sed", "-i", "s/^!include auth-system/#&/", "/etc/dovecot/conf.d/10-auth.conf")
        stage.directory("/etc/dovecot/private", 0o700)
        stage.run("ln", "-s", "/etc/ssl/certs/ssl-cert-snakeoil.pem", "/etc/dovecot/private/dovecot.pem")
        stage.run("ln", "-s", "/etc/ssl/private/ssl-cert-snakeoil.key", "/etc/dovecot/private/dovecot.key")
        stage.directory("/var/vmail", 0o700, "vmail", "vmail")
        stage.place("local.conf", "/etc/dovecot/local.conf")
        self.more(stage)
        stage.spawn("dovecot", "-F")
        stage.port(993)

    def more(self, stage):
        """Places what one passdb alone needs."""

    def attempt(self, login, password):
        return wire.imap(993, login, password, tls=True)


class DovecotLDAP(Dovecot):
    name = "dovecot-ldap"
    title = "Dovecot IMAP, passdb ldap"
    folder = "dovecot-ldap"

    def more(self, stage):
        stage.place("regd-ldap.conf.ext", "/etc/dovecot/regd-ldap.conf.ext")


class DovecotCheckpassword(Dovecot):
    name = "dovecot-checkpassword"
    title = "Dovecot IMAP, passdb checkpassword"
    origin = True
    folder = "dovecot-checkpassword"


class DovecotPAM(Dovecot):
    name = "dovecot-pam"
    title = "Dovecot IMAP, passdb pam"
    origin = True
    folder = "dovecot-pam"
    away = "NO [AUTHENTICATIONFAILED]"
    mute = ("Dovecot's passdb pam takes every answer of PAM but success for a wrong password, PAM_AUTHINFO_UNAVAIL too; "
            "its better way is checkpassword or ldap.")

    def more(self, stage):
        stage.place("pam.d/dovecot", "/etc/pam.d/dovecot")
        stage.place("../pam.d/regd", "/etc/pam.d/regd", replace={"regd-login pam": "regd-login pam --socket /run/regd/pam.sock"})
