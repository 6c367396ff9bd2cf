/// Work that a session cannot do itself. The connection has another part do it, and passes the answer to the session.
package struct DeferredWork: Sendable {
  /// Suspends until it is the user's turn: users whose work is queued take turns.
  package typealias Turn = @Sendable () async -> Void

  package enum Kind: Sendable {
    /// Computes for long: done on a worker thread, without a deadline.
    case computing(@Sendable () -> any Sendable)
    /// Suspends for long, for example until the upstream answers: runs as a task on Swift's thread pool.
    case waiting(@Sendable (_ turn: @escaping Turn) async -> any Sendable)
    /// Works only briefly between waits, so it runs on the connection's event loop, which saves thread switches.
    case lookingUp(@Sendable (_ turn: @escaping Turn) async -> any Sendable)
  }

  /// Unique among the session's deferred work. Only work that computes may have the number of an earlier one, because it has
  /// no deadline.
  package let number: Int
  package let kind: Kind

  package init(_ number: Int, _ kind: Kind) { (self.number, self.kind) = (number, kind) }
}
