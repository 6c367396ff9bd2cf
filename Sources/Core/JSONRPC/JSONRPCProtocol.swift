internal import Localization
package import WireProtocols

/// JSON-RPC 2.0 over a byte stream, with the methods of a dispatcher.
package struct JSONRPCProtocol: WireProtocol {
  package let name = "json-rpc"
  private let dispatcher: Dispatcher
  /// The access class of all callers, or nil if the server's rules give each caller its class.
  private let access: Access?
  /// Whether a user that may not connect gets the reason. Otherwise its connection ends without a byte.
  private let explainsDenial: Bool

  /// - Parameters:
  ///   - access: The access class of all callers, whatever the server's rules are, or nil to apply the rules. In both
  ///     cases the rate limit does not apply to administrators by the rules.
  ///   - explainsDenial: Whether a user that may not connect gets the reason.
  package init(_ dispatcher: Dispatcher, access: Access? = nil, explainsDenial: Bool = true) {
    (self.dispatcher, self.access, self.explainsDenial) = (dispatcher, access, explainsDenial)
  }

  package func session(
    with caller: Peer, _ quota: PeerQuota, _ limits: Limits, wake: @escaping @Sendable () -> Void
  ) -> any ProtocolSession {
    let isAdministrator = caller.access == .admin
    var caller = caller
    caller.access = access ?? caller.access
    let session = Session(
      caller: caller, quota: quota, heldBytesLimit: limits.heldBytesPerUID, languages: dispatcher.languages)
    session.whenWaiting(wake)
    return JSONRPCProtocolSession(
      Conversation(dispatcher, session: session, quota: quota, limits: limits, isAdministrator: isAdministrator),
      session, limits, access: access, explainsDenial: explainsDenial)
  }

  package func renew(_ session: any ProtocolSession, with caller: Peer) {
    (session as? JSONRPCProtocolSession)?.adopt(dispatcher)
  }

  /// Writes the refusal as a line, because the caller's framing is unknown.
  package func text(of refusal: Refusal) -> [UInt8] {
    if case .denied = refusal, !explainsDenial { return [] }
    return RPCError(refusal).line(in: dispatcher.languages.current.standard)
  }
}

/// Adapts a conversation, with its output, to the `ProtocolSession` that a connection drives.
final class JSONRPCProtocolSession: ProtocolSession {
  private var conversation: Conversation
  private var writer = JSONWriter()
  private let session: Session
  private var limits: Limits
  /// The call that a worker thread answers. Its `DeferredWork` is number 0. The work of replies is numbered from 1.
  private var offloaded: OffloadedCall?

  /// The caller's access class if the server's rules do not decide it, or nil to apply the rules.
  private let access: Access?
  private let explainsDenial: Bool
  /// How many texts were taken. The number identifies the text that has begun, so that the connection can limit the
  /// time until its last byte. Counted only while such a limit applies.
  private var texts = 0

  init(
    _ conversation: consuming Conversation, _ session: Session, _ limits: Limits, access: Access?, explainsDenial: Bool
  ) {
    self.conversation = conversation
    (self.session, self.limits, self.access, self.explainsDenial) = (session, limits, access, explainsDenial)
  }

  /// - Parameter dispatcher: It has the same methods in the same order, but perhaps other rules about who may call
  ///   them.
  func adopt(_ dispatcher: Dispatcher) { conversation.adopt(dispatcher) }

  var output: UnsafeRawBufferPointer { writer.written }

  func removeOutput() { writer.removeAll() }

  var pendingBytes: Int { writer.count + conversation.waitingBytes }

  var inFlight: Int { conversation.inFlight }

  func readiness(within room: Int) -> SessionReadiness {
    let count = writer.count
    var readiness = SessionReadiness(
      output: count, waiting: conversation.waitingBytes, inFlight: conversation.awaited,
      takesInput: conversation.mayTakeMore, isEnding: conversation.isEnding)
    if limits.wholeSeconds > 0, conversation.hasBegunText { readiness.begunMessage = texts }
    if conversation.hasUnfinishedBatch {
      readiness.unfinished = conversation.batchHasRoom(besides: count, within: room) ? .ready : .blocked
    }
    if conversation.hasNotifications(within: room - count) { readiness.notificationBytes = session.waitingBytes }
    return readiness
  }

  func receive(_ bytes: UnsafeRawBufferPointer, within budget: OutputBudget, _ start: (DeferredWork) -> Void)
    -> Progress
  {
    var allowance = Conversation.Allowance(outputBytes: budget.output, responseBytes: budget.response)
    let limits = limits
    let taken = conversation.receive(bytes, into: &writer, within: &allowance) { Self.begin($0, limits, start) }
    if let call = conversation.takeOffloadedCall() {
      offloaded = call
      start(DeferredWork(0, .computing { call.answer() }))
    }
    if limits.wholeSeconds > 0 { texts += allowance.taken }
    let isInterrupted = !allowance.goesOn && (taken < bytes.count || conversation.hasUnfinishedBatch)
    return Progress(bytes: taken, requests: allowance.taken, isInterrupted: isInterrupted)
  }

  /// Asks for a reply that comes later. Static, because a closure that captures `self` would retain `self` for each
  /// text.
  private static func begin(_ pending: PendingReply, _ limits: Limits, _ start: (DeferredWork) -> Void) {
    let width = limits.inFlightPerConnection
    let answer: @Sendable (@escaping DeferredWork.Turn) async -> any Sendable = { turn in
      await pending.finish(width: width, turn: turn) ?? []
    }
    start(DeferredWork(pending.number, pending.isLookUp ? .lookingUp(answer) : .waiting(answer)))
  }

  func take(_ answer: any Sendable, to number: Int, _ start: (DeferredWork) -> Void) {
    if let call = offloaded, number == 0, let answer = answer as? OffloadedCall.Answer {
      offloaded = nil
      let limits = limits
      conversation.resume(call, with: answer, into: &writer) { Self.begin($0, limits, start) }
    } else if let pending = conversation.reply(number), let response = answer as? [UInt8] {
      conversation.complete(pending, response.isEmpty ? nil : response, into: &writer)
    }
  }

  func finish(_ start: (DeferredWork) -> Void) {
    let limits = limits
    conversation.finish(into: &writer) { Self.begin($0, limits, start) }
  }

  func writeNotifications() { conversation.writeNotifications(into: &writer) }

  func detectFraming(_ bytes: UnsafeRawBufferPointer) -> Bool { conversation.detectFraming(bytes) }

  func end(because refusal: Refusal) {
    var isTold = true
    if case .denied = refusal { isTold = explainsDenial }
    conversation.end(with: RPCError(refusal), isTold: isTold, into: &writer)
  }

  func adopt(_ limits: Limits, _ access: Access) {
    self.limits = limits
    session.adopt(access: self.access ?? access, heldBytesLimit: limits.heldBytesPerUID)
    conversation.adopt(limits, isAdministrator: access == .admin)
  }

  func drain() { conversation.drain() }

  func shutDown() { conversation.shutDown(into: &writer) }

  func expire(_ number: Int, afterSeconds seconds: Int) {
    conversation.expire(number, afterSeconds: seconds, into: &writer)
  }

  func abandon() { conversation.abandon() }
}
