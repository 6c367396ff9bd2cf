-- The parts of /etc/prosody/prosody.cfg.lua with which Prosody asks regd through Cyrus SASL, in saslauthd's protocol. Prosody needs the
-- packages prosody-modules, lua-cyrussasl and libsasl2-modules, and prosody.conf from this directory.
-- The account anna@example.org of regd has the JID anna@example.org. Clients get undefined-condition while regd is unavailable, and
-- not-authorized only for an incorrect password.
--
-- Do not use mod_auth_ldap, which answers not-authorized in both cases, or mod_auth_dovecot, which lets no user in after one failed
-- connection until Prosody is restarted. All three serve no other client while they wait for an answer, so regd.yaml sets a short
-- answerSeconds.
plugin_paths = { "/usr/lib/prosody/modules" }
modules_enabled = { "disco"; "roster"; "saslauth"; "tls"; "ping"; "posix" }
pidfile = "/run/prosody/prosody.pid"
log = { info = "/var/log/prosody/prosody.log" }
c2s_require_encryption = true
s2s_secure_auth = true
-- In production, use the host's own certificate. Prosody is a member of the group ssl-cert.
ssl = { certificate = "/etc/ssl/certs/ssl-cert-snakeoil.pem"; key = "/etc/ssl/private/ssl-cert-snakeoil.key" }

VirtualHost "example.org"
	authentication = "cyrus"
	cyrus_application_name = "prosody" -- the name of prosody.conf
