/// From a text that was read to what is to be done about it.
struct Requests: ~Copyable {
  /// What becomes of a text.
  enum Outcome {
    /// Nothing is to be sent: a notification, or a batch of them.
    case silent
    /// The reply was written.
    case written
    /// The reply comes later.
    case later(PendingReply)
    /// The turn is over before the batch: it is gone on with by `goOn`.
    case unfinished
    /// The text, or an item of the batch, is to be answered elsewhere, and nothing else is looked at before it has come
    /// back by `take`.
    case costly(CostlyText)
  }

  /// What becomes of one request.
  enum Step {
    case silent
    case written
    case working(RequestID?, Method.Work, method: Int, heldBytes: Int)
    case costly(CostlyText)
  }

  let dispatcher: Dispatcher
  let account: PeerAccount
  let session: Session
  var inFlight = InFlight()
  /// An error that every request gets instead of being done, as while draining.
  var refusal: RPCError? { didSet { isRefusing = refusal != nil } }
  private var isRefusing = false
  /// Bytes that one result, or all of a batch, may have.
  var responseBytes: Int
  /// The batch that is being answered, or waits for its next turn.
  var batch: Batch?
  var scratch = JSONWriter()
  private let results: UncountedResults

  init(_ dispatcher: Dispatcher, session: Session, account: PeerAccount) {
    self.dispatcher = dispatcher
    results = UncountedResults(dispatcher.observer)
    self.session = session
    self.account = account
    responseBytes = dispatcher.limits.responseBytes
  }

  /// Tells the observer what it has not been told yet.
  func tellObserver() { results.tell() }

  @inline(__always)
  var hasRoom: Bool { inFlight.count < dispatcher.limits.inFlightPerConnection }

  /// - Parameters:
  ///   - output: Gets the reply; what was written there without being one is the caller's to take back.
  ///   - allowance: What may still be done; a batch that passes it is unfinished.
  @inline(__always)
  mutating func answer(
    _ view: JSONView, _ output: inout JSONWriter, _ allowance: inout Conversation.Allowance
  ) -> Outcome {
    if view.kind == .array { return begin(batch: view, &output, &allowance) }
    allowance.take(1)
    return outcome(of: call(view, &output))
  }

  @inline(__always)
  private mutating func outcome(of step: Step) -> Outcome {
    switch step {
    case .silent: return .silent
    case .written: return .written
    case .working(let id, let work, let method, let heldBytes):
      let item = PendingReply.Item.working(id, work, Cancellation(), method: method)
      return .later(begin([item], ids: id.map { [$0] } ?? [], isBatch: false, heldBytes: heldBytes))
    case .costly(let text):
      account.begin(1)
      return .costly(text)
    }
  }

  mutating func begin(
    _ items: [PendingReply.Item], ids: [RequestID], isBatch: Bool, heldBytes: Int
  ) -> PendingReply {
    let pending = PendingReply(
      number: inFlight.number(), items: items, ids: ids, isBatch: isBatch, responseBytes: responseBytes,
      heldBytes: heldBytes, observer: dispatcher.observer)
    inFlight.begin(pending)
    account.begin(pending.requestCount)
    account.hold(heldBytes)
    return pending
  }

  /// A costly text, not of a batch, has come back.
  mutating func take(_ answer: CostlyText.Answer, to text: CostlyText, _ output: inout JSONWriter) -> Outcome {
    outcome(of: step(answer, to: text, &output))
  }

  /// The step that a costly text was, now that it is answered.
  mutating func step(_ answer: CostlyText.Answer, to text: CostlyText, _ output: inout JSONWriter) -> Step {
    account.end(1)
    switch answer {
    case .silent:
      results.count(text.method)
      return .silent
    case .response(let response):
      results.count(text.method)
      output.beginText()
      output.raw(response)
      return .written
    case .refused(let error):
      dispatcher.observer?.refused(text.method, error.reason)
      guard let id = text.id else { return .silent }
      Response.write(error, id: id.source, to: &output)
      return .written
    case .working(let work):
      return .working(text.id, work, method: text.method, heldBytes: text.heldBytes)
    }
  }

  @inline(__always)
  mutating func call(_ view: JSONView, _ output: inout JSONWriter) -> Step {
    let message: Message
    do { message = try Message(view) } catch {
      // answered also without an id: what is no request is no notification either
      let id = error.id.source.count > dispatcher.limits.idBytes ? RequestID.null : error.id
      dispatcher.observer?.refused(nil, error.error.reason)
      Response.write(error.error, id: id.source, to: &output)
      return .written
    }
    // first, for every other answer echoes the id
    if let id = message.id, id.source.count > dispatcher.limits.idBytes {
      dispatcher.observer?.refused(nil, .invalidRequest)
      Response.write(.idTooLarge(limit: dispatcher.limits.idBytes), id: RequestID.null.source, to: &output)
      return .written
    }
    if isRefusing, let refusal { return fail(refusal, message.id, nil, &output) }
    if let id = message.id, inFlight.has(id) { return fail(.duplicateID, id, nil, &output) }
    guard let index = dispatcher.table.find(message.method) else {
      if account.isLimited, let error = account.admit() { return fail(error, message.id, nil, &output) }
      return fail(.methodNotFound(message.method.excerpt), message.id, nil, &output)
    }
    return perform(index, message, &output)
  }

  @inline(__always)
  private mutating func perform(_ index: Int, _ message: Message, _ output: inout JSONWriter) -> Step {
    let method = dispatcher.table.methods[index]
    // to cancel makes less work, not more
    if account.isLimited, !method.isCancelling, let error = account.admit() {
      return fail(error, message.id, index, &output)
    }
    guard method.access <= session.caller.access else {
      let error = RPCError.accessDenied(method.name, needs: method.access, uid: session.caller.uid)
      return fail(error, message.id, index, &output)
    }
    let parameters: Parameters
    do { parameters = try Parameters(message.params, as: method.parameters) } catch {
      return fail(error, message.id, index, &output)
    }
    switch method.behaviour {
    case .immediate(let answer):
      var isCostly = false
      let step = immediate(index, message.id, &output) { writer in
        let refusal = answer(parameters, session, &writer)
        if case .costly? = refusal { isCostly = true }
        return refusal
      }
      return isCostly ? takeTime(index, message, isCostly: true, parameters, &output) : step
    case .suspending:
      return takeTime(index, message, isCostly: parameters.isCostly, parameters, &output)
    case .cancelling:
      if let id = parameters[0] {
        inFlight.cancel(id)
        if let batch, !batch.begun.isEmpty, let id = RequestID(id) { batch.begun[id]?.cancel(.caller) }
      }
      return immediate(index, message.id, &output) { writer in
        writer.object { _ in }
        return nil
      }
    case .discovering:
      let document = dispatcher.document
      return immediate(index, message.id, &output) { writer in
        writer.raw(document)
        return nil
      }
    }
  }

  /// Bytes of params that a request may always keep while it has no reply, whatever its user holds.
  private static let shareOfHeldBytes = 16_384

  /// Begins what needs time, if its user may have so much under way.
  private mutating func takeTime(
    _ index: Int, _ message: Message, isCostly: Bool, _ parameters: Parameters, _ output: inout JSONWriter
  ) -> Step {
    let limits = dispatcher.limits
    guard account.inFlight < limits.inFlightPerUID else {
      return fail(.tooManyInFlight(limit: limits.inFlightPerUID), message.id, index, &output)
    }
    // a method keeps what it was given, and may write it once more for somebody else
    let heldBytes = 2 * (message.params?.source.count ?? 0)
    let held = account.heldBytes + (batch?.heldBytes ?? 0)
    guard heldBytes <= Self.shareOfHeldBytes || held + heldBytes <= limits.heldBytesPerUID else {
      return fail(.tooMuchHeld(limit: limits.heldBytesPerUID), message.id, index, &output)
    }
    let method = dispatcher.table.methods[index]
    let id = message.id.flatMap { RequestID($0) }
    if isCostly, let params = message.params {
      return .costly(
        CostlyText(
          index, of: dispatcher.table, params: params, id: id, session: session, heldBytes: heldBytes,
          responseBytes: responseBytes, depth: limits.depth))
    }
    guard case .suspending(let begin) = method.behaviour else { return fail(.internal, message.id, index, &output) }
    return .working(id, begin(parameters, session), method: index, heldBytes: heldBytes)
  }

  @inline(__always)
  private func immediate(
    _ method: Int, _ id: JSONView?, _ output: inout JSONWriter, _ answer: (inout JSONWriter) -> Method.Refusal?
  ) -> Step {
    let start = output.count
    // a notification's result is written too, and taken back by whoever asked
    if let id { Response.begin(id: id.source, to: &output) }
    let body = output.count
    if let refusal = answer(&output) {
      output.truncate(to: start)
      guard case .error(let error) = refusal else { return .silent }
      return fail(error, id, method, &output)
    }
    guard id != nil else {
      results.count(method)
      return .silent
    }
    guard output.count - body <= responseBytes else {
      output.truncate(to: start)
      return fail(.responseTooLarge(limit: responseBytes), id, method, &output)
    }
    results.count(method)
    Response.end(&output)
    return .written
  }

  /// A notification has nobody to tell what was wrong with it (JSON-RPC 2.0 §4.1).
  @inline(never)
  private func fail(_ error: RPCError, _ id: JSONView?, _ method: Int?, _ output: inout JSONWriter) -> Step {
    dispatcher.observer?.refused(method, error.reason)
    guard let id else { return .silent }
    Response.write(error, id: id.source, to: &output)
    return .written
  }
}
