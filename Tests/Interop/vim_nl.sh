#!/usr/bin/env bash
# Vim's channels in nl mode carry lines of text: the JSON, and matching the id, are the script's.
set -euo pipefail
SOCKET=$1 exec vim -es -u NONE -i NONE --not-a-term -S <(cat <<'EOS'
let s:id = 0
function s:Call(method, params)
  let s:id += 1
  let request = {'jsonrpc': '2.0', 'id': s:id, 'method': a:method, 'params': a:params}
  call ch_sendraw(s:channel, json_encode(request) .. "\n")
  let reply = json_decode(ch_read(s:channel)) " ch_evalraw would take the first piece of a line for the whole
  if reply.id != s:id
    throw 'the reply is for id ' .. reply.id .. ', not ' .. s:id
  endif
  return reply.result
endfunction

try
  let s:channel = ch_open('unix:' .. $SOCKET, {'mode': 'nl', 'timeout': 20000})
  let pong = s:Call('rpc.ping', v:null)
  let form = {'email': 'email@test', 'password': '12345', 'passwordConfirmation': v:null}
  let reasons = map(s:Call('registration.validate', form).problems, {_, problem -> problem.reason})
  call writefile([pong, join(reasons, ',')], '/dev/stdout', 'a')
  quitall!
catch
  call writefile([v:exception], '/dev/stderr', 'a')
  cquit
endtry
EOS
)
