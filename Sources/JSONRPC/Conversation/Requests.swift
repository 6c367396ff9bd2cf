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
  }

  /// What becomes of one request.
  private enum Step {
    case silent
    case written
    case working(RequestID?, Method.Work, method: Int)
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
  /// What the items before it in the same batch began, for one that cancels.
  private var begunInBatch: [RequestID: Cancellation] = [:]
  private var scratch = JSONWriter()
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
  ///   - allowance: Requests that may still be answered; a batch may pass it.
  @inline(__always)
  mutating func answer(_ view: JSONView, _ output: inout JSONWriter, _ allowance: inout Int) -> Outcome {
    if view.kind == .array { return batch(view, &output, &allowance) }
    allowance &-= 1
    switch call(view, &output) {
    case .silent: return .silent
    case .written: return .written
    case .working(let id, let work, let method):
      let item = PendingReply.Item.working(id, work, Cancellation(), method: method)
      return .later(begin([item], ids: id.map { [$0] } ?? [], isBatch: false))
    }
  }

  private mutating func begin(_ items: [PendingReply.Item], ids: [RequestID], isBatch: Bool) -> PendingReply {
    let pending = PendingReply(
      number: inFlight.number(), items: items, ids: ids, isBatch: isBatch, responseBytes: responseBytes,
      observer: dispatcher.observer)
    inFlight.begin(pending)
    account.begin(pending.requestCount)
    return pending
  }

  private mutating func batch(_ view: JSONView, _ output: inout JSONWriter, _ allowance: inout Int) -> Outcome {
    var count = 0
    view.forEachElement { _ in count += 1 }
    allowance -= max(1, count)
    let limit = dispatcher.limits.batchItems
    guard count > 0, count <= limit else {
      let error = count == 0 ? RPCError.invalidRequest("the batch is empty") : .batchTooLarge(limit: limit)
      Response.write(error, id: RequestID.null.source, to: &output)
      return .written
    }
    var items: [PendingReply.Item] = []
    items.reserveCapacity(count)
    var ids = Set<RequestID>()
    var bytes = 0
    var isWorking = false
    var writer = JSONWriter()
    swap(&writer, &scratch)
    view.forEachElement { element in
      writer.truncate(to: 0)
      switch item(element, &writer, &ids) {
      case .silent: items.append(.silent)
      case .written:
        bytes += writer.count
        items.append(.answered(PendingReply.bounded(writer.bytes, element.requestID, bytes, responseBytes)))
      case .working(let id, let work, let method):
        isWorking = true
        let cancellation = Cancellation()
        if let id { begunInBatch[id] = cancellation }
        items.append(.working(id, work, cancellation, method: method))
      }
    }
    begunInBatch = [:]
    writer.removeAll()
    swap(&writer, &scratch)
    if isWorking { return .later(begin(items, ids: Array(ids), isBatch: true)) }
    return PendingReply.write(items, to: &output) ? .written : .silent
  }

  /// One of a batch: its id may not be that of another one, for their replies go out at once.
  private mutating func item(_ view: JSONView, _ writer: inout JSONWriter, _ ids: inout Set<RequestID>) -> Step {
    // what is refused for its id is none that the batch has in flight
    if let member = view.member("id"), member.source.count <= dispatcher.limits.idBytes, !inFlight.has(member),
      let id = RequestID(member), !ids.insert(id).inserted
    {
      dispatcher.observer?.refused(nil, .invalidRequest)
      Response.write(RPCError.duplicateID, id: id.source, to: &writer)
      return .written
    }
    return call(view, &writer)
  }

  @inline(__always)
  private mutating func call(_ view: JSONView, _ output: inout JSONWriter) -> Step {
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
      return immediate(index, message.id, &output) { answer(parameters, session, &$0) }
    case .suspending(let begin):
      guard account.inFlight < dispatcher.limits.inFlightPerUID else {
        return fail(.tooManyInFlight(limit: dispatcher.limits.inFlightPerUID), message.id, index, &output)
      }
      return .working(message.id.flatMap { RequestID($0) }, begin(parameters, session), method: index)
    case .cancelling:
      if let id = parameters[0] {
        inFlight.cancel(id)
        if !begunInBatch.isEmpty, let id = RequestID(id) { begunInBatch[id]?.cancel(.caller) }
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

  @inline(__always)
  private func immediate(
    _ method: Int, _ id: JSONView?, _ output: inout JSONWriter, _ answer: (inout JSONWriter) -> Method.Refusal?
  ) -> Step {
    let start = output.count
    // a notification's result is written too, and taken back by whoever asked
    if let id { Response.begin(id: id.source, to: &output) }
    let body = output.count
    if case .error(let error)? = answer(&output) {
      output.truncate(to: start)
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

extension JSONView {
  /// A request's id, where it has one that can be.
  fileprivate var requestID: RequestID? { member("id").flatMap { RequestID($0) } }
}
