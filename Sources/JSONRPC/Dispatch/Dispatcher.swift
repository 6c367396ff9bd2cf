/// From a text to its replies. Knows no socket; one value serves all connections.
package struct Dispatcher: Sendable {
  private let table: MethodTable
  private let limits: Limits

  /// What becomes of a text.
  package enum Outcome: Sendable {
    /// Nothing is to be sent: a notification, or a batch of them.
    case silent
    /// The reply was written.
    case written
    /// The reply comes later.
    case later(PendingReply)
  }

  package init(table: MethodTable, limits: Limits) {
    self.table = table
    self.limits = limits
  }

  /// Reads one text and answers it: at once where that needs no waiting, into `writer`.
  ///
  /// - Parameters:
  ///   - text: One framed text, valid during the call.
  ///   - refusal: An error that every request gets instead of being done, as while draining.
  ///   - tape: Room for the reader, used again and again.
  package func dispatch(
    _ text: UnsafeRawBufferPointer, from caller: Caller, refusal: RPCError? = nil, tape: inout JSONTape,
    into writer: inout JSONWriter
  ) -> Outcome {
    do {
      return try JSONDocument.read(text, maximumDepth: limits.depth, tape: &tape) { view in
        if view.kind == .array {
          batch(view, from: caller, refusal: refusal, into: &writer)
        } else {
          single(view, from: caller, refusal: refusal, into: &writer)
        }
      }
    } catch {
      Reply.error(RPCError(error)).write(id: .null, to: &writer)
      return .written
    }
  }

  /// The reply to a text that the framing refused.
  package func refuse(_ refusal: MessageFraming.Refusal, into writer: inout JSONWriter) {
    refuse(with: RPCError(refusal), into: &writer)
  }

  /// An error that belongs to no request.
  package func refuse(with error: RPCError, into writer: inout JSONWriter) {
    Reply.error(error).write(id: .null, to: &writer)
  }

  private func single(
    _ view: JSONView, from caller: Caller, refusal: RPCError?, into writer: inout JSONWriter
  ) -> Outcome {
    switch call(view, from: caller, refusal: refusal) {
    case .answered(let id?, let reply):
      reply.write(id: id, to: &writer)
      return .written
    case .answered(nil, _):
      return .silent
    case .working(let id, let work):
      return .later(PendingReply(items: [.working(id, work)], isBatch: false))
    }
  }

  private func batch(
    _ view: JSONView, from caller: Caller, refusal: RPCError?, into writer: inout JSONWriter
  ) -> Outcome {
    var count = 0
    view.forEachElement { _ in count += 1 }
    guard count > 0, count <= limits.batchItems else {
      let error = count == 0 ? RPCError.invalidRequest("the batch is empty") : .batchTooLarge(limit: limits.batchItems)
      Reply.error(error).write(id: .null, to: &writer)
      return .written
    }
    var items: [PendingReply.Item] = []
    view.forEachElement { items.append(call($0, from: caller, refusal: refusal)) }
    let pending = PendingReply(items: items, isBatch: true)
    guard pending.isFinished else { return .later(pending) }
    return pending.write(to: &writer) ? .written : .silent
  }

  private func call(_ view: JSONView, from caller: Caller, refusal: RPCError?) -> PendingReply.Item {
    let message: Message
    switch Message.read(view) {
    case .success(let read): message = read
    case .failure(let invalid): return .answered(invalid.id, .error(invalid.error))
    }
    if let refusal { return .answered(message.id, .error(refusal)) }
    guard let method = table.find(message.method) else {
      return .answered(message.id, .error(.methodNotFound(message.method.excerpt)))
    }
    switch Parameters.read(message.params, as: method.parameters) {
    case .failure(let error):
      return .answered(message.id, .error(error))
    case .success(let parameters):
      switch method.behaviour {
      case .immediate(let answer): return .answered(message.id, answer(parameters, caller))
      case .suspending(let begin): return .working(message.id, begin(parameters, caller))
      }
    }
  }
}
