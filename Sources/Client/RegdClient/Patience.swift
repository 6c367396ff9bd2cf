/// Checks during the wait for a silent regd whether waiting is pointless: perhaps regd cannot start, while systemd
/// keeps its socket open.
package struct Patience: Sendable {
  /// The durations of silence after which to check, in order.
  let looks: [Duration]
  /// Called at each check with its number, from 0, and the listening process.
  ///
  /// - Returns: Why further waiting is pointless, or nil to keep waiting.
  let look: @Sendable (_ number: Int, _ listener: Int32?) -> RegdClientFailure?

  package init(
    looks: [Duration], look: @escaping @Sendable (_ number: Int, _ listener: Int32?) -> RegdClientFailure?
  ) {
    (self.looks, self.look) = (looks, look)
  }
}
