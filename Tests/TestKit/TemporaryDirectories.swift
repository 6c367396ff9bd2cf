internal import RegdProcesses

/// A directory for one use, gone afterwards, for a body that waits.
package func withTemporaryDirectory(_ body: (String) async throws -> Void) async throws {
  let path = try TemporaryDirectory.make()
  do {
    try await body(path)
  } catch {
    TemporaryDirectory.remove(path)
    throw error
  }
  TemporaryDirectory.remove(path)
}
