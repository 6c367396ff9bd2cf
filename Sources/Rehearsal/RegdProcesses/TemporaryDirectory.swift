package import Linux

/// A directory for one use.
package enum TemporaryDirectory {
  /// Calls `body` with a new directory that only this user can enter, and removes it and its files afterwards.
  package static func with<Value>(_ body: (String) throws -> Value) throws -> Value {
    let path = try make()
    defer { FileSystem.removeDirectory(path) }
    return try body(path)
  }

  /// The caller removes it. Its path is short, for the sockets in it.
  package static func make() throws(SystemError) -> String { try FileSystem.makeTemporaryDirectory("/tmp/regd-") }
}
