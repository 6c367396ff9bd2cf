internal import Localization
internal import Synchronization

/// A batch in flight: the answers to its items so far, and the next item. A long batch takes many turns of the
/// connection on the event loop, and each continues where the previous one stopped.
struct Batch {
  /// The tape index of the next item. `end` is the index after the last item.
  private var place: Int
  private let end: Int
  private(set) var items: [PendingReply.Item] = []
  /// The ids of the items. An id that occurs twice is refused.
  private(set) var ids = Set<RequestID>()
  /// Bytes of the responses that are ready.
  private(set) var bytes = 0
  /// Bytes of params that are kept for items which are answered later.
  private(set) var heldBytes = 0
  /// The work that the batch's items have begun, by id, so that a later item can cancel it.
  private(set) var begun: [RequestID: PendingWork] = [:]

  /// - Parameter view: An array of `count` elements.
  init(_ view: JSONView, count: Int) {
    (place, end) = (view.index &+ 1, Int(view.node.next))
    items.reserveCapacity(count)
  }

  var isAtEnd: Bool { place >= end }

  /// Whether any item is answered later.
  private(set) var isWorking = false
  /// Whether every item that is answered later is a mere look-up (`Method.Behaviour.lookingUp`).
  private(set) var isLookUp = true

  /// - Returns: The next item, read from `view`, the array with which the batch was made, or nil after the last.
  mutating func next(of view: JSONView) -> JSONView? {
    guard place < end else { return nil }
    let element = view.at(place)
    place = Int(element.node.next)
    return element
  }

  /// - Returns: Whether the batch has no other item with this id.
  mutating func insert(_ id: RequestID) -> Bool { ids.insert(id).inserted }

  /// Appends an item that has no response.
  mutating func append() { items.append(.silent) }

  /// - Parameters:
  ///   - limit: The most bytes that all responses may have together.
  ///   - language: The language of the error that replaces a response beyond the limit.
  mutating func append(response: [UInt8], id: () -> RequestID?, limit: Int, in language: () -> Language) {
    bytes += response.count
    items.append(.answered(PendingReply.bounded(response, id(), bytes, limit, in: language)))
  }

  mutating func append(
    _ work: @escaping Method.Work, id: RequestID?, method: Int, language: String?, heldBytes: Int, isLookUp: Bool
  ) {
    let work = PendingWork(work)
    if let id { begun[id] = work }
    self.heldBytes += heldBytes
    isWorking = true
    self.isLookUp = self.isLookUp && isLookUp
    items.append(.working(id, work, method: method, language: language))
  }

  /// Gives the items that were to be answered later a response instead of work. No work of a batch has begun before its
  /// last item is read.
  ///
  /// - Parameter response: Returns the response to the item with this id, method and language. Ignored for a notification,
  ///   whose id is nil.
  mutating func refuseWork(_ response: (RequestID?, _ method: Int, _ language: String?) -> [UInt8]) {
    for (index, item) in items.enumerated() {
      guard case .working(let id, _, let method, let language) = item else { continue }
      let text = response(id, method, language)
      items[index] = id == nil ? .silent : .answered(text)
      bytes += text.count
    }
    (isWorking, heldBytes, begun) = (false, 0, [:])
  }
}

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
