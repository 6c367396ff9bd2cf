/// Work that a dialogue cannot do by itself: the connection has it done elsewhere, and brings the answer back.
package struct Question: Sendable {
  /// Waits until the user may begin one more piece of work.
  package typealias Turn = @Sendable () async -> Void

  package enum Work: Sendable {
    /// Computes for long: done on a worker thread, without a deadline.
    case computing(@Sendable () -> any Sendable)
    /// Waits: done as a task on the pool.
    case waiting(@Sendable (_ turn: @escaping Turn) async -> any Sendable)
    /// Works only briefly between waits, so it runs on the connection's event loop, which saves thread switches.
    case lookingUp(@Sendable (_ turn: @escaping Turn) async -> any Sendable)
  }

  /// Unique among the dialogue's questions without an answer.
  package let number: Int
  package let work: Work

  package init(_ number: Int, _ work: Work) { (self.number, self.work) = (number, work) }
}
