import Synchronization

/// Texts in the order in which they came.
final class Seen: Sendable {
  private let texts = Mutex<[String]>([])

  func add(_ text: String) { texts.withLock { $0.append(text) } }

  var last: String? { texts.withLock { $0.last } }

  /// All since the last call.
  func take() -> [String] {
    texts.withLock { texts in
      defer { texts = [] }
      return texts
    }
  }
}
