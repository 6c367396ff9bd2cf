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

/// Handles requests that are answered later: those that take time, and those whose params a worker thread reads.
extension Requests {
  /// Bytes of params that each request may always keep until its reply, however much regd holds for its user.
  private static let shareOfHeldBytes = 16_384

  /// Begins a request that takes time, unless its user has too many requests in flight or too many bytes held.
  func takeTime(
    _ index: Int, _ message: Message, isCostly: Bool, _ parameters: Parameters, _ output: inout JSONWriter
  ) -> Step {
    guard quota.inFlight < limits.inFlightPerUID else {
      return fail(.tooManyInFlight(limit: limits.inFlightPerUID), message, index, &output)
    }
    guard inFlight.toldCount < limits.latePerConnection else {
      return fail(.tooManyInFlight(limit: limits.latePerConnection), message, index, &output)
    }
    // twice the params: a method keeps them, and may write a second copy, for example for an upstream
    let heldBytes = 2 * (message.params?.source.count ?? 0)
    let held = quota.heldBytes + (batch?.heldBytes ?? 0)
    guard heldBytes <= Self.shareOfHeldBytes || held + heldBytes <= limits.heldBytesPerUID else {
      return fail(.tooMuchHeld(limit: limits.heldBytesPerUID), message, index, &output)
    }
    let method = dispatcher.table.methods[index]
    let id = message.id.flatMap { RequestID($0) }
    if isCostly, let params = message.params {
      return .offloaded(
        OffloadedCall(
          index, of: dispatcher.table, params: params, id: id, session: session, heldBytes: heldBytes,
          responseBytes: responseBytes, depth: limits.depth))
    }
    let language = method.language(in: message.params)
    func working(_ work: @escaping Method.Work, isLookUp: Bool) -> Step {
      .working(id, work, method: index, language: language, heldBytes: heldBytes, isLookUp: isLookUp)
    }
    do throws(RPCError) {
      switch method.behaviour {
      case .suspending(let begin): return working(try begin(parameters, session), isLookUp: false)
      case .lookingUp(let begin): return working(try begin(parameters, session), isLookUp: true)
      case .immediate, .offloadable, .cancelling, .discovering: return fail(.internal, message, index, &output)
      }
    } catch {
      return fail(error, message, index, &output)
    }
  }

  /// Takes the answer to an offloaded call that is not an item of a batch.
  mutating func take(_ answer: OffloadedCall.Answer, to call: OffloadedCall, _ output: inout JSONWriter) -> Outcome {
    outcome(of: step(answer, to: call, &output))
  }

  /// Turns the worker thread's answer to an offloaded call into a step.
  mutating func step(_ answer: OffloadedCall.Answer, to call: OffloadedCall, _ output: inout JSONWriter) -> Step {
    quota.end(1)
    switch answer {
    case .silent:
      results.count(call.method)
      return .silent
    case .response(let response):
      results.count(call.method)
      output.beginText()
      output.raw(response)
      return .written
    case .refused(let error):
      dispatcher.observer?.refused(call.method, error.reason, by: session.caller)
      guard let id = call.id else { return .silent }
      Response.write(error, id: id.source, in: session.language(for: call.language), to: &output)
      return .written
    case .working(let work):
      // never on the event loop, because the params contain costly texts
      return .working(
        call.id, work, method: call.method, language: call.language, heldBytes: call.heldBytes, isLookUp: false)
    }
  }
}

/// Counts results of one method before reporting them to the observer together, because callers usually call one method many
/// times in a row, and reporting each result would cost as much as reading the method's name.
final class UncountedResults {
  private let observer: (any RequestObserver)?
  private var method = 0
  private var count = 0

  init(_ observer: (any RequestObserver)?) { self.observer = observer }

  @inline(__always)
  func count(_ method: Int) {
    if method != self.method {
      flush()
      self.method = method
    }
    count &+= 1
  }

  @inline(never)
  func flush() {
    if count > 0 { observer?.answered(method, count: count) }
    count = 0
  }
}
