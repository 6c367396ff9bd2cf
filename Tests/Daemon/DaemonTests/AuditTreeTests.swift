import Linux
import RegdClient
import RegdProcesses
import TestKit
import Testing

@Suite("The audit's tree in a daemon", .blocking, .timeLimit(.minutes(10)))
struct AuditTreeTests {
  /// RFC 8032, section 7.1, test 1.
  private static let seed = "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A="
  private static let publicKey = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="

  private func key(_ regd: RunningRegd) throws -> String {
    try #require(try regd.client().call("audit.head").get()["key"]?.string)
  }

  @Test("regd does not start with a credential audit-key that is not a key")
  func refused() throws {
    try TemporaryDirectory.with { directory in
      for text in ["x", String(Self.seed.dropLast(4)), Self.seed + Self.seed] {
        try TextFile.write(text, to: "\(directory)/audit-key")
        let (status, output) = try RegdProcess.run(
          program: Places.regd, arguments: ["--config", Places.configuration, "--socket-group", ""],
          environment: ["CREDENTIALS_DIRECTORY": directory], directory: directory)
        #expect(status == 78 && output.contains("audit.key: must be 32 bytes in base64"), "\(text): \(output)")
      }
    }
  }

  @Test("the credential audit-key signs heads while it is given; otherwise the store's own key does, after each start")
  func credential() throws {
    try TemporaryDirectory.with { credentials in
      try withRegd(["CREDENTIALS_DIRECTORY": credentials]) { regd in
        let own = try key(regd)
        #expect(own != Self.publicKey)
        for isGiven in [true, true, false, false] {
          if isGiven {
            try TextFile.write(Self.seed + "\n", to: "\(credentials)/audit-key")
          } else {
            FileSystem.remove("\(credentials)/audit-key")
          }
          try regd.restart(after: 15)
          #expect(try key(regd) == (isGiven ? Self.publicKey : own))
        }
      }
    }
  }

  @Test("status and metrics contain the size of the tree, and when a head was last read, also after a restart")
  func status() throws {
    try withRegd { regd in
      func audit() throws -> JSONValue? { try regd.client().call("daemon.status").get()["audit"] }
      func metrics() throws -> String {
        try regd.client().call("daemon.metrics").get()["text"]?.string ?? ""
      }
      _ = try regd.client().call(
        "account.import", ["records": .array([["email": "a@example.com", "passwordHash": "*"]])]
      ).get()
      try reached { try audit()?["size"]?.integer == 1 }
      #expect(try audit()?["headAt"] == nil)
      let before = try metrics()
      #expect(before.contains("\nregd_audit_size 1") && !before.contains("\nregd_audit_head_age_seconds "))
      let head = try regd.client().call("audit.head").get()
      try reached { try audit()?["headAt"] != nil }
      #expect(try audit()?["headAt"] == head["time"])
      #expect(try metrics().contains("\nregd_audit_head_age_seconds "))
      try regd.restart(after: 9)
      try reached { try audit()?["headAt"] == head["time"] }
    }
  }
}
