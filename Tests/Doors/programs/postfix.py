"""Postfix's smtpd, which asks by Dovecot's protocol or by Cyrus SASL's saslauthd."""

from harness import wire
from harness.program import Program
from harness.regd import call


class Postfix(Program):
    name = "postfix-dovecot"
    title = "Postfix, SASL by Dovecot's protocol"
    origin = True
    folder = "postfix"
    packages = ["postfix"]
    # An smtpd that starts while the door does not answer offers no AUTH, and ends. master starts the next one up to a
    # minute later.
    right, wrong, away = "235", "535", ("454", "closed", "silent")

    def prepare(self, stage):
        stage.user("postfix", home="/var/spool/postfix")
        stage.group("postdrop")
        stage.directory("/var/spool/postfix/private", 0o700, "postfix")

    def start(self, stage):
        stage.certificate()
        stage.run("cp", "/usr/share/postfix/main.cf.debian", "/etc/postfix/main.cf")
        stage.run("cp", "/usr/share/postfix/master.cf.dist", "/etc/postfix/master.cf")
        stage.place("main.cf", "/etc/postfix/main.cf", append=True)
        stage.place("master.cf", "/etc/postfix/master.cf", append=True)
        self.more(stage)
        stage.write("/etc/aliases", "postmaster: root\n")
        stage.run("postfix", "set-permissions", check=False)  # as the package's postinst does
        stage.run("newaliases")
        stage.run("postfix", "check")
        stage.spawn("postfix", "start-fg")
        stage.port(587)
        call("account.addGroups", email=self.login, groups=["staff", "admins"])  # regd's answers then name them

    def more(self, stage):
        """Places what only one of the two ways needs."""

    def attempt(self, login, password):
        return wire.smtp(587, login, password)


class PostfixSaslauthd(Postfix):
    name = "postfix-saslauthd"
    title = "Postfix, SASL by Cyrus and saslauthd"
    origin = False  # libsasl 2.1.28 does not say, and Exim\'s condition cannot
    folder = "postfix-saslauthd"
    packages = ["postfix", "libsasl2-modules"]
    away = "454"

    def more(self, stage):
        stage.place("smtpd.conf", "/etc/postfix/sasl/smtpd.conf")
