import CLinux
import Glibc
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// Passwords are wiped after use: they are nowhere in the memory of a regd that has used them.
@Suite("Memory", .blocking, .timeLimit(.minutes(10)))
struct MemoryTests {
  @Test("the search finds a text that is in memory")
  func search() throws {
    try withRegd(RunningRegd.shippedHashing) { regd in
      let isFound = try find(regd.socket, in: regd.process.pid)
      #expect(isFound)
    }
  }

  @Test("no password is left in memory", arguments: ["plain", "e\u{301}te\u{301}"], [false, true])
  func passwords(_ suffix: String, withHeaders: Bool) throws {
    let secret = "zqx-" + "secret-of-the-memory-test-" + suffix
    try withRegd(RunningRegd.shippedHashing) { regd in
      let caller = try RawCaller(regd.socket)
      for (method, params) in [
        ("registration.validate", [secret, secret]), ("registration.register", [secret, secret]),
        ("registration.register", [secret, secret + "x"]), ("session.signIn", [secret]),
        ("session.signIn", [secret + "x"]),
      ] {
        let values = (["a@example.com"] + params).map { "\"\($0)\"" }.joined(separator: ",")
        let text = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\",\"params\":[\(values)]}"
        let ping = #"{"jsonrpc":"2.0","id":0,"method":"rpc.ping"}"#
        func framed(_ text: String) -> String {
          withHeaders ? "Content-Length: \(text.utf8.count)\r\n\r\n\(text)" : text
        }
        // In two pieces, so that regd holds the first. The reply to a ping shows that regd has read it. Nothing
        // follows.
        let request = Array(framed(text).utf8)
        try caller.send(Array(framed(ping).utf8) + request.dropLast(8))
        _ = try reply(to: caller)
        try caller.send(Array(request.suffix(8)))
        #expect(try reply(to: caller).contains("\"id\":1"))
      }
      try expectGone("zqx-secret-of-the-memory-test-", from: regd)
    }
  }

  @Test("no password is left of a closed form, of a form whose connection ended, or from an administrator")
  func formsAndAdministrators() throws {
    let secret = "zqx-secret-of-the-memory-test-of-forms"
    try withRegd(RunningRegd.shippedHashing) { regd in
      let client = try regd.client()
      for (form, kind) in [(1, "registration"), (2, "signIn")] {
        _ = try client.call("form.open", ["kind": .string(kind)]).get()
        let fields: [JSONValue.Member] = [
          .init("form", .number("\(form)")), .init("email", "a@example.com"), .init("password", .string(secret)),
          .init("passwordConfirmation", .string(secret)),
        ]
        _ = try client.call("form.set", .object(fields)).get()
        // The search finds the data of a form.
        #expect(try find(secret, in: regd.process.pid))
        let state = try client.call("form.submit", ["form": .number("\(form)")]).get()["state"]
        #expect((state?["registered"] ?? state?["signedIn"])?.bool == true)
        _ = try client.call("form.close", ["form": .number("\(form)")]).get()
      }
      _ = try client.call(
        "account.setPassword",
        ["email": "a@example.com", "password": .string(secret + "2"), "passwordConfirmation": .string(secret + "2")]
      ).get()
      do {
        let other = try regd.client()
        _ = try other.call("form.open", ["kind": "signIn"]).get()
        _ = try other.call("form.set", ["form": .number("1"), "password": .string(secret)]).get()
      }
      try expectGone(secret, from: regd)
    }
  }

  /// A task or a connection may free its data a moment after its reply.
  private func expectGone(_ pattern: String, from regd: RunningRegd) throws {
    var isLeft = true
    for _ in 0..<1000 where isLeft {
      _ = try regd.client().call("rpc.ping")
      isLeft = try find(pattern, in: regd.process.pid)
    }
    #expect(!isLeft)
  }

  /// One reply, however it is framed: none here has a brace in a string.
  private func reply(to caller: RawCaller) throws -> String {
    var text = ""
    while text.isEmpty || text.count(where: { $0 == "{" }) != text.count(where: { $0 == "}" }) || !text.contains("{") {
      let piece = try caller.read(4096)
      try #require(!piece.isEmpty)
      text += String(decoding: piece, as: UTF8.self)
    }
    return text
  }

  /// Whether `text` is in a process's readable memory.
  private func find(_ text: String, in pid: Int32) throws -> Bool {
    let maps = try #require(TextFile.read("/proc/\(pid)/maps"))
    let memory = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
    try #require(memory >= 0)
    defer { close(memory) }
    let pattern = Array(text.utf8)
    for line in maps.split(separator: "\n") {
      let words = line.split(separator: " ")
      let bounds = words[0].split(separator: "-").compactMap { UInt(String($0), radix: 16) }
      guard words[1].hasPrefix("rw"), bounds.count == 2, bounds[1] - bounds[0] < 1 << 28 else { continue }
      var bytes = [UInt8](repeating: 0, count: Int(bounds[1] - bounds[0]))
      let count = pread(memory, &bytes, bytes.count, off_t(bounds[0]))
      guard count > 0 else { continue }
      let isThere = bytes.withUnsafeBytes { buffer in
        pattern.withUnsafeBytes { linux_memmem(buffer.baseAddress, count, $0.baseAddress, $0.count) != nil }
      }
      if isThere { return true }
    }
    return false
  }
}
