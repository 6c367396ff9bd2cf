"""Exim, with an ACL for each stage."""

from harness.receiver import SECURE, USER, Case, Receiver
from receivers.postfix import delivered

CONFIGURATION = """
primary_hostname = mail.example.org
domainlist local_domains = example.org
exim_user = Debian-exim
exim_group = Debian-exim
never_users =
tls_advertise_hosts = *
tls_certificate = /etc/exim4/exim.crt
tls_privatekey = /etc/exim4/exim.key
log_file_path = syslog
smtp_accept_max_per_host = 0
auth_advertise_hosts = {advertise}
acl_smtp_connect = connect
acl_smtp_helo = helo
acl_smtp_mail = mail
acl_smtp_rcpt = rcpt
acl_smtp_predata = predata
acl_smtp_data = data
begin acl
connect:
  {connect}
  accept
helo:
  {helo}
  accept
mail:
  {mail}
  accept
rcpt:
  {rcpt}
  deny message = 5.1.1 unknown user
       !verify = recipient
  accept domains = +local_domains
  deny message = 5.7.1 relay not permitted
predata:
  {predata}
  accept
data:
  {data}
  accept
begin routers
local:
  driver = accept
  domains = +local_domains
  check_local_user
  transport = maildir
begin transports
maildir:
  driver = appendfile
  maildir_format
  directory = $home/Maildir
  create_directory
begin retry
* * F,2h,15m
begin authenticators
{authenticators}
"""
AUTHENTICATORS = {
    "PLAIN": """plain:
  driver = plaintext
  public_name = PLAIN
  server_condition = ${if and{{eq{$auth2}{regd}}{eq{$auth3}{PASSWORD}}}}
  server_set_id = $auth2
""",
    "LOGIN": """login:
  driver = plaintext
  public_name = LOGIN
  server_prompts = Username:: : Password::
  server_condition = ${if and{{eq{$auth1}{regd}}{eq{$auth2}{PASSWORD}}}}
  server_set_id = $auth1
""",
    "CRAM-MD5": """cram:
  driver = cram_md5
  public_name = CRAM-MD5
  server_secret = ${if eq{$auth1}{regd}{PASSWORD}fail}
  server_set_id = $auth1
""",
    # offered without the data that the mechanism needs
    "CRAM-MD5 without data": """cram:
  driver = cram_md5
  public_name = CRAM-MD5
  server_secret = fail
""",
}
NEEDS_USER = {"rcpt": "deny message = 5.7.1 authentication required\n       !authenticated = *", "advertise": "*"}
FULL_NAME = {"helo": "deny message = 5.5.2 a full name, please\n       condition = ${if match{$sender_helo_name}{\\\\.}{no}{yes}}"}


def configured(*mechanisms: str) -> str:
    return "".join(AUTHENTICATORS[mechanism] for mechanism in mechanisms).replace("PASSWORD", USER["REGD_MAIL_SMTP_PASSWORD"])


def authenticates(*mechanisms: str, outcome: str = "sent", begins: str = "", variables: dict | None = None) -> Case:
    return Case(f"AUTH {' '.join(mechanisms)}" + (f", {begins}" if begins else ""), outcome, begins, {**USER, **(variables or {})},
                {**NEEDS_USER, "authenticators": configured(*mechanisms)})


class Exim(Receiver):
    name = "to-exim"
    title = "Mails to Exim"
    packages = ["exim4-daemon-heavy"]
    cases = [
        Case("as it is", "sent"),
        Case("STARTTLS", "sent", "", SECURE),
        Case("strict HELO", "sent", "", {}, FULL_NAME),
        Case("strict HELO, an address", "sent", "", {"REGD_MAIL_SMTP_HELO": "[127.0.0.1]"}, FULL_NAME),
        Case("strict HELO, a label", "refused", "550 5.5.2", {"REGD_MAIL_SMTP_HELO": "mail"}, FULL_NAME),
        authenticates("PLAIN"), authenticates("LOGIN"), authenticates("CRAM-MD5"),
        authenticates("CRAM-MD5 without data", "LOGIN", "PLAIN"), authenticates("CRAM-MD5 without data", "LOGIN"),
        authenticates("PLAIN", outcome="refused", begins="535", variables={"REGD_MAIL_SMTP_PASSWORD": "another"}),
        Case("no user, and one is needed", "refused", "550 5.7.1", {}, {**NEEDS_USER, "authenticators": configured("PLAIN")}),
        Case("refused at the connection", "refused", "550 5.7.1", {}, {"connect": "deny message = 5.7.1 not from there"}),
        Case("refused at HELO", "refused", "550", {}, {"helo": "deny message = 5.7.1 not you"}),
        Case("refused for the sender", "refused", "550 5.7.1", {}, {"mail": "deny message = 5.7.1 not this sender"}),
        Case("refused for the recipient without a reason", "refused", "550 5.7.1", {}, {"rcpt": "deny message = 5.7.1 no"}),
        Case("unknown users", "recipient", "550 5.1.1", users="nobody"),
        Case("refused at DATA", "refused", "550 5.7.1", {}, {"predata": "deny message = 5.7.1 no text"}),
        Case("refused after the text", "refused", "550 5.7.1", {}, {"data": "deny message = 5.7.1 not this text"}),
        Case("put off", "deferred", "451 4.7.1", {}, {"rcpt": "defer message = 4.7.1 later"}),
        Case("put off at the connection", "deferred", "451 4.7.1", {}, {"connect": "defer message = 4.7.1 later"}),
    ]

    def prepare(self, stage):
        stage.user("Debian-exim", home="/var/spool/exim4")
        for folder in ("/var/spool/exim4", "/var/log/exim4"):
            stage.directory(folder, 0o750, "Debian-exim", "Debian-exim")
        stage.directory("/etc/exim4")
        stage.run("cp", "/etc/ssl/certs/ssl-cert-snakeoil.pem", "/etc/exim4/exim.crt")
        stage.run("install", "-m", "640", "-g", "Debian-exim", "/etc/ssl/private/ssl-cert-snakeoil.key", "/etc/exim4/exim.key")

    def configure(self, stage, settings):
        parts = dict.fromkeys(("connect", "helo", "mail", "rcpt", "predata", "data", "authenticators"), "") | {"advertise": ""} | (settings or {})
        stage.write("/etc/exim4/exim4.conf", CONFIGURATION.format(**parts), 0o640, "root:Debian-exim")
        for name, process in stage.spawned:
            process.terminate()
            process.wait()
        stage.spawned = []
        stage.run("exim4", "-bV")
        stage.spawn("exim4", "-bdf", "-q30m", "-oX", "127.0.0.1.25")
        stage.port(25)

    def mailboxes(self):
        return delivered()
