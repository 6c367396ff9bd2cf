import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("regctl outbox", .blocking, .timeLimit(.minutes(10)))
struct OutboxTests {
  @Test("an impossible command causes an error")
  func refused() throws {
    try withRegd { regd in
      try Shell.check(
        [
          ("$regctl outbox", 0, "SUBCOMMANDS"), ("$regctl outbox list", 0, ""),
          ("$regctl outbox list --limit x", 2, "limit"),
          ("$regctl outbox retry nonsense", 1, "rpc.invalidParams"),
          ("$regctl outbox retry 0192d3a4-7c1e-7b32-9f00-0123456789ab", 1, "account.notFound"),
          ("$regctl outbox discard", 2, "Missing expected argument"),
          ("$regctl outbox discard 0192d3a4-7c1e-7b32-9f00-0123456789ab </dev/null", 1, "was not discarded; use --yes"),
          ("$regctl outbox discard 123 </dev/null", 1, "123 was not discarded; use --yes to skip"),
          ("$regctl outbox discard --yes 0192d3a4-7c1e-7b32-9f00-0123456789ab", 1, "account.notFound"),
        ], regd.socket)
    }
  }

  @Test("waiting registrations can be listed, retried and discarded")
  func life() throws {
    let configuration = "\(Places.environments)/failed.yaml"
    try withRegd(configuration: configuration, ["REGD_NETWORK_OUTBOX_FIRST_SECONDS": "60"]) { regd in
      try Shell.check(
        [
          ("echo 'a fine phrase' | $regctl register a@example.com --password-stdin", 1, "network.failed"),
          ("$regctl outbox list", 0, "attempts: 1"), ("$regctl outbox list", 0, "network.failed  a@example.com"),
          ("$regctl outbox list --json", 0, "\"reason\":\"network.failed\""),
          ("$regctl status", 0, "outbox: 1 registration is waiting for the upstream"),
          ("$regctl outbox retry", 0, "all waiting entries will be retried now"),
          ("$regctl outbox retry $($regctl outbox list --json | cut -d'\"' -f4)", 0, "will be retried now"),
          ("$regctl outbox discard --yes $($regctl outbox list --json | cut -d'\"' -f4)", 0, "discarded"),
          ("$regctl outbox list | wc -l", 0, "0"), ("$regctl account list | wc -l", 0, "0"),
        ], regd.socket)
    }
  }

  @Test("regctl reports that a deferred registration is pending")
  func deferred() throws {
    let configuration = "\(Places.environments)/offline.yaml"
    try withRegd(configuration: configuration, ["REGD_NETWORK_WHEN_UNREACHABLE": "defer"]) { regd in
      try Shell.check(
        [
          (
            "echo 'a fine phrase' | $regctl register a@example.com --password-stdin", 0,
            "the account is pending until the upstream can be reached"
          ),
          ("echo 'a fine phrase' | $regctl sign-in a@example.com --password-stdin", 1, "account.pending"),
          ("$regctl account get a@example.com", 0, "state: pending"),
        ], regd.socket)
    }
  }
}
