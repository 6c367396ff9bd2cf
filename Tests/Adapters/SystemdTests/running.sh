# regd's promises while it runs: reload, journal, watchdog, the status line of systemctl. Each promise is a function.

configured() { sed -i "s/$1/$2/" /etc/regd/regd.yaml; }
generation() { regctl call daemon.status | sed -n 's/.*"configuration":{"generation":\([0-9]*\).*/\1/p'; }

# A good configuration is in force when systemctl returns. For a bad one, systemctl fails and the previous configuration
# remains in force. The process is always the same.
reload() {
  local process
  process=$(property MainPID)
  configured 'level: info' 'level: inform'
  ! systemctl reload regd 2>/dev/null || fail "systemctl reload took a wrong configuration"
  has "a reload that is refused is said, with file, line and key" "$(systemctl status regd)" \
    "/etc/regd/regd.yaml:$(grep -n 'level: inform' /etc/regd/regd.yaml | cut -d: -f1): log.level"
  is "what ran before goes on" "$(states regd.service)$(generation)" "active 1"
  configured 'level: inform' 'level: debug'
  systemctl reload regd || fail "systemctl reload"
  is "a reload that is taken is in force when systemctl returns" "$(generation)" 2
  systemctl kill --kill-whom=main --signal=HUP regd.service
  reached "SIGHUP is a reload, too" reloaded 3
  is "all that in the same process" "$(property MainPID) $(states regd.service)" "$process active "
  configured 'level: debug' 'level: info'
  systemctl reload regd
}

reloaded() { [ "$(generation)" -ge "$1" ]; }

# The journal's native fields, by which an operator finds the events of an account.
journal_fields() {
  local entry
  register journal@example.com >/dev/null
  entry=$(journalctl -u regd.service REGD_METHOD=registration.register -n 1 -o export)
  has "a registration is found by REGD_METHOD" "$entry" REGD_ACCOUNT=
  has "with who asked" "$entry" "REGD_UID=0"
  has "with one name for the request" "$entry" REGD_REQUEST=
  has "with an id of the message" "$entry" MESSAGE_ID=
  has "which journalctl -x explains" "$(journalctl -u regd.service -x)" "Defined-By: regd"
  is "without a second time" "$(echo "$entry" | grep -cE '^MESSAGE=[0-9]{4}-' || true)" 0
  is "libdispatch has no complaint" "$(journalctl -u regd.service -o cat | grep -c 'thread priority' || true)" 0
}

# systemd's watchdog detects a daemon that makes no progress, and starts another one.
watchdog() {
  is "the unit has a watchdog" "$([ "$(property WatchdogUSec)" != 0 ] && echo yes)" yes
  mkdir -p /etc/systemd/system/regd.service.d
  printf '%s\n' '[Service]' WatchdogSec=3 >/etc/systemd/system/regd.service.d/test.conf
  systemctl daemon-reload && systemctl restart regd
  first=$(property WatchdogTimestampMonotonic)
  reached "it is fed" fed_since "$first"
  systemctl kill --kill-whom=main --signal=STOP regd.service
  reached "a daemon that is stopped is ended, and another one started" restarted 1
  has "because of the watchdog" "$(journalctl -u regd.service -n 40)" "watchdog"
  is "it answers" "$(ask rpc.ping)" '"pong"'
  rm -r /etc/systemd/system/regd.service.d
  systemctl daemon-reload && systemctl restart regd
}
fed_since() { [ "$(property WatchdogTimestampMonotonic)" -gt "$1" ]; }

# STATUS= describes what callers get while the upstream or the store is unavailable, and is reset afterwards.
in_words() { [[ $(property StatusText) = Degraded:*$1* ]]; }
in_order() { [[ $(property StatusText) = Serving* ]]; }
store_away() {
  mv /var/lib/regd/regd.db /var/lib/regd/away.db
  reached "the status says that the store is away" in_words "the store has been failing"
  is "and regd goes on" "$(states regd.service)" "active "
  mv /var/lib/regd/away.db /var/lib/regd/regd.db
  reached "the status says that it is back" in_order
}
