#!/bin/bash
# Runs inside a booted systemd: regd with a PostgreSQL server that has a name, while the name servers are silent.
#   names.sh CHECKOUT
# REGD_TEST_SILENT_SECONDS is how long they are silent at the start of regd: by default longer than one of its requests to
# systemd for more time lasts. While regd runs, they are silent for half of that.
set -euo pipefail
checkout=$1
seconds=${REGD_TEST_SILENT_SECONDS:-40}
# shellcheck source=facts.sh
source "$checkout/Tests/Adapters/SystemdTests/facts.sh"
# shellcheck source=running.sh
source "$checkout/Tests/Adapters/SystemdTests/running.sh"

install -D -m 644 -t /usr/lib/systemd/system "$checkout"/systemd/*.{service,socket,timer}
install -D -m 644 "$checkout/systemd/regd.sysusers" /usr/lib/sysusers.d/regd.conf
install -D -m 640 "$checkout/Config/regd.yaml" /etc/regd/regd.yaml
install -D -m 644 "$checkout/systemd/regd.tmpfiles" /usr/lib/tmpfiles.d/regd.conf
systemd-sysusers 2>/dev/null
systemd-tmpfiles --create regd.conf
# limits that are shorter than the silence, so that systemd would end a regd that does not ask for more time or hangs
mkdir -p /etc/systemd/system/regd.service.d
drop_in=/etc/systemd/system/regd.service.d/test.conf
printf '%s\n' '[Service]' WatchdogSec=3 TimeoutStartSec=5 Environment=REGD_STORE_BACKEND=postgresql \
  'Environment=REGD_STORE_POSTGRESQL_URL=postgresql://regd@db.example/regd?sslmode=disable' >$drop_in
systemctl daemon-reload

# a name server that accepts questions and sends no answer
ip link set lo up
echo 'nameserver 127.0.0.1' >/etc/resolv.conf
systemd-run --quiet --unit=names socat -u UDP4-RECV:53,bind=127.0.0.1 OPEN:/dev/null
listens() { ss -Hlun 'sport = :53' | grep -q .; }
reached "a name server listens" listens
names_answer() { echo '127.0.0.1 db.example' >>/etc/hosts; }
names_are_silent() { sed -i '/db\.example/d' /etc/hosts; }

programs=${REGD_TEST_POSTGRESQL_BIN:-$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -1)}
cluster=/var/lib/names
install -d -o postgres -g postgres $cluster
setpriv --reuid=postgres --regid=postgres --clear-groups "$programs/initdb" --pgdata $cluster/data --auth trust \
  --username postgres --no-sync --encoding UTF8 --locale C.UTF-8 >/dev/null
start_server() {
  # with SIGTERM, the server would wait for regd's sessions to end
  systemd-run --quiet --collect --unit=server --uid=postgres --property=KillSignal=SIGINT "$programs/postgres" \
    -D $cluster/data -c listen_addresses=127.0.0.1 -c unix_socket_directories=$cluster
}
sql() { "$programs/psql" --host $cluster --username postgres --no-psqlrc --quiet --command "$1"; }
start_server
reached "a PostgreSQL server runs" sql 'SELECT 1'
sql 'CREATE ROLE regd LOGIN'
sql "CREATE DATABASE regd OWNER regd ENCODING 'UTF8' TEMPLATE template0"

entry='{"email":"a@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase"}'
# Calls what needs no store for so many seconds. Each call is answered within two seconds.
answered() {
  local end=$((SECONDS + $1)) count=0
  while [ $SECONDS -lt $end ]; do
    timeout 2 regctl call rpc.ping >/dev/null || fail "rpc.ping got no answer within 2 s"
    timeout 2 regctl call registration.validate "$entry" >/dev/null || fail "registration.validate got no answer within 2 s"
    count=$((count + 1))
    sleep 0.1
  done
  ok "rpc.ping and registration.validate are answered within 2 s, $count times in $1 s"
}
process() { echo "$(property MainPID) $(property NRestarts) $(states regd.service)"; }

systemctl start regd.socket
systemctl start --no-block regd
reached "the status of a start without names contains the reason" in_words 'could not translate host name "db.example"'
has "and since when the store has been failing" "$(property StatusText)" "the store has been failing since 20"
began=$(property MainPID)
answered "$seconds"
said=$(register a@example.com 2>&1) && fail "registered without a store: $said"
has "a registration fails because of the store" "$said" store.unavailable
is "the same process is still starting" "$(process)" "$began 0 activating "
names_answer
is_active() { [ "$(states regd.service)" = "active " ]; }
reached "regd is ready once the name is found" is_active
has "and registers" "$(register a@example.com)" "registered a@example.com"
reached "and its status contains no failure" in_order

names_are_silent
systemctl stop server
reached "the status of a running regd contains the store's failure" in_words "the store has been failing"
answered $((seconds / 2))
is "the same process is still running" "$(process)" "$began 0 active "
start_server
reached "the store is used again at its last address, while the names are silent" in_order
is "and has the account" "$(addresses)" "a@example.com"
names_answer

sed -i 's/regd@db/nobody@db/' $drop_in
systemctl daemon-reload
! systemctl restart regd 2>/dev/null || fail "started with a role that does not exist"
has "a role that does not exist ends the start" "$(journalctl -u regd.service -n 50)" 'role "nobody" does not exist'
has "with exit status 69" "$(journalctl -u regd.service -n 50)" "status=69"

# The C library needs ten seconds for a look-up that no name server answers. The calls to the upstream end sooner.
printf '%s\n' '[Service]' WatchdogSec=3 TimeoutStartSec=5 Environment=REGD_NETWORK_BACKEND=http \
  Environment=REGD_NETWORK_HTTP_BASE_URL=https://upstream.example/v1 Environment=REGD_NETWORK_HTTP_CONNECT_SECONDS=1 \
  Environment=REGD_NETWORK_HTTP_TOTAL_SECONDS=2 >$drop_in
systemctl daemon-reload
systemctl restart regd
began=$(property MainPID)
for address in b@example.com c@example.com; do
  said=$(echo 'a fine phrase' | timeout 6 regctl register --timeout 30 $address --password-stdin 2>&1) &&
    fail "registered $address without the upstream: $said"
  has "while the upstream's name has no answer, a registration fails within 6 s" "$said" network.offline
done
is "and regd runs" "$(states regd.service)$(property MainPID)" "active $began"
echo "done"
