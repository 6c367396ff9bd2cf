import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// Command lines of the commands for claims and account owners, without a connection to regd.
@Suite("regctl and codes: the command line", .blocking, .timeLimit(.minutes(10)))
struct ClaimUsageTests {
  @Test(
    "a contradictory command line causes exit status 2 and an error with the correct usage",
    arguments: [
      ("echo x | $regctl register a@b.cc --password-stdin --code 1", "--code needs --request-id"),
      (
        "echo x | $regctl register a@b.cc --password-stdin --code 1 --request-id r --no-wait",
        "--no-wait and --code cannot be combined"
      ),
      ("$regctl recover", "give either the address of the account, or --claim"),
      ("$regctl recover a@b.cc --claim 4f", "give either the address of the account, or --claim"),
      ("$regctl recover a@b.cc --code 1", "--code needs --claim"),
      ("$regctl recover --claim 4f --no-wait", "apply only to a new recovery"),
      ("$regctl recover --claim 4f --language en", "apply only to a new recovery"),
      ("$regctl password a@b.cc --password-stdin </dev/null", "ended before the line with the password"),
      ("echo old | $regctl password a@b.cc --password-stdin", "ended before the line with the new password"),
      ("printf '\\377\\n' | $regctl my-data a@b.cc --password-stdin", "the password on standard input is not UTF-8"),
      ("setsid $regctl unregister a@b.cc", "use --password-stdin"), ("$regctl email a@b.cc", "new"),
      ("$regctl claim prove", "id"), ("$regctl mail discard", "id"), ("$regctl mail list --limit x", "limit"),
    ])
  func usage(_ command: String, _ says: String) throws {
    let (status, output) = try Shell.run(command, "/nonexistent/s")
    #expect(status == 2, "\(command): \(output)")
    #expect(output.contains(says), "\(command): \(output)")
  }
}
