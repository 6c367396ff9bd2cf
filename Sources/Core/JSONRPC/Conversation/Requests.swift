internal import Reasons
internal import WireProtocols

/// Decides how to answer each text.
struct Requests: ~Copyable {
  /// The outcome of one text.
  enum Outcome {
    /// Nothing is to be sent, because the text was a notification, or a batch of them.
    case silent
    /// The reply was written.
    case written
    /// The reply comes later. Indirect, because the size of a clock's instant is unknown at compile time, which would make
    /// every outcome cost calls of the runtime.
    indirect case later(PendingReply)
    /// The connection's turn ended before the batch did. `goOn` continues the batch.
    case unfinished
    /// A worker thread has to answer the request, or the item of the batch. The connection looks at nothing else until the
    /// answer has been passed to `take` or `takeItem`.
    case offloaded(OffloadedCall)
  }

  /// The outcome of one request.
  enum Step {
    case silent
    case written
    case working(RequestID?, Method.Work, method: Int, language: String?, heldBytes: Int, isLookUp: Bool)
    case offloaded(OffloadedCall)
  }

  var dispatcher: Dispatcher
  let quota: PeerQuota
  let session: Session
  var limits: Limits
  /// Whether the caller is an administrator by the server's rules, whichever methods it may call on this connection.
  var isAdministrator: Bool
  var inFlight = InFlight()
  /// An error that answers every request instead of its method, for example while regd drains.
  var refusal: RPCError? { didSet { isRefusing = refusal != nil } }
  private(set) var isRefusing = false
  /// The most bytes of one result, or of all results of a batch.
  var responseBytes: Int
  /// The batch that is being answered, or that waits for the connection's next turn.
  var batch: Batch?
  var scratch = JSONWriter()
  let results: UncountedResults

  init(_ dispatcher: Dispatcher, session: Session, quota: PeerQuota, limits: Limits, isAdministrator: Bool) {
    self.dispatcher = dispatcher
    (self.limits, self.isAdministrator) = (limits, isAdministrator)
    results = UncountedResults(dispatcher.observer)
    self.session = session
    self.quota = quota
    responseBytes = limits.responseBytes
  }

  /// Tells the observer of the results that were not yet reported.
  func flushResults() { results.flush() }

  @inline(__always)
  var hasRoom: Bool { inFlight.count < limits.inFlightPerConnection }

  /// - Parameters:
  ///   - output: Receives the reply. Unless the outcome is `written`, the conversation drops the bytes that were
  ///     written.
  ///   - allowance: The work that the turn still allows. A batch that exceeds it is unfinished.
  @inline(__always)
  mutating func answer(
    _ view: JSONView, _ output: inout JSONWriter, _ allowance: inout Conversation.Allowance
  ) -> Outcome {
    if view.kind == .array { return begin(batch: view, &output, &allowance) }
    allowance.take(1)
    return outcome(of: call(view, &output))
  }

  @inline(__always)
  mutating func outcome(of step: Step) -> Outcome {
    switch step {
    case .silent: return .silent
    case .written: return .written
    case .working(let id, let work, let method, let language, let heldBytes, let isLookUp):
      let item = PendingReply.Item.working(id, PendingWork(work), method: method, language: language)
      return .later(
        begin([item], ids: id.map { [$0] } ?? [], isBatch: false, heldBytes: heldBytes, isLookUp: isLookUp))
    case .offloaded(let call):
      quota.begin(1)
      return .offloaded(call)
    }
  }

  mutating func begin(
    _ items: [PendingReply.Item], ids: [RequestID], isBatch: Bool, heldBytes: Int, isLookUp: Bool
  ) -> PendingReply {
    let pending = PendingReply(
      number: inFlight.number(), items: items, ids: ids, isBatch: isBatch, responseBytes: responseBytes,
      heldBytes: heldBytes, isLookUp: isLookUp, dispatcher: dispatcher, session: session)
    inFlight.begin(pending)
    quota.begin(pending.requestCount)
    quota.hold(heldBytes)
    return pending
  }

  /// Whether the caller's requests count against `requestsPerSecondPerUID`. Requests of administrators do not count, so
  /// that administrators can still inspect regd and reload it while a program of the same user sends too much, and so that
  /// programs which run as root, such as mail servers and sshd, can always sign in their users.
  private var isRateLimited: Bool { quota.isLimited && !isAdministrator }

  @inline(__always)
  func call(_ view: JSONView, _ output: inout JSONWriter) -> Step {
    let message: Message
    do { message = try Message(view) } catch {
      // answers even without an id, because an invalid request is not a notification
      let id = error.id.source.count > limits.idBytes ? RequestID.null : error.id
      dispatcher.observer?.refused(nil, error.error.reason, by: session.caller)
      Response.write(error.error, id: id.source, in: session.language(), to: &output)
      return .written
    }
    // the length of the id is checked first, because every other answer echoes the id
    if let id = message.id, id.source.count > limits.idBytes {
      dispatcher.observer?.refused(nil, .invalidRequest, by: session.caller)
      Response.write(
        .idTooLarge(limit: limits.idBytes), id: RequestID.null.source, in: session.language(), to: &output)
      return .written
    }
    if isRefusing, let refusal { return fail(refusal, message, nil, &output) }
    if let id = message.id, inFlight.has(id) { return fail(.duplicateID, message, nil, &output) }
    guard let index = dispatcher.table.find(message.method) else {
      if isRateLimited, let refusal = quota.admit() { return fail(RPCError(refusal), message, nil, &output) }
      return fail(.methodNotFound(message.method.excerpt), message, nil, &output)
    }
    return perform(index, message, &output)
  }

  @inline(__always)
  private func perform(_ index: Int, _ message: Message, _ output: inout JSONWriter) -> Step {
    let method = dispatcher.table.methods[index]
    // cancelling is exempt from the rate limit, because it makes less work, not more
    if isRateLimited, !method.isCancelling, let refusal = quota.admit() {
      return fail(RPCError(refusal), message, index, &output)
    }
    guard method.access <= session.access else {
      let error = RPCError.accessDenied(method.name, needs: method.access, uid: session.caller.uid)
      return fail(error, message, index, &output)
    }
    let parameters: Parameters
    do { parameters = try Parameters(message.params, of: method) } catch {
      return fail(error, message, index, &output)
    }
    switch method.behaviour {
    case .immediate(let answer):
      return immediate(index, message, &output) { writer throws(RPCError) in
        try answer(parameters, session, &writer)
      }
    case .offloadable(let answer):
      return offloadable(index, message, &output) { writer throws(RPCError) in
        try answer(parameters, session, &writer)
      } ?? takeTime(index, message, isCostly: true, parameters, &output)
    case .suspending, .lookingUp:
      return takeTime(index, message, isCostly: parameters.isCostly, parameters, &output)
    case .cancelling(let id):
      if let id = parameters[id] { cancel(id) }
      return immediate(index, message, &output) { writer in writer.object { _ in } }
    case .discovering:
      return immediate(index, message, &output) { writer in writer.raw(dispatcher.document.text) }
    }
  }

  private func cancel(_ id: JSONView) {
    inFlight.cancel(id)
    if let batch, !batch.begun.isEmpty, let id = RequestID(id) { batch.begun[id]?.cancel(.caller) }
  }

  @inline(__always)
  private func immediate(
    _ method: Int, _ message: Message, _ output: inout JSONWriter,
    _ answer: (inout JSONWriter) throws(RPCError) -> Void
  ) -> Step {
    offloadable(method, message, &output) { writer throws(RPCError) in
      try answer(&writer)
      return .answered
    } ?? .silent
  }

  /// Writes the reply. Also writes the result of a notification, which the conversation drops.
  ///
  /// - Returns: Nil if the request has to be offloaded.
  @inline(__always)
  private func offloadable(
    _ method: Int, _ message: Message, _ output: inout JSONWriter,
    _ answer: (inout JSONWriter) throws(RPCError) -> Method.Progress
  ) -> Step? {
    let start = output.count
    if let id = message.id { Response.begin(id: id.source, to: &output) }
    let body = output.count
    do {
      if case .offload = try answer(&output) {
        output.truncate(to: start)
        return nil
      }
    } catch {
      output.truncate(to: start)
      return fail(error, message, method, &output)
    }
    guard message.id != nil else {
      results.count(method)
      return .silent
    }
    guard output.count - body <= responseBytes else {
      output.truncate(to: start)
      return fail(.responseTooLarge(limit: responseBytes), message, method, &output)
    }
    results.count(method)
    Response.end(&output)
    return .written
  }

  /// Answers with an error. A notification gets no reply (JSON-RPC 2.0 §4.1).
  @inline(never)
  func fail(_ error: RPCError, _ message: Message, _ method: Int?, _ output: inout JSONWriter) -> Step {
    dispatcher.observer?.refused(method, error.reason, by: session.caller)
    guard let id = message.id else { return .silent }
    let asked = method.flatMap { dispatcher.table.methods[$0].language(in: message.params) }
    Response.write(error, id: id.source, in: session.language(for: asked), to: &output)
    return .written
  }
}
