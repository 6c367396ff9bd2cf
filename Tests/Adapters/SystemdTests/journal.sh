#!/bin/bash
# Runs inside a booted systemd: checks the content of regd's journal, and the output of systemctl.  journal.sh CHECKOUT
# Each line "ok …" is a fact. The first fact that is not true ends the script.
set -euo pipefail
checkout=$1
ok() { echo "ok $*"; }
fail() { echo "FAIL $*"; journalctl --no-pager -u regd.service -o verbose | tail -80; exit 1; }
is() { [ "$2" = "$3" ] || fail "$1: \"$2\" is not \"$3\""; ok "$1"; }
has() { case $2 in *"$3"*) ok "$1" ;; *) fail "$1: no \"$3\" in \"$2\"" ;; esac; }
lacks() { case $2 in *"$3"*) fail "$1: \"$3\" in \"$2\"" ;; *) ok "$1" ;; esac; }
field() { journalctl --sync; journalctl --no-pager -o json "${@:2}" | tail -1 | sed -n "s/.*\"$1\" *: *\"\([^\"]*\)\".*/\1/p"; }

install -D -m 644 -t /usr/lib/systemd/system "$checkout"/systemd/*.service "$checkout"/systemd/*.socket
systemctl daemon-reload
install -D -m 644 "$checkout/systemd/regd.sysusers" /usr/lib/sysusers.d/regd.conf
systemd-sysusers 2>/dev/null
install -D -m 640 "$checkout/Config/regd.yaml" /etc/regd/regd.yaml
install -D -m 644 "$checkout/systemd/regd.tmpfiles" /usr/lib/tmpfiles.d/regd.conf
systemd-tmpfiles --create regd.conf
install -D -m 644 "$checkout/systemd/regd.catalog" /usr/lib/systemd/catalog/regd.catalog
journalctl --update-catalog

# a wrong configuration: each problem is an entry with a priority, an id and the exit status
mkdir -p /etc/systemd/system/regd.service.d
printf '%s\n' '[Service]' 'Environment=REGD_STOR_BACKEND=x' >/etc/systemd/system/regd.service.d/wrong.conf
systemctl daemon-reload
! systemctl start regd 2>/dev/null || fail "it starts with a wrong configuration"
is "a start that fails has the exit status as a field" "$(field REGD_STATUS SYSLOG_IDENTIFIER=regd PRIORITY=3)" 78
has "and says why" "$(field MESSAGE SYSLOG_IDENTIFIER=regd PRIORITY=3)" "REGD_STOR_BACKEND"
has "journalctl -x says what to do" "$(journalctl -x --no-pager REGD_STATUS=78)" "regd --check-config"
rm /etc/systemd/system/regd.service.d/wrong.conf

# a watchdog that is shorter than the unit's, an upstream that does not exist
printf '%s\n' '[Service]' 'WatchdogSec=2' 'Environment=REGD_NETWORK_BACKEND=http' \
  'Environment=REGD_NETWORK_HTTP_BASE_URL=http://127.0.0.1:9/v1' 'Environment=REGD_NETWORK_HTTP_ALLOW_PLAINTEXT=true' \
  >/etc/systemd/system/regd.service.d/tried.conf
systemctl daemon-reload
systemctl reset-failed regd
systemctl start regd || fail "systemctl start regd"
pid=$(systemctl show -P MainPID regd)
has "its status is in words" "$(systemctl show -P StatusText regd)" "Serving /run/regd/regd.sock; store sqlite, network http"
! echo 'a fine phrase' | regctl register a@example.com --password-stdin >/dev/null 2>&1 || fail "registered without an upstream"
has "the outage is found by its method" "$(field MESSAGE REGD_METHOD=registration.register PRIORITY=4)" "The upstream fails"
is "with the error that the caller got" "$(field REGD_REASON REGD_METHOD=registration.register PRIORITY=4)" network.offline
is "and the caller" "$(field REGD_UID REGD_METHOD=registration.register PRIORITY=4)" 0
id=$(field REGD_REQUEST REGD_METHOD=registration.register PRIORITY=4)
is "its request has an id" "${#id}" 32
has "which all its lines have" "$(field MESSAGE REGD_REQUEST="$id" MESSAGE_ID=6803d67218bb9e21e45d1d888640d7e4)" "account.re"
lacks "there is no second time in a message" "$(field MESSAGE REGD_METHOD=registration.register PRIORITY=4)" "202"
has "the status says since when, and what callers get" "$(systemctl show -P StatusText regd)" "callers that need it get network.offline"
lacks "no line has an address" "$(journalctl --no-pager -o export -u regd)" "a@example.com"
lacks "libdispatch is silent" "$(journalctl --no-pager -u regd)" "thread priority"

# a regd that hangs is killed and started again
kill -STOP "$pid"
for _ in $(seq 300); do [ "$(systemctl show -P NRestarts regd)" = 0 ] || break; sleep 0.1; done
is "a regd that hangs is started anew" "$(systemctl show -P NRestarts regd)" 1
has "because of the watchdog" "$(journalctl --no-pager -u regd)" "Watchdog timeout"
for _ in $(seq 300); do [ "$(systemctl is-active regd)" = active ] && break; sleep 0.1; done
has "and answers" "$(regctl call rpc.ping)" pong
systemctl stop regd
is "it stops cleanly" "$(systemctl show -P Result regd) $(systemctl show -P ExecMainStatus regd)" "success 0"
echo done
