"""OpenSMTPD, without TLS and therefore without AUTH, which it offers only after STARTTLS.

Debian 12's OpenSMTPD 6.8.0p2 completes no handshake as a server, with an RSA or an ECDSA key, in namespaces or outside. Its listening process has
only the public key. It marks that key object (RSA_set_ex_data) so that its default RSA_METHOD sends each signature to the process `ca`. OpenSSL 3
signs with a copy of the key inside its provider, and the copy lacks the mark. So OpenSMTPD falls back to OpenSSL's own signing, which fails with
"rsa routines::missing private key", and closes the connection.
"""

from harness.receiver import Case, Receiver
from receivers.postfix import delivered

CONFIGURATION = """
pki mail.example.org cert "/etc/smtpd.crt"
pki mail.example.org key "/etc/smtpd.key"
{filters}
listen on lo port 25 hostname mail.example.org {options}
action "deliver" maildir "%{{user.directory}}/Maildir"
{match}
"""
LOCAL = 'match from any for domain "example.org" action "deliver"'


def refusing(phase: str, words: str, condition: str = "!rdns \"nobody.invalid\"") -> dict:
    return {"filters": f'filter "f" phase {phase} match {condition} {words}', "options": 'filter "f"'}


def greeting(words: str, condition: str = "!rdns \"nobody.invalid\"", tables: str = "") -> dict:
    """Refuses EHLO and HELO, to which libcurl falls back."""
    filters = "".join(f'filter "{phase}" phase {phase} match {condition} reject "{words}"\n' for phase in ("ehlo", "helo"))
    return {"filters": tables + filters + 'filter "f" chain { "ehlo", "helo" }', "options": 'filter "f"'}


FULL_NAME = greeting("550 5.5.2 a full name, please", "helo <labels>", 'table labels { "mail" }\n')


class OpenSMTPD(Receiver):
    name = "to-opensmtpd"
    title = "Mails to OpenSMTPD"
    packages = ["opensmtpd"]
    cases = [
        Case("as it is", "sent"),
        Case("strict HELO", "sent", "", {}, FULL_NAME),
        Case("strict HELO, a label", "refused", "550 5.5.2", {"REGD_MAIL_SMTP_HELO": "mail"}, FULL_NAME),
        Case("TLS is needed, and regd uses none", "refused", "530 5.5.1", {}, {"options": "tls-require pki mail.example.org"}),
        Case("refused at the connection", "refused", "550", {}, refusing("connect", 'reject "550 5.7.1 not from there"')),
        Case("refused at HELO", "refused", "550 5.7.1", {}, greeting("550 5.7.1 not you")),
        Case("refused for the sender", "refused", "550 5.7.1", {}, refusing("mail-from", 'reject "550 5.7.1 not this sender"')),
        Case("refused for the relay", "refused", "550", {}, {"match": 'match from local for domain "example.net" action "deliver"'}),
        # without an enhanced status code, so that the words do not show the cause
        Case("unknown users", "refused", "550 Invalid recipient", users="nobody"),
        Case("refused at DATA", "refused", "550 5.7.1", {}, refusing("data", 'reject "550 5.7.1 no text"')),
        Case("refused after the text", "refused", "550 5.7.1", {}, refusing("commit", 'reject "550 5.7.1 not this text"')),
        Case("put off", "deferred", "451 4.7.1", {}, refusing("rcpt-to", 'reject "451 4.7.1 later"')),
    ]

    def prepare(self, stage):
        stage.user("opensmtpd", home="/nonexistent")
        stage.user("opensmtpq", home="/nonexistent")
        stage.directory("/var/spool/smtpd", 0o711)
        stage.directory("/var/lib/opensmtpd", 0o711)
        stage.write("/etc/aliases", "postmaster: root\n")
        stage.run("install", "-m", "600", "/etc/ssl/certs/ssl-cert-snakeoil.pem", "/etc/smtpd.crt")
        stage.run("install", "-m", "600", "/etc/ssl/private/ssl-cert-snakeoil.key", "/etc/smtpd.key")

    def configure(self, stage, settings):
        parts = {"filters": "", "options": "", "match": LOCAL} | (settings or {})
        stage.write("/etc/smtpd.conf", CONFIGURATION.format(**parts))
        for name, process in stage.spawned:
            process.terminate()
            process.wait()
        stage.spawned = []
        stage.run("smtpd", "-n")
        stage.spawn("smtpd", "-d", "-F")
        stage.port(25)

    def mailboxes(self):
        return delivered()
