internal import Sentences

/// A batch under way: the answers to its items so far, and which item is next. A long batch takes many turns, and continues
/// in each where the one before has stopped.
struct Batch {
  /// The next item's place on the text's tape, and the place behind the last one.
  private var place: Int
  private let end: Int
  private(set) var items: [PendingReply.Item] = []
  /// Of its items, none twice.
  private(set) var ids = Set<RequestID>()
  /// Bytes of the responses that are ready.
  private(set) var bytes = 0
  /// Bytes that items which take time keep of their params.
  private(set) var heldBytes = 0
  /// The work that its items have begun, by id: a later item may cancel it.
  private(set) var begun: [RequestID: PendingWork] = [:]

  /// - Parameter view: An array of `count` elements.
  init(_ view: JSONView, count: Int) {
    (place, end) = (view.index &+ 1, Int(view.node.next))
    items.reserveCapacity(count)
  }

  var isAtEnd: Bool { place >= end }

  /// Whether anything of it takes time.
  private(set) var isWorking = false
  /// Whether all that takes time looks something up.
  private(set) var isLookUp = true

  /// - Returns: The next item of the text that the batch was made of; nil behind the last.
  mutating func next(of view: JSONView) -> JSONView? {
    guard place < end else { return nil }
    let element = view.at(place)
    place = Int(element.node.next)
    return element
  }

  /// - Returns: Whether no other item has this id.
  mutating func insert(_ id: RequestID) -> Bool { ids.insert(id).inserted }

  /// An item that has no response.
  mutating func append() { items.append(.silent) }

  /// - Parameters:
  ///   - limit: Bytes that all responses may have together.
  ///   - language: Of the error, where they have more.
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
}
