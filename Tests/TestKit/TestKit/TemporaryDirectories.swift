internal import Linux
internal import RegdProcesses

/// Calls `body` with a new directory, and removes it and its files afterwards.
package func withTemporaryDirectory(_ body: (String) async throws -> Void) async throws {
  let path = try TemporaryDirectory.make()
  defer { FileSystem.removeDirectory(path) }
  try await body(path)
}
