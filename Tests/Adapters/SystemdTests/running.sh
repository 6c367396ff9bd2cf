# What regd promises while it runs, each promise a function.

configured() { sed -i "s/$1/$2/" /etc/regd/regd.yaml; }
generation() { regctl call daemon.status | sed -n 's/.*"configuration":{"generation":\([0-9]*\).*/\1/p'; }

# Good: it is in force when systemctl returns. Bad: systemctl fails, and what ran before goes on. Never another process.
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
