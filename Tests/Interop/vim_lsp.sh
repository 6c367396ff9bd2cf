#!/usr/bin/env bash
# Vim's channels in lsp mode, as its language-server plugins use them: Vim adds jsonrpc, id and the headers.
set -euo pipefail
SOCKET=$1 exec vim -es -u NONE -i NONE --not-a-term -S <(cat <<'EOS'
try
  let channel = ch_open('unix:' .. $SOCKET, {'mode': 'lsp', 'timeout': 20000})
  let pong = ch_evalexpr(channel, {'method': 'rpc.ping'})
  let form = {'email': 'email@test', 'password': '12345', 'passwordConfirmation': v:null}
  let answer = ch_evalexpr(channel, {'method': 'registration.validate', 'params': form})
  let reasons = map(copy(answer.result.problems), {_, problem -> problem.reason})
  call writefile([pong.result, join(reasons, ',')], '/dev/stdout', 'a')
  quitall!
catch
  call writefile([v:exception], '/dev/stderr', 'a')
  cquit
endtry
EOS
)
