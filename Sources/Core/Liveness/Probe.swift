/// A part of the process that must keep cycling, such as an event loop or a thread's queue, and that the watchdog
/// checks.
package struct Probe: Sendable {
  /// The part's name for an operator, for example "the store's writer".
  package let name: String
  /// Asks the part to answer as soon as it completes a cycle. Returns at once. The answer may come on any thread, and more than
  /// once.
  package let ask: @Sendable (_ answered: @escaping @Sendable () -> Void) -> Void

  package init(
    _ name: String, ask: @escaping @Sendable (_ answered: @escaping @Sendable () -> Void) -> Void
  ) {
    self.name = name
    self.ask = ask
  }
}
