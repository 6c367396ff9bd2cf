import Glibc
import Linux
import TestDoubles
import TestKit
import Testing

@testable import Daemon

@Suite("Names of instances, for leases")
struct InstanceNameTests {
  @Test("two instances with one host name and socket path have different names, and a restart keeps the name")
  func names() async throws {
    try await withTemporaryDirectory { directory in
      for name in ["one", "other"] { try FileSystem.makeDirectory("\(directory)/\(name)") }
      // One path leads to two directories, as in two containers.
      let path = "\(directory)/run/regd.sock"
      func name(in place: String, boot: String) throws -> String {
        #expect(symlink("\(directory)/\(place)", "\(directory)/run") == 0)
        defer { FileSystem.remove("\(directory)/run") }
        return InstanceName.of(path, boot: boot)
      }
      let first = try name(in: "one", boot: "a")
      #expect(first.hasPrefix("\(HostName.own):\(path)#"))
      #expect(try name(in: "one", boot: "a") == first)
      #expect(try name(in: "other", boot: "a") != first)
      #expect(try name(in: "one", boot: "b") != first)
    }
  }
}
