internal import RegdProcesses
package import Testing

/// Fails a suite if a temporary directory, a process, or a server's segment of shared memory of its tests remains at its end.
/// A nested suite inherits the trait.
package struct LeavesNothing: SuiteTrait, TestScoping {
  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws { try await Self.check(function) }

  /// Calls `body`, and records an issue for everything that remains afterwards.
  static func check(_ body: @concurrent @Sendable () async throws -> Void) async throws {
    let leftovers = Leftovers()
    try await Leftovers.$current.withValue(leftovers) { try await body() }
    for remaining in leftovers.remaining() { Issue.record("the suite has left \(remaining)") }
  }
}

extension Trait where Self == LeavesNothing {
  /// For a suite that starts processes or servers, and does not need `.blocking`, which includes this check.
  package static var leavesNothing: Self { LeavesNothing() }
}
