/// Looks after a regd that was connected to and says nothing: systemd holds its socket also where it cannot start.
package struct Patience: Sendable {
  /// How long a connection has been silent at each look, in order.
  let looks: [Duration]
  /// Called at each look with its number, from 0, and the process that listens.
  ///
  /// - Returns: Why waiting on is of no use; nil to wait on.
  let look: @Sendable (_ number: Int, _ listener: Int32?) -> RegdClientFailure?

  package init(
    looks: [Duration], look: @escaping @Sendable (_ number: Int, _ listener: Int32?) -> RegdClientFailure?
  ) {
    (self.looks, self.look) = (looks, look)
  }
}
