internal import Synchronization

/// Records that something has happened, so that only the first of several tasks acts on it.
final class Flag: Sendable {
  private let isUp = Atomic<Bool>(false)

  /// - Returns: Whether this was the first time.
  func raise() -> Bool { !isUp.exchange(true, ordering: .relaxed) }
}
