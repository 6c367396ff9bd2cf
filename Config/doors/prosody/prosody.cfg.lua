-- Prosody asks regd by way of Cyrus SASL, which speaks saslauthd's protocol: /etc/prosody/prosody.cfg.lua, as much of it as that needs.
-- It needs the packages prosody-modules, lua-cyrussasl and libsasl2-modules, and prosody.conf beside this file.
-- An account anna@example.org of regd is the JID anna@example.org. While regd is away, clients are told undefined-condition, and
-- not-authorized only for a wrong password.
--
-- Not mod_auth_ldap, which says not-authorized for both; nor mod_auth_dovecot, which after one connection that failed lets in nobody
-- until Prosody is started again. All three serve nobody while they wait for an answer: regd.yaml has a short answerSeconds for that.
plugin_paths = { "/usr/lib/prosody/modules" }
modules_enabled = { "disco"; "roster"; "saslauth"; "tls"; "ping"; "posix" }
pidfile = "/run/prosody/prosody.pid"
log = { info = "/var/log/prosody/prosody.log" }
c2s_require_encryption = true
s2s_secure_auth = true
-- in earnest the host's own; Prosody is in the group ssl-cert
ssl = { certificate = "/etc/ssl/certs/ssl-cert-snakeoil.pem"; key = "/etc/ssl/private/ssl-cert-snakeoil.key" }

VirtualHost "example.org"
	authentication = "cyrus"
	cyrus_application_name = "prosody" -- the name of prosody.conf
