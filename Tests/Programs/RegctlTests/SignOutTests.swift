import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@testable import regctl

/// The commands with which owners and administrators end all sign-ins.
@Suite("regctl sign-out", .blocking, .timeLimit(.minutes(10)))
struct SignOutTests {
  private static let check = "$regctl call session.check account=$(cat id) stamp=$(cat stamp)"
  private static let signIn = "echo 'a fine phrase' | $regctl sign-in a@example.com --password-stdin"
  private static let keep = """
    \(signIn) --json >kept && sed -E 's/.*"id":"([^"]*)".*/\\1/' kept >id && sed -E 's/.*"stamp":"([^"]*)".*/\\1/' kept >stamp
    """

  @Test("an owner signs out with the password, an administrator with the address or id, and session.check then fails")
  func signOut() throws {
    try withRegd { regd in
      try Shell.check(
        [
          ("echo 'a fine phrase' | $regctl register --password-stdin a@example.com", 0, "registered a@example.com"),
          (Self.keep, 0, ""), (Self.check, 0, "a@example.com"),
          ("echo 'another' | $regctl sign-out a@example.com --password-stdin", 1, "credentials.rejected"),
          (Self.check, 0, "a@example.com"),
          (
            "echo 'a fine phrase' | $regctl sign-out a@example.com --password-stdin", 0,
            "ended all sign-ins of a@example.com"
          ),
          (Self.check, 1, "session.ended"), (Self.keep, 0, ""), (Self.check, 0, "a@example.com"),
          ("$regctl account sign-out a@example.com", 0, "ended all sign-ins of a@example.com"),
          (Self.check, 1, "This sign-in is no longer valid"), (Self.keep, 0, ""),
          ("$regctl account sign-out $(cat id)", 0, "ended all sign-ins of "), (Self.check, 1, "session.ended"),
          ("$regctl account sign-out b@example.com", 1, "account.notFound"),
          ("echo 'a fine phrase' | $regctl sign-out a@example.com --password-stdin --json", 0, "\"stamp\":\""),
          ("LC_ALL=es_ES.UTF-8 $regctl account sign-out a@example.com", 0, "a@example.com"),
          ("$regctl events --list", 0, "  account.signedOut  a@example.com"),
          ("$regctl events --list --json | grep -cF \"$(cat stamp)\"", 1, "0"),
          ("$regctl logout", 2, "did you mean \"sign-out\"?"),
        ], regd.socket, in: regd.directory)
    }
  }
}
