#!/bin/bash
# Runs inside a booted systemd: regd as an operator installs, starts, asks and stops it.  service.sh CHECKOUT
# Each line "ok …" is a fact; the first that is none ends it.
set -euo pipefail
checkout=$1
socket=/run/regd/regd.sock
ok() { echo "ok $*"; }
fail() { echo "FAIL $*"; journalctl --no-pager -u regd.service -u regd.socket | tail -40; exit 1; }
is() { [ "$2" = "$3" ] || fail "$1: \"$2\" is not \"$3\""; ok "$1"; }
has() { case $2 in *"$3"*) ok "$1" ;; *) fail "$1: no \"$3\" in \"$2\"" ;; esac; }

install -D -m 644 "$checkout/systemd/regd.sysusers" /usr/lib/sysusers.d/regd.conf
systemd-sysusers
install -D -m 640 "$checkout/Config/regd.yaml" /etc/regd/regd.yaml
install -D -m 644 "$checkout/systemd/regd.tmpfiles" /usr/lib/tmpfiles.d/regd.conf
is "before there is the group, the configuration is root's alone" "$(stat -c '%U %G %a' /etc/regd/regd.yaml)" "root root 640"
systemd-tmpfiles --create regd.conf
is "the configuration, which may hold a token, is regd's to read and nobody else's" \
  "$(stat -c '%U %G %a' /etc/regd/regd.yaml)" "root regd 640"
verify=$(systemd-analyze verify regd.service regd.socket 2>&1 | grep regd || true)
is "the units are clean" "$verify" ""

# the service by itself
systemctl start regd || fail "systemctl start regd"
is "it is active" "$(systemctl is-active regd)" active
is "its status is in words" "$(systemctl show -P StatusText regd)" "Serving $socket; store sqlite, network none"
has "systemctl status shows it" "$(systemctl status regd)" 'Status: "Serving'
is "it runs as regd" "$(ps -o user= -p "$(systemctl show -P MainPID regd)")" regd
is "the socket is the configuration's" "$(stat -c '%U %G %a' $socket)" "regd regd 660"
has "it registers" "$(echo 'a fine phrase' | regctl register a@example.com --password-stdin)" "registered a@example.com"
has "a line of JSON does it too" \
  "$(printf '%s' '{"jsonrpc":"2.0","id":1,"method":"registration.checkEmail","params":["a@example.com"]}' | nc -U -N $socket)" \
  '"result":{"available":false}'
is "nobody else may connect" "$(setpriv --reuid=nobody --clear-groups regctl status >/dev/null 2>&1; echo $?)" 3
is "a member of the group may" "$(setpriv --reuid=nobody --regid=regd --clear-groups regctl call rpc.ping)" '"pong"'
is "but is no administrator" \
  "$(setpriv --reuid=nobody --regid=regd --clear-groups regctl call daemon.status >/dev/null 2>&1; echo $?)" 1
has "unless it is in regd-admin, too" \
  "$(setpriv --reuid=nobody --regid=regd --groups=regd-admin regctl call daemon.status)" '"users":[{"uid":0,'
is "the database is nobody else's" "$(stat -c '%U %a' /var/lib/regd/regd.db)" "regd 600"
has "an administrator sees who registered" "$(regctl events --list)" "account.registered  a@example.com"
has "a backup is made while it runs" "$(regctl backup /root/backup.db)" "1 accounts"
has "and goes on" "$(echo 'a fine phrase' | regctl register later@example.com --password-stdin)" "registered later@example.com"
systemctl stop regd
is "it stops cleanly" "$(systemctl show -P Result regd) $(systemctl show -P ExecMainStatus regd)" "success 0"
has "the journal has it" "$(journalctl -u regd.service)" "Stopping: finishing what is in flight"

# the backup is put back, word for word as the operators' article has it
restore=$(sed -n '/^## Back-up and restore/,/^## Import/p' "$checkout/Sources/Daemon/Daemon/Daemon.docc/Administering.md" | grep '^    ' |
  sed 's|/var/backups/regd.db|/root/backup.db|')
is "the article says how to restore" "$(echo "$restore" | wc -l)" 4
bash -euc "$restore" || fail "restoring"
is "what the backup has is back, and nothing else" "$(regctl account list | awk '{print $NF}')" "a@example.com"
is "and it is regd's alone" "$(stat -c '%U %a' /var/lib/regd/regd.db)" "regd 600"
systemctl stop regd

# the account is there after a restart, behind a socket that systemd holds
systemctl start regd.socket || fail "systemctl start regd.socket"
is "the socket waits, the service does not run" "$(systemctl is-active regd.socket regd.service | tr '\n' ' ')" "active inactive "
is "systemd's socket has its mode" "$(stat -c '%U %G %a' $socket)" "regd regd 660"
inode=$(stat -c %i $socket)
has "the first caller starts the service" \
  "$(echo 'a fine phrase' | regctl sign-in A@example.com --password-stdin)" "signed in A@example.com"
is "the service runs" "$(systemctl is-active regd)" active
systemctl restart regd
has "it is answered after a restart" "$(regctl call rpc.ping)" pong
is "the socket is still the same" "$(stat -c %i $socket)" "$inode"
systemctl stop regd.service
is "the socket outlives the service" "$(stat -c %i $socket)" "$inode"
systemctl stop regd.socket

# an upstream over HTTP, out of the unit's sandbox, with a token that systemd hands over
ip link set lo up 2>/dev/null || true
cat >/root/upstream <<'EOT'
#!/bin/bash
# Answers one request: the address is available.
while read -r line && [ "$line" != $'\r' ]; do echo "$line" >>/root/requests; done
printf 'HTTP/1.1 200 OK\r\nContent-Length: 18\r\nConnection: close\r\n\r\n{"available":true}'
EOT
chmod 700 /root/upstream
mkdir -p /etc/systemd/system/regd.service.d
(umask 077; echo s3cret-token-of-the-unit >/root/token)
printf '%s\n' '[Service]' 'LoadCredential=network-http-bearerToken:/root/token' 'Environment=REGD_NETWORK_BACKEND=http' \
  'Environment=REGD_NETWORK_HTTP_BASE_URL=http://127.0.0.1:8099/v1' >/etc/systemd/system/regd.service.d/upstream.conf
systemctl daemon-reload
systemctl start regd || fail "systemctl start regd, with an upstream"
has "an upstream that is away is said" "$(regctl check b@example.com 2>&1 || true)" "network.offline"
systemd-run --quiet --unit=upstream socat TCP-LISTEN:8099,bind=127.0.0.1,reuseaddr,fork EXEC:/root/upstream
for _ in $(seq 100); do socat /dev/null TCP:127.0.0.1:8099 2>/dev/null && break; done
has "one that is there is asked" "$(regctl check b@example.com 2>&1)" "b@example.com is available"
has "with the token of the credential" "$(cat /root/requests)" "Authorization: Bearer s3cret-token-of-the-unit"
is "which is in no log" "$(journalctl --all -u regd.service -o export | grep -c s3cret || true)" 0
systemctl stop regd upstream
rm -r /etc/systemd/system/regd.service.d
systemctl daemon-reload

# a wrong configuration is said, and not tried again
sed -i 's/backend: sqlite/backend: sqlte/' /etc/regd/regd.yaml
! systemctl start regd 2>/dev/null || fail "started with a wrong configuration"
is "exit status 78" "$(systemctl show -P ExecMainStatus regd)" 78
is "no restart" "$(systemctl show -P NRestarts regd)" 0
has "the journal says why" "$(journalctl -u regd.service)" \
  'not "sqlte"'
is "no password is in any field of the journal" "$(journalctl --all -o export | grep -c 'fine phrase' || true)" 0
echo "done"
