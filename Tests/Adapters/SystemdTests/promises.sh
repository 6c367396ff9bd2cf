# regd's promises under its shipped units, one function for each promise. The callers, service.sh and package.sh, have
# installed regd.
# shellcheck source=facts.sh
source "$(dirname "${BASH_SOURCE[0]}")/facts.sh"
# shellcheck source=running.sh
source "$(dirname "${BASH_SOURCE[0]}")/running.sh"
call_check='{"jsonrpc":"2.0","id":1,"method":"registration.checkEmail","params":["a@example.com"]}'

# The start returns when regd serves, the status line describes its work, only permitted users can connect, and only
# administrators can administer.
start_and_access() {
  local verify exposure
  verify=$(systemd-analyze verify regd.service regd.socket 'regd@a.service' 'regd@a.socket' 2>&1 | grep regd | grep -v "Command 'man" || true)
  is "the units are clean" "$verify" ""
  exposure=$(systemd-analyze security regd | sed -n 's/.*exposure level.*: \([0-9.]*\) .*/\1/p')
  is "exposure is 1.2 at most, not $exposure" "$(awk "BEGIN { print ($exposure <= 1.2) }")" 1
  systemctl start regd || fail "systemctl start regd"
  is "it is active when start returns, and so is the socket" "$(states regd.service regd.socket)" "active active "
  echo "   READY after $((($(property ActiveEnterTimestampMonotonic) - $(property InactiveExitTimestampMonotonic)) / 1000)) ms"
  is "its status is in words" "$(property StatusText)" "Serving $socket; store sqlite, network none"
  has "systemctl status shows it" "$(systemctl status regd)" 'Status: "Serving'
  is "it runs as regd" "$(ps -o user= -p "$(property MainPID)")" regd
  is "who is of the group may connect" "$(stat -c '%U %G %a' $socket)" "regd regd 660"
  has "it registers" "$(register a@example.com)" "registered a@example.com"
  has "a line of JSON does it too" "$(printf '%s' "$call_check" | nc -U -N $socket)" '"result":{"available":false}'
  is "who is not of the group may not connect" "$(setpriv --reuid=nobody --clear-groups regctl status >/dev/null 2>&1; echo $?)" 3
  is "a member of the group may" "$(setpriv --reuid=nobody --regid=regd --clear-groups regctl call rpc.ping)" '"pong"'
  is "but is no administrator" \
    "$(setpriv --reuid=nobody --regid=regd --clear-groups regctl call daemon.status >/dev/null 2>&1; echo $?)" 1
  has "unless it is of regd-admin, too" \
    "$(setpriv --reuid=nobody --regid=regd --groups=regd-admin regctl call daemon.status)" '"users":[{"uid":0,'
  is "the database is regd's alone" "$(stat -c '%U %a' /var/lib/regd/regd.db)" "regd 600"
  has "an administrator sees who registered" "$(regctl events --list)" "account.registered  a@example.com"
}

stop() {
  systemctl stop regd.socket regd
  is "it stops with exit status 0" "$(property Result) $(property ExecMainStatus)" "success 0"
  has "the journal has it" "$(journalctl -u regd.service)" "Stopping: finishing the requests in flight"
  is "a stopped socket leaves no file" "$(ls $socket 2>/dev/null)" ""
}

# Exactly the commands of the operators' article.
backup_and_restore() {
  local restore
  has "a backup is made while it runs" "$(regctl backup /root/backup.db)" "1 account,"
  has "and goes on" "$(register later@example.com)" "registered later@example.com"
  restore=$(sed -n '/^## Restore a backup/,/^Check that the/p' "$1/Sources/Daemon/Daemon/Daemon.docc/Backup.md" | grep '^    ' |
    sed 's|/var/backups/regd.db|/root/backup.db|')
  is "the article says how to restore" "$(echo "$restore" | wc -l)" 5
  bash -euc "$restore" || fail "restoring"
  is "what the backup has is back, and nothing else" "$(addresses)" "a@example.com"
  is "and it is regd's alone" "$(stat -c '%U %a' /var/lib/regd/regd.db)" "regd 600"
}

first_caller_starts_it() {
  systemctl stop regd.socket regd
  systemctl start regd.socket || fail "systemctl start regd.socket"
  is "the socket waits, the service does not run" "$(states regd.socket regd.service)" "active inactive "
  is "systemd's socket has its mode" "$(stat -c '%U %G %a' $socket)" "regd regd 660"
  has "the first caller starts the service" \
    "$(echo 'a fine phrase' | regctl sign-in A@example.com --password-stdin)" "signed in A@example.com"
  is "the service runs" "$(states regd.service)" "active "
}

# Seven times in a row, which exceeds systemd's usual start limit, and the last time without any caller.
crash() {
  local inode
  inode=$(stat -c %i $socket)
  for number in 1 2 3 4 5 6; do
    systemctl kill --kill-whom=main --signal=KILL regd.service
    ask rpc.ping >/dev/null || fail "no answer after crash $number"
  done
  ok "after each of six crashes in a row a caller is answered"
  is "by a service that systemd has started again" "$(states regd.service)" "active "
  systemctl kill --kill-whom=main --signal=KILL regd.service
  reached "it is started again without a caller, too" restarted 7
  is "the socket has been the same all the time" "$(stat -c %i $socket) $(states regd.socket)" "$inode active "
  has "the account is there" "$(regctl account list)" "a@example.com"
}

restarted() { [ "$(property NRestarts)" -ge "$1" ]; }

# regd reports the mistake with file, line and key, and is not started again without a caller. For waiting callers it is
# started again, with pauses. After the file is corrected, regd starts.
wrong_configuration() {
  local before waiting
  before=$(journalctl -u regd.service -o cat | grep -c 'not "sqlte"' || true)
  sed -i 's/backend: sqlite/backend: sqlte/' /etc/regd/regd.yaml
  ! systemctl restart regd 2>/dev/null || fail "started with a wrong configuration"
  is "exit status 78" "$(property ExecMainStatus)" 78
  is "no restart" "$(property NRestarts) $(states regd.service)" "0 failed "
  has "systemctl status shows file, line and key" "$(systemctl status regd || true)" \
    "/etc/regd/regd.yaml:$(grep -n sqlte /etc/regd/regd.yaml | cut -d: -f1): store.backend: must be one of memory, sqlite, postgresql, not \"sqlte\""
  is "the socket is still there" "$(states regd.socket)" "active "
  ask rpc.ping >/root/answer 2>&1 &
  waiting=$!
  reached "a caller has it tried again, after a pause" tried $((before + 2))
  is "without end, but not without pauses" "$(states 'regd-pause@regd.service' regd.socket)" "activating active "
  sed -i 's/backend: sqlte/backend: sqlite/' /etc/regd/regd.yaml
  wait $waiting || fail "the caller that waited: $(cat /root/answer)"
  ok "once the file is mended, the caller that waited is answered; and nothing else was typed"
  tried $((before + 4)) && fail "it was tried too often" || ok "it was tried a few times, not in a loop"
}
tried() { [ "$(journalctl -u regd.service -o cat | grep -c 'not "sqlte"')" -ge "$1" ]; }

# A store that cannot be opened: the reason is in the journal and in the answers to callers, and the article explains
# it.
cannot_start() {
  local article=$1/Sources/Daemon/Daemon/Daemon.docc/Installing.md began said
  configured '\/var\/lib\/regd\/regd.db' '\/srv\/regd\/regd.db'
  systemctl restart regd 2>/dev/null || true
  began=$SECONDS
  said=$(regctl status 2>&1) && fail "regd answers: $said" || is "a caller of a regd that cannot start gives up with exit status 3" $? 3
  [ $((SECONDS - began)) -lt 30 ] || fail "after $((SECONDS - began)) s"
  has "after it was told what it waits for" "$said" "waiting for regd at $socket; regd.service is "
  has "and why" "$said" "cannot start: Did not start: /etc/regd/regd.yaml:"
  has "with the line, the key and the directory that is missing" "$said" "store.sqlite.path: the store /srv/regd/regd.db cannot be opened: there is no directory /srv/regd: install -d -o regd"
  said=$(regctl top --once 2>&1) && fail "regd answers: $said" || is "so does regctl top" $? 3
  has "in the same words" "$said" "cannot start: Did not start: /etc/regd/regd.yaml:"
  install -d -o regd -g regd -m 700 /srv/regd
  systemctl restart regd 2>/dev/null || true
  has "a directory that its sandbox makes read-only is told as that" "$(regctl status 2>&1)" "the sandbox of regd.service (ProtectSystem=strict) allows only its own directories: systemctl edit regd.service, add [Service] and ReadWritePaths=/srv/regd"
  mkdir -p /etc/systemd/system/regd.service.d
  sed -n '/^## Keep the accounts in another directory/,/^## Allow an upstream/s/^    # //p' "$article" >/etc/systemd/system/regd.service.d/place.conf
  systemctl daemon-reload && systemctl restart regd || fail "systemctl restart regd, with the article's drop-in"
  is "with the article's drop-in it runs" "$(states regd.service) $(regctl account list)" "active  "
  systemctl stop regd.socket regd
  chown root: /srv/regd/regd.db
  systemctl start regd 2>/dev/null || true
  has "a file that root has put there is named with its owner" "$(regctl status 2>&1)" "/srv/regd/regd.db belongs to root (mode 0600), but regd runs as the user regd, who may not write it: chown regd: /srv/regd/regd.db"
  configured '\/srv\/regd\/regd.db' '\/var\/lib\/regd\/regd.db'
  configured 'path: \/run\/regd\/regd.sock' 'path: \/run\/regd\/elsewhere.sock'
  systemctl restart regd || fail "systemctl restart regd"
  has "a socket.path that is not the unit's is told" "$(journalctl -u regd.service -n 20)" "Callers connect at the path in regd.socket, not at socket.path"
  configured 'path: \/run\/regd\/elsewhere.sock' 'path: \/run\/regd\/regd.sock'
  configured 'mode: "0660"' 'mode: "0666"'
  systemctl restart regd || fail "systemctl restart regd"
  has "a socket.mode that is not the unit's is told" "$(journalctl -u regd.service -n 20)" "socket.group and socket.mode have no effect"
  configured 'mode: "0666"' 'mode: "0660"'
  rm -r /etc/systemd/system/regd.service.d /srv/regd
  systemctl daemon-reload && systemctl restart regd
}

# A simulated upstream: answers each request that the address is available, and records the requests.
upstream() {
  cat >/root/upstream <<'EOT'
#!/bin/bash
while read -r line && [ "$line" != $'\r' ]; do echo "$line" >>/root/requests; done
printf 'HTTP/1.1 200 OK\r\nContent-Length: 18\r\nConnection: close\r\n\r\n{"available":true}'
EOT
  chmod 700 /root/upstream
  ip link set lo up
  systemd-run --quiet --unit=upstream socat TCP-LISTEN:8099,reuseaddr,fork EXEC:/root/upstream
  reached "an upstream listens" socat /dev/null TCP:127.0.0.1:8099
}

# regd reaches the upstream from the unit's sandbox, with a token from systemd's store of credentials.
upstream_and_credentials() {
  mkdir -p /etc/systemd/system/regd.service.d
  printf '%s\n' '[Service]' Environment=REGD_NETWORK_BACKEND=http 'Environment=REGD_NETWORK_HTTP_BASE_URL=http://127.0.0.1:8099/v1' \
    Environment=REGD_NETWORK_HTTP_ALLOW_PLAINTEXT=true Environment=REGD_NETWORK_BREAKER_FAILURES=0 \
    >/etc/systemd/system/regd.service.d/test.conf
  (umask 077; echo s3cret-token-of-the-unit >/etc/credstore/regd.network-http-bearerToken)
  systemctl daemon-reload
  systemctl restart regd || fail "systemctl restart regd, with an upstream"
  has "an upstream that is away is said" "$(regctl check b@example.com 2>&1 || true)" "network.offline"
  reached "and its status says so" in_words "the upstream has been failing"
  upstream
  has "one that is there is asked" "$(regctl check b@example.com 2>&1)" "b@example.com is available"
  reached "and the status says that it is back" in_order
  has "with the token of the credential" "$(cat /root/requests)" "Authorization: Bearer s3cret-token-of-the-unit"
  is "which is in no log" "$(journalctl --all -u regd.service -o export | grep -c s3cret || true)" 0
  is "and which regd alone may read" "$(stat -c '%U %a' /run/credentials/regd.service/network-http-bearerToken)" "regd 400"
  elsewhere "$1"
  rm -r /etc/systemd/system/regd.service.d /etc/credstore/regd.network-http-bearerToken
  systemctl stop upstream
  systemctl daemon-reload
  systemctl restart regd || fail "systemctl restart regd, without a credential"
  is "a credential that is not there is no matter" "$(states regd.service)" "active "
}

# The unit lets regd reach only this machine, unless the shipped drop-in permits more.
elsewhere() {
  ip address add 192.0.2.1/32 dev lo
  sed -i 's/127.0.0.1:8099/192.0.2.1:8099/' /etc/systemd/system/regd.service.d/test.conf
  systemctl daemon-reload && systemctl restart regd
  has "another machine is not reached" "$(regctl check b@example.com 2>&1 || true)" "network.offline"
  cp "$1/systemd/upstream.conf" /etc/systemd/system/regd.service.d/upstream.conf
  systemctl daemon-reload && systemctl restart regd
  has "but with the drop-in that is shipped" "$(regctl check b@example.com 2>&1)" "b@example.com is available"
}

# Each with its own configuration, accounts and socket.
several_daemons() {
  local blue=/run/regd/blue/regd.sock
  install -m 640 -g regd /etc/regd/regd.yaml /etc/regd/blue.yaml
  systemctl start regd@blue || fail "systemctl start regd@blue"
  is "a second daemon has a socket and accounts of its own" "$(regctl account list --socket $blue)" ""
  echo 'a fine phrase' | regctl register blue@example.com --password-stdin --socket $blue >/dev/null
  is "and keeps them apart" "$(stat -c '%U %a' /var/lib/regd/blue/regd.db) $(addresses | grep -c blue || true)" "regd 600 0"
  systemctl restart regd
  has "the first one's restart is not its own" "$(regctl account list --socket $blue)" "blue@example.com"
  systemctl stop regd@blue.socket regd@blue
  is "it stops with exit status 0" "$(property Result regd@blue)" success
  sed -i 's/backend: sqlite/backend: sqlte/' /etc/regd/blue.yaml
  ! systemctl start regd@blue 2>/dev/null || fail "started with a wrong configuration"
  # the pause begins after the end of the start, because OnFailure= causes it
  for _ in $(seq 300); do [ "$(states regd-pause@regd@blue.service)" = "inactive " ] || break; sleep 0.1; done
  is "a wrong configuration is a pause for itself" "$(states regd-pause@regd@blue.service regd-pause@regd.service)" "activating inactive "
  systemctl stop regd@blue.socket
  rm -r /etc/regd/blue.yaml /var/lib/regd/blue
}

# A monitoring system reads the metrics through a port that systemd holds, but only after its user has become an
# observer.
metrics_for_monitoring() {
  local page=http://127.0.0.1:9957/metrics verify exposure began
  verify=$(systemd-analyze verify regd-metrics.socket 'regd-metrics@a.service' regd-backup.timer regd-backup.service \
    regd-audit-head.timer regd-audit-head.service 2>&1 | grep regd- | grep -v "Command 'man" || true)
  is "the units of metrics and back-ups are clean" "$verify" ""
  exposure=$(systemd-analyze security 'regd-metrics@a.service' | sed -n 's/.*exposure level.*: \([0-9.]*\) .*/\1/p')
  is "exposure of a scrape is 0.5 at most, not $exposure" "$(awk "BEGIN { print ($exposure <= 0.5) }")" 1
  systemctl start regd-metrics.socket || fail "systemctl start regd-metrics.socket"
  is "the port is on loopback and nowhere else" "$(ss -Hltn 'sport = :9957' | awk '{print $4}')" "127.0.0.1:9957"
  is "who is no observer has no metrics" "$(curl -s -o /root/answer -w '%{http_code}' $page)" 403
  has "and is told why" "$(cat /root/answer)" "access.denied"
  sed -i '/^  observe:/,/^$/s/users: \[\]/users: [regd-metrics]/' /etc/regd/regd.yaml
  systemctl reload regd || fail "systemctl reload, with an observer"
  has "an observer has them" "$(curl -s -D /root/head $page)" "regd_healthy{part=\"store\"} 1"
  has "as OpenMetrics" "$(cat /root/head)" "application/openmetrics-text; version=1.0.0"
  is "another page is not there" "$(curl -s -o /dev/null -w '%{http_code}' ${page%metrics})" 404
  is "nothing is changed there" "$(curl -s -o /dev/null -w '%{http_code}' -d x $page)" 405
  systemctl stop regd.socket regd
  is "where regd is away it is 503" "$(curl -s -o /root/answer -w '%{http_code}' $page)" 503
  has "with the reason" "$(cat /root/answer)" "cannot connect to $socket"
  has "which the journal has, too" "$(journalctl -u 'regd-metrics@*' -o cat)" "cannot connect to $socket"
  is "and nothing of the scrapes that went well" "$(journalctl -u 'regd-metrics@*' -o cat | grep -cv regctl: || true)" 0
  systemctl start regd
  # eight silent connections occupy all places, and are ended
  for _ in $(seq 8); do (exec 3<>/dev/tcp/127.0.0.1/9957 && cat <&3 >/dev/null) & done
  reached "callers that say nothing are ended, and another scrape has its turn" scraped $page
  is "none is left, and none is a failed unit" "$(systemctl list-units --failed --no-legend 'regd-metrics*')" ""
  systemctl stop regd-metrics.socket
}
scraped() { [ "$(curl -s -o /dev/null -w '%{http_code}' "$1")" = 200 ] && [ "$(pgrep -cf 'regctl metrics --http')" = 0 ]; }

# There is one complete file for each day of the week, which only root can read.
backup_each_night() {
  local copy
  copy=/var/backups/regd/regd-$(LC_ALL=C date +%a).db
  is "the timer is for each night" "$(systemctl cat regd-backup.timer | grep -c '^OnCalendar=')" 1
  systemctl start regd-backup.service || fail "systemctl start regd-backup.service"
  is "a back-up is root's alone" "$(stat -c '%U %a' "$copy") $(stat -c '%U %a' /var/backups/regd)" "root 600 root 700"
  is "it has all accounts" "$(sqlite3 "$copy" 'SELECT count(*) FROM account')" "$(regctl account list | wc -l)"
  is "and the accounts' own files stay regd's" "$(stat -c '%U' /var/lib/regd/regd.db* | sort -u)" regd
  systemctl stop regd.socket regd
  ! systemctl start regd-backup.service 2>/dev/null || fail "a back-up of a regd that does not run"
  has "one that fails says why" "$(journalctl -u regd-backup.service -o cat)" "cannot connect to $socket"
  is "and leaves the one before" "$(ls /var/backups/regd)" "${copy##*/}"
  systemctl reset-failed regd-backup.service
  systemctl start regd
}

# The heads are where regd's user cannot change them, or where the operator wants them.
head_each_day() {
  local heads=/var/lib/regd-audit/heads place=/etc/systemd/system/regd-audit-head.service.d
  is "a head of the audit is for each day" "$(systemctl cat regd-audit-head.timer | grep -c '^OnCalendar=')" 1
  for _ in 1 2; do systemctl start regd-audit-head.service || fail "systemctl start regd-audit-head.service"; done
  is "heads are lines, and root's alone" "$(wc -l <$heads) $(stat -c '%U %a' $heads ${heads%/*} | tr '\n' ' ')" "2 root 600 root 700 "
  has "the audit fits them" "$(regctl audit verify --heads $heads)" "the present head and 2 earlier heads"
  mkdir -p /srv/witness $place
  printf '[Service]\nEnvironment=HEADS_DIRECTORY=/srv/witness\n' >$place/place.conf
  systemctl daemon-reload
  systemctl start regd-audit-head.service || fail "systemctl start regd-audit-head.service, for another directory"
  is "the operator chooses their directory" "$(wc -l </srv/witness/heads) $(wc -l <$heads)" "1 2"
  rm -r $place /srv/witness
  systemctl daemon-reload
  # if root is not an administrator, it must be an observer
  cp -p /etc/regd/regd.yaml /root/kept.yaml
  sed -i 's/^    root: true /    root: false/' /etc/regd/regd.yaml
  systemctl restart regd
  ! systemctl start regd-audit-head.service 2>/dev/null || fail "a head for root, which is neither administrator nor observer"
  systemctl reset-failed regd-audit-head.service
  sed -i '/^  observe:/,/^$/s/uids: \[\]/uids: [0]/' /etc/regd/regd.yaml
  systemctl restart regd
  systemctl start regd-audit-head.service || fail "systemctl start regd-audit-head.service, as an observer"
  is "an observer stores a head" "$(wc -l <$heads)" 3
  ! regctl account list >/root/answer 2>&1 || fail "root is an administrator with access.admin.root: false"
  cp -p /root/kept.yaml /etc/regd/regd.yaml
  systemctl restart regd
}

# For operators who want regd itself to bind the sockets of the configuration.
without_the_socket_unit() {
  systemctl stop regd.socket regd
  systemctl mask --quiet regd.socket
  systemctl start regd || fail "systemctl start regd, without regd.socket"
  is "it binds its own socket" "$(states regd.socket) $(stat -c '%U %G %a' $socket)" "inactive  regd regd 660"
  is "and answers" "$(ask rpc.ping)" '"pong"'
  systemctl stop regd
  systemctl unmask --quiet regd.socket
  systemctl start regd
  is "and goes back behind systemd's" "$(states regd.socket regd.service)" "active active "
}

under_load() {
  local number
  load_begin
  for number in 1 2 3; do
    systemctl restart regd || fail "systemctl restart regd, under load"
    more_acknowledged
  done
  load_end
  none_refused "three restarts under load"
  none_lost "three restarts under load"
  load_begin
  systemctl kill --kill-whom=main --signal=KILL regd.service
  more_acknowledged
  systemctl stop regd.socket regd
  is "it stops under load with exit status 0" "$(property Result) $(property ExecMainStatus)" "success 0"
  load_end
  systemctl start regd
  none_lost "a crash and a stop under load"
}

no_secrets() {
  is "no password is in any field of the journal" "$(journalctl --all -o export | grep -c 'fine phrase' || true)" 0
}
