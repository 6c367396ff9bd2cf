internal import Synchronization

/// The items of a batch while several tasks work on them. Each item becomes its response as soon as the response is
/// ready, so that the reply can be sent at the deadline although one item still hangs.
final class BatchAnswers: Sendable {
  private struct Guarded {
    var items: [PendingReply.Item]
    var bytes: Int
  }

  private let guarded: Mutex<Guarded>

  init(_ items: [PendingReply.Item]) {
    let bytes = items.reduce(0) { if case .answered(let response) = $1 { $0 + response.count } else { $0 } }
    guarded = Mutex(Guarded(items: items, bytes: bytes))
  }

  var items: [PendingReply.Item] { guarded.withLock(\.items) }

  /// Counts the bytes of one more response.
  ///
  /// - Returns: The bytes of all responses so far.
  func add(_ count: Int) -> Int {
    guarded.withLock {
      $0.bytes += count
      return $0.bytes
    }
  }

  func set(_ item: PendingReply.Item, at index: Int) { guarded.withLock { $0.items[index] = item } }
}
