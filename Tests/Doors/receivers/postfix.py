"""Postfix, which answers most of what it refuses only to RCPT, or at once with smtpd_delay_reject=no."""

import pathlib

from harness.receiver import SECURE, USER, Case, Receiver

SASL = "pwcheck_method: auxprop\nauxprop_plugin: sasldb\nmech_list: {}\n"
AUTH = {"smtpd_sasl_auth_enable": "yes", "smtpd_sasl_path": "smtpd", "smtpd_relay_restrictions": "permit_sasl_authenticated, reject"}
AT_ONCE = {"smtpd_delay_reject": "no"}
STRICT = {"smtpd_helo_required": "yes",
          "smtpd_helo_restrictions": "reject_invalid_helo_hostname, reject_non_fqdn_helo_hostname, reject_unknown_helo_hostname"}
LABEL = {"REGD_MAIL_SMTP_HELO": "mail"}


def authenticates(mechanisms: str, outcome: str = "sent", begins: str = "", variables: dict | None = None) -> Case:
    return Case(f"AUTH {mechanisms}" + (f", {begins}" if begins else ""), outcome, begins, {**USER, **(variables or {})},
                {**AUTH, "mechanisms": mechanisms})


class Postfix(Receiver):
    name = "to-postfix"
    title = "Mails to Postfix"
    packages = ["postfix", "libsasl2-modules", "sasl2-bin"]
    cases = [
        Case("as it is", "sent"),
        Case("STARTTLS", "sent", "", SECURE, {"smtpd_tls_security_level": "encrypt"}),
        Case("strict HELO", "sent", "", {}, {k: v.replace(", reject_unknown_helo_hostname", "") for k, v in STRICT.items()}),
        Case("strict HELO, an address", "sent", "", {"REGD_MAIL_SMTP_HELO": "[127.0.0.1]"}, STRICT),
        Case("strict HELO, a label", "refused", "504 5.5.2", LABEL, STRICT),
        Case("strict HELO at once, a label", "refused", "504 5.5.2", LABEL, {**STRICT, **AT_ONCE}),
        authenticates("PLAIN"), authenticates("LOGIN"), authenticates("CRAM-MD5"), authenticates("DIGEST-MD5"),
        authenticates("NTLM DIGEST-MD5 CRAM-MD5 LOGIN PLAIN"),
        authenticates("PLAIN LOGIN", "refused", "535 5.7.8", {"REGD_MAIL_SMTP_PASSWORD": "another"}),
        authenticates("CRAM-MD5", "refused", "535 5.7.8", {"REGD_MAIL_SMTP_PASSWORD": "another"}),
        Case("no user, and one is needed", "refused", "554 5.7.1", {}, AUTH),
        Case("TLS is needed, and regd uses none", "refused", "530 5.7.0", {}, {"smtpd_tls_security_level": "encrypt"}),
        Case("refused at the connection", "refused", "554", {}, {**AT_ONCE, "smtpd_client_restrictions": "reject"}),
        Case("refused at HELO", "refused", "554 5.7.1", {}, {**AT_ONCE, "smtpd_helo_restrictions": "reject"}),
        Case("refused for the sender", "refused", "553 5.7.1", {},
             {"smtpd_sender_restrictions": "check_sender_access static:{553 5.7.1 not this sender}"}),
        Case("refused for the sender at once", "refused", "553 5.7.1", {},
             {**AT_ONCE, "smtpd_sender_restrictions": "check_sender_access static:{553 5.7.1 not this sender}"}),
        Case("refused for the relay", "refused", "554 5.7.1", {},
             {"mydestination": "localhost", "smtpd_relay_restrictions": "reject_unauth_destination"}),
        Case("unknown users", "recipient", "550 5.1.1", users="nobody"),
        Case("refused at DATA", "refused", "554 5.7.1", {}, {"smtpd_data_restrictions": "reject"}),
        Case("refused after the text", "refused", "550 5.7.1", {}, {"smtpd_end_of_data_restrictions": "check_client_access static:{550 5.7.1 no}"}),
        Case("put off", "deferred", "450 4.3.2", {}, {"smtpd_recipient_restrictions": "defer"}),
        Case("put off at the connection", "deferred", "450 4.3.2", {}, {**AT_ONCE, "smtpd_client_restrictions": "defer"}),
    ]

    def prepare(self, stage):
        stage.user("postfix", home="/var/spool/postfix")
        stage.group("postdrop")
        stage.run("cp", "/usr/share/postfix/master.cf.dist", "/etc/postfix/master.cf")
        stage.write("/etc/aliases", "postmaster: root\n")
        stage.write("/etc/postfix/main.cf", "compatibility_level = 3.6\nmyhostname = mail.example.org\n")
        stage.run("postconf", "-F", "*/*/chroot = n")  # so that smtpd finds /etc/sasldb2
        stage.run("postfix", "set-permissions", check=False)  # as the package's postinst does
        stage.run("newaliases")
        stage.run("saslpasswd2", "-c", "-p", "-u", "mail.example.org", "regd", input=USER["REGD_MAIL_SMTP_PASSWORD"])
        stage.run("chown", "postfix", "/etc/sasldb2")

    def configure(self, stage, settings):
        settings = dict(settings or {})
        stage.write("/etc/postfix/sasl/smtpd.conf", SASL.format(settings.pop("mechanisms", "PLAIN")))
        usual = {
            "compatibility_level": "3.6", "myhostname": "mail.example.org", "mydestination": "example.org, localhost", "mynetworks": "127.0.0.0/30",
            "inet_interfaces": "all", "inet_protocols": "ipv4", "home_mailbox": "Maildir/", "maillog_file": "/dev/stdout",
            "smtpd_tls_cert_file": "/etc/ssl/certs/ssl-cert-snakeoil.pem", "smtpd_tls_key_file": "/etc/ssl/private/ssl-cert-snakeoil.key",
            "smtpd_tls_security_level": "may", "cyrus_sasl_config_path": "/etc/postfix/sasl", "smtpd_sasl_local_domain": "mail.example.org",
            "smtpd_error_sleep_time": "0", "smtpd_soft_error_limit": "1000", "alias_maps": "hash:/etc/aliases",
        }
        stage.write("/etc/postfix/main.cf", "".join(f"{name} = {value}\n" for name, value in {**usual, **settings}.items()))
        stage.run("postfix", "stop", check=False)
        stage.spawned = []
        stage.run("postfix", "check")
        stage.run("postfix", "start")
        stage.port(25)

    def mailboxes(self):
        return delivered()


def delivered() -> str:
    """Returns what is in all maildirs."""
    return "".join(file.read_text(errors="replace") for file in pathlib.Path("/home").glob("u*/Maildir/new/*"))
