internal import Localization
internal import Synchronization
internal import Tracing
internal import WireProtocols

/// A reply that waits for work. It is the reply to one request, or to a batch, whose responses are sent together in the order
/// of its items.
package struct PendingReply: Sendable {
  enum Item: Sendable {
    /// A notification that is done.
    case silent
    /// A response object, ready to send.
    case answered([UInt8])
    /// The work of an item. If the id is nil, the item is a notification and gets no reply. `language` is the language that the
    /// request asked for.
    case working(RequestID?, PendingWork, method: Int, language: String?)
  }

  /// Unique within the conversation.
  package let number: Int
  let items: [Item]
  /// The ids of all requests of the reply, even of those that are answered, because their responses have not been sent yet.
  let ids: [RequestID]
  let isBatch: Bool
  /// Bytes of params that count against the user's limit of held bytes until the reply is complete.
  let heldBytes: Int
  /// Whether all work of the reply is mere look-ups (`Method.Behaviour.lookingUp`), which may run on an event loop.
  package let isLookUp: Bool
  private let responseBytes: Int
  /// The responses to the items of a batch, as far as they are ready, or nil if the reply is to a single request.
  private let answers: BatchAnswers?
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
    answers = isBatch ? BatchAnswers(items) : nil
  }

  /// Bytes of responses that wait for the rest of the batch.
  var bytes: Int { items.reduce(0) { if case .answered(let response) = $1 { $0 + response.count } else { $0 } } }

  /// How many requests are still being worked on.
  package var requestCount: Int {
    items.reduce(0) { count, item in if case .working = item { count + 1 } else { count } }
  }

  /// Cancels the work that has not ended.
  package func cancel(_ reason: Cancellation.Reason) {
    for case .working(_, let work, _, _) in items { work.cancel(reason) }
  }

  /// The reply without framing if it is certain before the work ends, because each request has its response or was
  /// cancelled before it began to commit.
  ///
  /// - Returns: Nil if the reply is not certain yet. Otherwise the reply, which is nil if nothing is to be sent.
  func decided() -> [UInt8]?? {
    guard let answers else {
      guard case .working(let id, let work, _, let language)? = items.first, let reply = work.decided else {
        return nil
      }
      return .some(id.map { response(reply, $0, language) })
    }
    var whole = answers.items
    for (index, item) in whole.enumerated() {
      guard case .working(let id, let work, _, let language) = item else { continue }
      guard let reply = work.decided else { return nil }
      whole[index] = id.map { .answered(response(reply, $0, language)) } ?? .silent
    }
    var writer = JSONWriter()
    return .some(Self.write(whole, to: &writer) ? writer.bytes : nil)
  }

  /// Does the work and returns the reply without framing.
  ///
  /// - Parameters:
  ///   - width: The most items of a batch that are worked on concurrently.
  ///   - turn: Waits until the user may begin one more item. Not called for the first item.
  /// - Returns: The reply, or nil if nothing is to be sent.
  package func finish(width: Int, turn: @Sendable () async -> Void = {}) async -> [UInt8]? {
    if !isBatch, case .working(let id, let work, let method, let language) = items.first {
      let reply = await reply(of: work, method)
      return id.map { response(reply, $0, language) }
    }
    guard let answers else { return nil }
    await withTaskGroup(of: Void.self) { group in
      var running = 0
      for (index, item) in items.enumerated() {
        guard case .working(let id, let work, let method, let language) = item else { continue }
        if running >= width { _ = await group.next() }
        if running > 0 { await turn() }
        group.addTask {
          let reply = await reply(of: work, method)
          guard let id else { return answers.set(.silent, at: index) }
          let response = self.response(reply, id, language)
          let total = answers.add(response.count)
          // an action that was done is reported whatever the size of its response
          let sent =
            reply.isDone ? response : Self.bounded(response, id, total, responseBytes) { session.language() }
          answers.set(.answered(sent), at: index)
        }
        running += 1
      }
    }
    var writer = JSONWriter()
    return Self.write(answers.items, to: &writer) ? writer.bytes : nil
  }

  /// Does the work of one request under a trace id of its own.
  private func reply(of work: PendingWork, _ method: Int) async -> Reply {
    let trace = Trace(
      of: dispatcher.table.methods[method].name, by: Trace.Peer(uid: session.caller.uid, pid: session.caller.pid))
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

  /// A response of at most this many bytes is sent even if the batch has no room. Otherwise a completed action would be
  /// reported as failed.
  private static let smallResponse = 4096

  /// The response of a batch's item, or an error if the batch has no room for the response.
  ///
  /// - Parameter total: Bytes of all responses of the batch so far, including this one.
  static func bounded(
    _ response: [UInt8], _ id: @autoclosure () -> RequestID?, _ total: Int, _ limit: Int, in language: () -> Language
  ) -> [UInt8] {
    guard total > limit, response.count > smallResponse else { return response }
    var writer = JSONWriter()
    Response.write(.responseTooLarge(limit: limit), id: (id() ?? .null).source, in: language(), to: &writer)
    return writer.bytes
  }

  /// - Parameter asked: The language that the request asked for.
  private func response(_ reply: Reply, _ id: RequestID, _ asked: String?) -> [UInt8] {
    var writer = JSONWriter()
    reply.write(id: id, limit: responseBytes, in: { session.language(for: asked, or: $0) }, to: &writer)
    return writer.bytes
  }

  /// Writes the reply to a batch whose items are all done.
  ///
  /// - Returns: False if no item has a response. Nothing may be sent then, because JSON-RPC 2.0 §6 forbids an empty
  ///   array.
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

/// The work of one request. Its closure is released when the work ends, or when the work is cancelled before it begins.
/// The objects that the closure holds are then released too, even if the rest of a batch continues.
final class PendingWork: Sendable {
  private let cancellation = Cancellation()
  /// The closure of the work, or nil once the work has begun or is cancelled.
  private let work: Mutex<Method.Work?>

  init(_ work: @escaping Method.Work) { self.work = Mutex(work) }

  func cancel(_ reason: Cancellation.Reason) {
    // sets the reason first, because a concurrent `run` that finds no closure needs it
    cancellation.cancel(reason)
    // released outside the lock, because a deinit may call the session
    let notBegun = work.withLock { $0.take() }
    withExtendedLifetime(notBegun) {}
  }

  /// The reply, if it is certain before the work returns: the request was cancelled before it began to commit.
  var decided: Reply? { cancellation.decided }

  /// Does the work. Call it once.
  func run() async -> Reply {
    guard let work = work.withLock({ $0.take() }) else { return await cancellation.run { _ in .error(.cancelled) } }
    return await cancellation.run(work)
  }
}
