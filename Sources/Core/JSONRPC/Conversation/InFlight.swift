/// The requests of one connection that have no reply yet, and those whose work continues although the caller has the
/// reply.
struct InFlight: Sendable {
  private var replies: [Int: PendingReply] = [:]
  /// The replies that the caller has already got, because their time was up. Their work still counts for the user.
  private var told: Set<Int> = []
  /// The work of each request, by its id, or nil for an item of a batch that has its answer and waits for the other
  /// items.
  private var ids: [RequestID: PendingWork?] = [:]
  private var next = 0
  /// Requests whose work has not ended and that have no reply yet. Each item of a batch counts as one.
  private(set) var count = 0
  /// Requests whose work has not ended although the caller has the reply.
  private(set) var toldCount = 0
  /// Bytes of responses that wait for the rest of their batch.
  private(set) var bytes = 0

  mutating func number() -> Int {
    next += 1
    return next
  }

  /// Whether a request with this id has no reply yet.
  func has(_ id: JSONView) -> Bool {
    guard !ids.isEmpty, let id = RequestID(id) else { return false }
    return ids[id] != nil
  }

  mutating func begin(_ reply: PendingReply) {
    replies[reply.number] = reply
    count += reply.requestCount
    bytes += reply.bytes
    for id in reply.ids { ids[id] = .some(nil) }
    for case .working(let id?, let work, _, _) in reply.items { ids[id] = work }
  }

  /// Ends the reply, because its work has ended.
  ///
  /// - Returns: Whether the caller awaits the reply.
  mutating func end(_ reply: PendingReply) -> Bool {
    guard replies.removeValue(forKey: reply.number) != nil else { return false }
    if !told.isEmpty, told.remove(reply.number) != nil {
      toldCount -= reply.requestCount
      return false
    }
    release(reply)
    return true
  }

  /// Notes that the caller gets the reply before its work has ended. Its ids are free again.
  mutating func tell(_ reply: PendingReply) {
    told.insert(reply.number)
    toldCount += reply.requestCount
    release(reply)
  }

  private mutating func release(_ reply: PendingReply) {
    count -= reply.requestCount
    bytes -= reply.bytes
    for id in reply.ids { ids[id] = nil }
  }

  /// The reply with this number, or nil once it has ended.
  func reply(_ number: Int) -> PendingReply? { replies[number] }

  /// Cancels the request with this id, if it is in flight.
  func cancel(_ id: JSONView) {
    if let id = RequestID(id), case .some(let work?) = ids[id] { work.cancel(.caller) }
  }

  /// The reply with this number, if the caller awaits it.
  func awaitedReply(_ number: Int) -> PendingReply? { told.contains(number) ? nil : replies[number] }

  /// The replies that the caller awaits, the oldest first.
  var awaited: [PendingReply] { replies.keys.sorted().compactMap { awaitedReply($0) } }

  func cancelAll(_ reason: Cancellation.Reason) {
    for reply in replies.values { reply.cancel(reason) }
  }
}
