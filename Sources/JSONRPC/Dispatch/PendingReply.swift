/// A reply that waits for work: of one request, or of a whole batch, whose replies go out together in its order.
package struct PendingReply: Sendable {
  enum Item: Sendable {
    /// A nil id belongs to a notification: its reply is never sent.
    case answered(RequestID?, Reply)
    case working(RequestID?, Method.Work)
  }

  let items: [Item]
  let isBatch: Bool

  /// How many requests are being worked on.
  package var requestCount: Int { items.count }

  var isFinished: Bool {
    items.allSatisfy { if case .answered = $0 { true } else { false } }
  }

  /// Does the work, a batch's items side by side, and writes the replies without any framing.
  ///
  /// - Returns: Nil where nothing is to be sent.
  package func finish() async -> [UInt8]? {
    var finished = items
    await withTaskGroup(of: (Int, Item).self) { group in
      for (index, item) in items.enumerated() {
        guard case .working(let id, let work) = item else { continue }
        group.addTask { (index, .answered(id, await work())) }
      }
      for await (index, item) in group { finished[index] = item }
    }
    var writer = JSONWriter()
    return PendingReply(items: finished, isBatch: isBatch).write(to: &writer) ? writer.bytes : nil
  }

  /// - Returns: Whether there was anything to write.
  func write(to writer: inout JSONWriter) -> Bool {
    var replies: [(RequestID, Reply)] = []
    for case .answered(let id?, let reply) in items { replies.append((id, reply)) }
    guard !replies.isEmpty else { return false }
    if isBatch {
      writer.array { writer in
        for (id, reply) in replies { reply.write(id: id, to: &writer) }
      }
    } else {
      for (id, reply) in replies { reply.write(id: id, to: &writer) }
    }
    return true
  }
}
