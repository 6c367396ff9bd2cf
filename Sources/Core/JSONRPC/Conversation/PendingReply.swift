internal import Sentences
internal import Tracing

/// A reply that waits for work: of one request, or of a whole batch, whose replies go out together in its order.
package struct PendingReply: Sendable {
  enum Item: Sendable {
    /// A notification that was done.
    case silent
    /// A response object.
    case answered([UInt8])
    /// A nil id belongs to a notification: its reply is never sent. `language` is what the request has asked for.
    case working(RequestID?, PendingWork, method: Int, language: String?)
  }

  /// Unique in its conversation.
  package let number: Int
  let items: [Item]
  /// Of all its requests, also of those that are answered: their replies have not been sent.
  let ids: [RequestID]
  let isBatch: Bool
  /// Bytes of params that are kept for it until it is complete.
  let heldBytes: Int
  /// Whether what is being worked on are look-ups only (`Method.Behaviour.lookingUp`): it may go on on an event loop.
  package let isLookUp: Bool
  private let responseBytes: Int
  private let dispatcher: Dispatcher
  private let session: Session
  private let begun: ContinuousClock.Instant

  init(
    number: Int, items: [Item], ids: [RequestID], isBatch: Bool, responseBytes: Int, heldBytes: Int,
    isLookUp: Bool, dispatcher: Dispatcher, session: Session
  ) {
    self.dispatcher = dispatcher
    self.session = session
    begun = .now
    self.number = number
    self.items = items
    self.ids = ids
    self.isBatch = isBatch
    self.heldBytes = heldBytes
    self.isLookUp = isLookUp
    self.responseBytes = responseBytes
  }

  /// Bytes of responses that wait for the others of the batch.
  var bytes: Int { items.reduce(0) { if case .answered(let response) = $1 { $0 + response.count } else { $0 } } }

  /// How many requests are being worked on.
  package var requestCount: Int {
    items.reduce(0) { count, item in if case .working = item { count + 1 } else { count } }
  }

  /// Cancels what is being worked on.
  package func cancel(_ reason: Cancellation.Reason) {
    for case .working(_, let work, _, _) in items { work.cancel(reason) }
  }

  /// Does the work and writes the reply without any framing.
  ///
  /// - Parameters:
  ///   - width: How many of a batch's items are worked on side by side.
  ///   - turn: Waits until the user may begin one more; the first needs none.
  /// - Returns: Nil where nothing is to be sent.
  package func finish(width: Int, turn: @Sendable () async -> Void = {}) async -> [UInt8]? {
    if !isBatch, case .working(let id, let work, let method, let language) = items.first {
      let reply = await reply(of: work, method)
      return id.map { response(reply, $0, language) }
    }
    var finished = items
    var bytes = bytes
    let limit = responseBytes
    func finish(_ done: Finished) {
      bytes += done.response.count
      let response =
        done.isDone ? done.response : Self.bounded(done.response, done.id, bytes, limit) { session.language() }
      finished[done.index] = done.id == nil ? .silent : .answered(response)
    }
    await withTaskGroup(of: Finished.self) { group in
      var running = 0
      for (index, item) in items.enumerated() {
        guard case .working(let id, let work, let method, let language) = item else { continue }
        if running >= width, let done = await group.next() { finish(done) }
        if running > 0 { await turn() }
        group.addTask {
          let reply = await reply(of: work, method)
          let response = id.map { self.response(reply, $0, language) } ?? []
          return Finished(index: index, id: id, response: response, isDone: reply.isDone)
        }
        running += 1
      }
      for await done in group { finish(done) }
    }
    var writer = JSONWriter()
    return Self.write(finished, to: &writer) ? writer.bytes : nil
  }

  /// An item of a batch with its response.
  private struct Finished: Sendable {
    let index: Int
    let id: RequestID?
    let response: [UInt8]
    /// It is sent whatever its size.
    let isDone: Bool
  }

  /// Does the work of one request under an id of its own.
  private func reply(of work: PendingWork, _ method: Int) async -> Reply {
    let trace = Trace(
      of: dispatcher.table.methods[method].name, by: Trace.Caller(uid: session.caller.uid, pid: session.caller.pid))
    return await Trace.$current.withValue(trace) {
      let reply = await work.run()
      observe(reply, method)
      return reply
    }
  }

  private func observe(_ reply: Reply, _ method: Int) {
    guard let observer = dispatcher.observer else { return }
    if case .error(let error) = reply {
      observer.refused(method, error.reason, by: session.caller)
    } else {
      observer.answered(method, count: 1)
    }
    observer.took(method, .now - begun)
  }

  /// Bytes of a response that is sent even if the batch has no room: what was done must not be answered as if it were not.
  private static let smallResponse = 4096

  /// A response of a batch, or that there is no room left for it.
  ///
  /// - Parameter total: Bytes of all responses of the batch so far, with this one.
  static func bounded(
    _ response: [UInt8], _ id: @autoclosure () -> RequestID?, _ total: Int, _ limit: Int, in language: () -> Language
  ) -> [UInt8] {
    guard total > limit, response.count > smallResponse else { return response }
    var writer = JSONWriter()
    Response.write(.responseTooLarge(limit: limit), id: (id() ?? .null).source, in: language(), to: &writer)
    return writer.bytes
  }

  /// - Parameter asked: The language that the request has asked for.
  private func response(_ reply: Reply, _ id: RequestID, _ asked: String?) -> [UInt8] {
    var writer = JSONWriter()
    reply.write(id: id, limit: responseBytes, in: { session.language(for: asked, or: $0) }, to: &writer)
    return writer.bytes
  }

  /// The reply to a batch whose items are done.
  ///
  /// - Returns: Whether there was anything to write (JSON-RPC 2.0 §6 has no empty array).
  static func write(_ items: [Item], to writer: inout JSONWriter) -> Bool {
    var count = 0
    writer.append(UInt8(ascii: "["))
    for case .answered(let response) in items {
      if count > 0 { writer.append(UInt8(ascii: ",")) }
      count += 1
      writer.beginText()
      writer.raw(response)
    }
    writer.append(UInt8(ascii: "]"))
    return count > 0
  }
}
