/// A part of the process that must go round, such as an event loop or the queue of a thread.
package struct Pulse: Sendable {
  /// What it is, for an operator: "the store's writer".
  package let name: String
  /// Has the part answer as soon as it goes round. Returns at once; the answer may come on any thread, and more than once.
  package let ask: @Sendable (_ answered: @escaping @Sendable () -> Void) -> Void

  package init(
    _ name: String, ask: @escaping @Sendable (_ answered: @escaping @Sendable () -> Void) -> Void
  ) {
    self.name = name
    self.ask = ask
  }
}
