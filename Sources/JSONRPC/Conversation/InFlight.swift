/// The requests of one connection that have no reply yet.
struct InFlight: Sendable {
  private var replies: [Int: PendingReply] = [:]
  private var ids: [RequestID: Cancellation] = [:]
  private var next = 0
  /// Requests, a batch's counted singly.
  private(set) var count = 0

  var isEmpty: Bool { replies.isEmpty }

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
    for case .working(let id?, _, let cancellation) in reply.items { ids[id] = cancellation }
  }

  mutating func end(_ reply: PendingReply) {
    guard replies.removeValue(forKey: reply.number) != nil else { return }
    count -= reply.requestCount
    for case .working(let id?, _, _) in reply.items { ids[id] = nil }
  }

  /// Cancels the request with this id; what is not there is cancelled in silence.
  func cancel(_ id: JSONView) {
    if let id = RequestID(id) { ids[id]?.cancel(.caller) }
  }

  func cancelAll(_ reason: Cancellation.Reason) {
    for reply in replies.values { reply.cancel(reason) }
  }
}
