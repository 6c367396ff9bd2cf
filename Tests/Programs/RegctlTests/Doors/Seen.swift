import Synchronization

/// Texts in the order of their arrival.
final class Seen: Sendable {
  private let texts = Mutex<[String]>([])

  func add(_ text: String) { texts.withLock { $0.append(text) } }

  var last: String? { texts.withLock { $0.last } }

  /// All texts since the last call.
  func take() -> [String] {
    texts.withLock { texts in
      defer { texts = [] }
      return texts
    }
  }
}
