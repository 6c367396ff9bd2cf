/// The requests of one connection that have no reply yet.
struct InFlight: Sendable {
  private var replies: [Int: PendingReply] = [:]
  /// The work of each request, by its id; nil for an item of a batch that is answered and waits for the rest of its batch.
  private var ids: [RequestID: PendingWork?] = [:]
  private var next = 0
  /// Requests that are still worked on; each item of a batch counts as one.
  private(set) var count = 0
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

  mutating func end(_ reply: PendingReply) {
    guard replies.removeValue(forKey: reply.number) != nil else { return }
    count -= reply.requestCount
    bytes -= reply.bytes
    for id in reply.ids { ids[id] = nil }
  }

  /// The reply with this number; nil once it has ended.
  func reply(_ number: Int) -> PendingReply? { replies[number] }

  /// Cancels the request with this id, if it is in flight.
  func cancel(_ id: JSONView) {
    if let id = RequestID(id), case .some(let work?) = ids[id] { work.cancel(.caller) }
  }

  func cancel(_ number: Int, _ reason: Cancellation.Reason) { replies[number]?.cancel(reason) }

  func cancelAll(_ reason: Cancellation.Reason) {
    for reply in replies.values { reply.cancel(reason) }
  }
}
