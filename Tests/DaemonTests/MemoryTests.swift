import CLinux
import Glibc
import Matrix
import RegdClient
import TestKit
import Testing

/// Passwords are wiped after use: they are nowhere in the memory of a regd that has used them.
@Suite("Memory")
struct MemoryTests {
  @Test("the search finds what is there")
  func search() throws {
    try withRegd { regd in
      let isFound = try find(regd.socket, in: regd.process.pid)
      #expect(isFound)
    }
  }

  @Test("no password is left in memory", arguments: ["plain", "e\u{301}te\u{301}"])
  func passwords(_ suffix: String) throws {
    let secret = "zqx-" + "secret-of-the-memory-test-" + suffix
    try withRegd { regd in
      let connection = try regd.connect()
      for (method, params) in [
        ("registration.validate", [secret, secret]), ("registration.register", [secret, secret]),
        ("registration.register", [secret, secret + "x"]), ("session.signIn", [secret]),
        ("session.signIn", [secret + "x"]),
      ] {
        let values = (["a@example.com"] + params).map { "\"\($0)\"" }.joined(separator: ",")
        let request = Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\",\"params\":[\(values)]}\n".utf8)
        // in two pieces, so that the first is held; a reply to a ping says that it was read
        try connection.send(Array("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"rpc.ping\"}".utf8) + request.dropLast(8))
        _ = try connection.receiveLine()
        try connection.send(Array(request.suffix(8)))
        let line = try #require(try connection.receiveLine())
        let reply = JSONValue(line)
        #expect(reply?["id"]?.integer == 1)
      }
      // what a task held goes with the task, which may be a moment after its reply
      let pattern = "zqx-secret-of-the-memory-test-"
      var isLeft = true
      for _ in 0..<1000 where isLeft {
        _ = try regd.client().call("rpc.ping")
        isLeft = try find(pattern, in: regd.process.pid)
      }
      #expect(!isLeft)
    }
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
