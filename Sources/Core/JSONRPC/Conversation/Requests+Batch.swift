internal import Localization
internal import Reasons
internal import WireProtocols

/// Batches (JSON-RPC 2.0 §6): each turn of the connection on the event loop answers some items, and one reply follows
/// the last item.
extension Requests {
  mutating func begin(
    batch view: JSONView, _ output: inout JSONWriter, _ allowance: inout Conversation.Allowance
  ) -> Outcome {
    var count = 0
    view.forEachElement { _ in count += 1 }
    let limit = limits.batchItems
    guard count > 0, count <= limit else {
      allowance.take(max(1, count))
      let error =
        count == 0 ? RPCError.invalidRequest(LocalizedMessage(RPCMessageKey.emptyBatch)) : .batchTooLarge(limit: limit)
      Response.write(error, id: RequestID.null.source, in: session.language(), to: &output)
      return .written
    }
    batch = Batch(view, count: count)
    return goOn(with: view, &output, &allowance)
  }

  /// Answers as many items of the batch in flight as `allowance` allows.
  ///
  /// - Parameter view: The array with which the batch began.
  mutating func goOn(
    with view: JSONView, _ output: inout JSONWriter, _ allowance: inout Conversation.Allowance
  ) -> Outcome {
    var writer = JSONWriter()
    swap(&writer, &scratch)
    defer {
      writer.removeAll()
      swap(&writer, &scratch)
    }
    while batch?.isAtEnd == false {
      // Pauses when the caller must first read the items' notifications. The items' replies wait for the end of the
      // batch anyway. Items that are refused cause no notifications.
      guard allowance.goesOn,
        isRefusing || !session.isWaiting || output.count + session.waitingBytes < allowance.outputBytes
      else { return .unfinished }
      guard let element = batch?.next(of: view) else { break }
      allowance.take(1)
      writer.truncate(to: 0)
      let step = item(element, &writer)
      if case .offloaded(let call) = step {
        quota.begin(1)
        return .offloaded(call)
      }
      // an item with an invalid id is answered too, under the id null
      append(step, id: { element.requestID }, writer)
    }
    return end(&output)
  }

  /// Takes the answer to an offloaded item of the batch.
  mutating func takeItem(_ answer: OffloadedCall.Answer, to call: OffloadedCall) {
    var writer = JSONWriter()
    let step = step(answer, to: call, &writer)
    append(step, id: { call.id }, writer)
  }

  /// Refuses every request from now on, including the items of the batch in flight that have no response yet.
  mutating func end(with error: RPCError) {
    refusal = error
    let (dispatcher, session) = (self.dispatcher, self.session)
    batch?.refuseWork { id, method, language in
      dispatcher.observer?.refused(method, error.reason, by: session.caller)
      var writer = JSONWriter()
      if let id { Response.write(error, id: id.source, in: session.language(for: language), to: &writer) }
      return writer.bytes
    }
  }

  private mutating func append(_ step: Step, id: () -> RequestID?, _ writer: borrowing JSONWriter) {
    switch step {
    case .silent, .offloaded: batch?.append()
    case .written: batch?.append(response: writer.bytes, id: id, limit: responseBytes) { session.language() }
    case .working(let id, let work, let method, let language, let heldBytes, let isLookUp):
      batch?.append(work, id: id, method: method, language: language, heldBytes: heldBytes, isLookUp: isLookUp)
    }
  }

  private mutating func end(_ output: inout JSONWriter) -> Outcome {
    guard let batch = batch.take() else { return .silent }
    if batch.isWorking {
      return .later(
        begin(
          batch.items, ids: Array(batch.ids), isBatch: true, heldBytes: batch.heldBytes, isLookUp: batch.isLookUp))
    }
    return PendingReply.write(batch.items, to: &output) ? .written : .silent
  }

  /// Answers one item. No two items may share an id, because their replies are sent together.
  private mutating func item(_ view: JSONView, _ writer: inout JSONWriter) -> Step {
    // an id that is refused for another reason does not count as used in the batch
    if let member = view.member("id"), member.source.count <= limits.idBytes, !inFlight.has(member),
      let id = RequestID(member), batch?.insert(id) == false
    {
      dispatcher.observer?.refused(nil, .invalidRequest, by: session.caller)
      Response.write(RPCError.duplicateID, id: id.source, in: session.language(), to: &writer)
      return .written
    }
    return call(view, &writer)
  }
}

extension JSONView {
  /// The request's id, or nil if it has no valid id.
  fileprivate var requestID: RequestID? { member("id").flatMap { RequestID($0) } }
}
