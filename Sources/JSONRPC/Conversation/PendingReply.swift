/// A reply that waits for work: of one request, or of a whole batch, whose replies go out together in its order.
package struct PendingReply: Sendable {
  enum Item: Sendable {
    /// A notification that was done.
    case silent
    /// A response object, and whose it is.
    case answered(RequestID, [UInt8])
    /// A nil id belongs to a notification: its reply is never sent.
    case working(RequestID?, Method.Work, Cancellation)
  }

  /// What the conversation knows it by.
  package let number: Int
  let items: [Item]
  let isBatch: Bool
  private let responseBytes: Int

  init(number: Int, items: [Item], isBatch: Bool, responseBytes: Int) {
    self.number = number
    self.items = items
    self.isBatch = isBatch
    self.responseBytes = responseBytes
  }

  /// How many requests are being worked on.
  package var requestCount: Int {
    items.reduce(0) { count, item in if case .working = item { count + 1 } else { count } }
  }

  /// Cancels what is being worked on.
  package func cancel(_ reason: Cancellation.Reason) {
    for case .working(_, _, let cancellation) in items { cancellation.cancel(reason) }
  }

  /// Does the work and writes the reply without any framing.
  ///
  /// - Parameter width: How many of a batch's items are worked on side by side.
  /// - Returns: Nil where nothing is to be sent.
  package func finish(width: Int) async -> [UInt8]? {
    if !isBatch, case .working(let id, let work, let cancellation) = items.first {
      let reply = await cancellation.run(work)
      return id.map { Self.response(reply, $0, responseBytes) }
    }
    var finished = items
    let limit = responseBytes
    await withTaskGroup(of: (Int, Item).self) { group in
      var running = 0
      for (index, item) in items.enumerated() {
        guard case .working(let id, let work, let cancellation) = item else { continue }
        if running >= width, let (index, item) = await group.next() { finished[index] = item }
        group.addTask {
          let reply = await cancellation.run(work)
          return (index, id.map { .answered($0, Self.response(reply, $0, limit)) } ?? .silent)
        }
        running += 1
      }
      for await (index, item) in group { finished[index] = item }
    }
    var writer = JSONWriter()
    return Self.write(finished, limit: limit, to: &writer) ? writer.bytes : nil
  }

  private static func response(_ reply: Reply, _ id: RequestID, _ limit: Int) -> [UInt8] {
    var writer = JSONWriter()
    reply.write(id: id, limit: limit, to: &writer)
    return writer.bytes
  }

  /// The reply to a batch whose items are done. Where their responses have more than `limit` bytes together, the rest
  /// is told so.
  ///
  /// - Returns: Whether there was anything to write (JSON-RPC 2.0 §6 has no empty array).
  static func write(_ items: [Item], limit: Int, to writer: inout JSONWriter) -> Bool {
    var count = 0
    var bytes = 0
    writer.append(UInt8(ascii: "["))
    for case .answered(let id, let response) in items {
      if count > 0 { writer.append(UInt8(ascii: ",")) }
      count += 1
      bytes += response.count
      writer.beginText()
      if bytes <= limit {
        writer.raw(response)
      } else {
        Response.write(.responseTooLarge(limit: limit), id: id.source, to: &writer)
      }
    }
    writer.append(UInt8(ascii: "]"))
    return count > 0
  }
}
