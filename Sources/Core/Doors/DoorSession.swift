internal import AsyncPrimitives
internal import Reasons
package import WireProtocols

/// Runs a `LoginProtocol` (a door's protocol) on one connection: keeps input that is not a whole message yet, counts it
/// against the user's limits, and passes the protocol's questions to the `LoginService`.
final class DoorSession<Machine: LoginProtocol>: ProtocolSession {
  /// The most messages that are taken before the connection looks at the clock.
  private static var step: Int { 32 }
  /// Bytes that each connection, and each question, may always hold, even if its user has reached the limit.
  private static var shareOfHeldBytes: Int { 16_384 }

  private struct Asked {
    /// The protocol's number of the question, which the protocol may use again once it has the answer.
    let protocolNumber: Int
    let work: TaskCanceller
    let bytes: Int
    let isLogin: Bool
    /// Whether the protocol needs no answer any more. It may already have one, because the time limit has passed or regd
    /// stops. Or the connection has closed. The login service's own answer is then dropped.
    var isTold = false
  }

  private var machine: Machine
  private var service: LoginService
  private let caller: Peer
  private let quota: PeerQuota
  private var limits: Limits
  /// The caller's access class by the server's rules. A door grants no rights with it, but does not limit the rate of
  /// administrators, because programs that run as root, such as mail servers, sign in many users.
  private var access: Access
  private var input = SecureBuffer()
  private var held = SecureBuffer()
  /// The questions without an answer from the login service, by numbers that no other question of the connection has
  /// had. Each counts for its user until the login service's answer comes, even after the caller has left.
  private var asked: [Int: Asked] = [:]
  private var lastQuestion = 0
  /// Questions whose answer the protocol does not have yet.
  private var untold = 0
  private var counted = 0
  private var messages = 0
  private var isEnding = false
  /// Whether the input may contain another complete message.
  private var hasMore = false

  init(_ machine: Machine, _ service: LoginService, with caller: Peer, _ quota: PeerQuota, _ limits: Limits) {
    (self.machine, self.service, self.caller, self.quota, self.limits) = (machine, service, caller, quota, limits)
    access = caller.access
  }

  var output: UnsafeRawBufferPointer { held.bytes }
  func removeOutput() { held.removeAll() }
  var pendingBytes: Int { held.count }
  var inFlight: Int { asked.count }

  private var mayAsk: Bool { untold < (Machine.isConcurrent ? limits.inFlightPerConnection : 1) }

  func readiness(within room: Int) -> SessionReadiness {
    var readiness = SessionReadiness(
      output: held.count, inFlight: untold, takesInput: !isEnding && !hasMore && mayAsk, isEnding: isEnding)
    if hasMore, !isEnding { readiness.unfinished = mayAsk && held.count < room ? .ready : .blocked }
    if !isEnding, !hasMore, mayAsk, !input.isEmpty || machine.isMidMessage { readiness.begunMessage = messages }
    return readiness
  }

  func greet() { add(machine.greet()) }

  func receive(_ bytes: UnsafeRawBufferPointer, within budget: OutputBudget, _ start: (DeferredWork) -> Void)
    -> Progress
  {
    guard !isEnding else { return Progress(bytes: bytes.count, requests: 0) }
    input.append(bytes)
    let before = messages
    go(on: budget.output, start)
    return Progress(bytes: bytes.count, requests: messages - before, isInterrupted: hasMore && mayAsk)
  }

  /// Takes messages until none is complete, no question may be asked, the output is full, or `step` are taken.
  private func go(on room: Int, _ start: (DeferredWork) -> Void) {
    var steps = 0
    hasMore = false
    taking: while !isEnding, !input.isEmpty {
      guard mayAsk, held.count < room, steps < Self.step else {
        hasMore = true
        break
      }
      steps += 1
      switch machine.receive(input.bytes) {
      case .unfinished: break taking
      case .part(let count, let reply):
        input.removeFirst(count)
        add(reply)
      case .message(let count, let reply):
        input.removeFirst(count)
        messages += 1
        quota.count(1)
        heed(reply, bytes: count, start)
      }
    }
    if isEnding { input.removeAll() }
    count()
    // the user holds too many bytes. Closes the connection, because no reply means this in all programs, and programs
    // take a lost connection for a temporary failure
    if quota.heldBytes > limits.heldBytesPerUID, input.count > Self.shareOfHeldBytes { end() }
  }

  private func heed(_ reply: Output, bytes: Int, _ start: (DeferredWork) -> Void) {
    add(reply.bytes)
    if reply.ends { isEnding = true }
    guard let (protocolNumber, question) = reply.question else { return }
    if let refusal = refusal(bytes) { return tell(refusal, to: protocolNumber, isLogin: question.isLogin) }
    let work = TaskCanceller()
    lastQuestion += 1
    asked[lastQuestion] = Asked(protocolNumber: protocolNumber, work: work, bytes: bytes, isLogin: question.isLogin)
    untold += 1
    quota.begin(1)
    quota.hold(bytes)
    start(
      DeferredWork(
        lastQuestion,
        .waiting { [service, caller] _ in await work.run { await service.answer(question, by: caller) } }))
  }

  /// The refusal of a question from a user who asks too much, or nil if the question may be asked.
  private func refusal(_ bytes: Int) -> DoorAnswer? {
    if access != .admin, let refusal = quota.admit() {
      guard case .rate(_, let retryAfter) = refusal else { return .away(reason: .rateLimited) }
      return .away(reason: .rateLimited, retryAfter: retryAfter)
    }
    let isTooMuch = bytes > Self.shareOfHeldBytes && quota.heldBytes + bytes > limits.heldBytesPerUID
    let isLate = asked.count - untold >= limits.latePerConnection
    guard isTooMuch || isLate || quota.inFlight >= limits.inFlightPerUID else { return nil }
    return .away(reason: .busy, retryAfter: 1)
  }

  /// - Parameter protocolNumber: The protocol's number of the question.
  private func tell(_ answer: DoorAnswer, to protocolNumber: Int, isLogin: Bool) {
    if isLogin { service.counts.note(answer) }
    let reply = machine.write(answer, to: protocolNumber)
    add(reply.bytes)
    if reply.ends { end() }
  }

  func take(_ answer: any Sendable, to number: Int, _ start: (DeferredWork) -> Void) {
    guard let question = asked.removeValue(forKey: number) else { return }
    quota.end(1)
    quota.hold(-question.bytes)
    if !question.isTold {
      untold -= 1
      tell(answer as? DoorAnswer ?? .away(reason: .internal), to: question.protocolNumber, isLogin: question.isLogin)
    }
    if hasMore { go(on: limits.queuedBytesPerConnection, start) }
  }

  func expire(_ number: Int, afterSeconds seconds: Int) { give(up: number, because: .requestTimeout) }

  func shutDown() {
    isEnding = true
    for number in asked.keys.sorted() { give(up: number, because: .draining) }
  }

  /// Gives the protocol the answer `away` to a question, and cancels the login service's work on that question.
  private func give(up number: Int, because reason: ErrorReason) {
    guard let question = asked[number], !question.isTold else { return }
    asked[number]?.isTold = true
    untold -= 1
    question.work.cancel()
    tell(.away(reason: reason), to: question.protocolNumber, isLogin: question.isLogin)
  }

  func finish(_ start: (DeferredWork) -> Void) { end() }
  func end(because refusal: Refusal) { end() }
  func drain() { end() }
  func adopt(_ limits: Limits, _ access: Access) { (self.limits, self.access) = (limits, access) }

  /// Continues with the settings of another state machine, and asks another login service from now on.
  func adopt(_ machine: Machine, _ service: LoginService) {
    self.machine.adopt(machine)
    self.service = service
  }

  func abandon() {
    end()
    untold = 0
    for number in asked.keys {
      asked[number]?.isTold = true
      asked[number]?.work.cancel()
    }
  }

  private func end() {
    isEnding = true
    hasMore = false
    input.removeAll()
    count()
  }

  private func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { held.append($0) } }

  private func count() {
    if input.count != counted { quota.hold(input.count - counted) }
    counted = input.count
  }
}

extension DoorQuestion {
  fileprivate var isLogin: Bool {
    switch self {
    case .signIn: true
    case .find, .check, .groups: false
    }
  }
}

/// The protocol of a door's connections. Each connection has a state machine, and all share the login service that answers the
/// questions.
package struct DoorWire<Machine: LoginProtocol & Sendable>: WireProtocol {
  package let name: String
  private let idleSeconds: Int
  private let service: LoginService
  private let machine: @Sendable (Peer) -> Machine

  /// - Parameters:
  ///   - idleSeconds: How long a connection may be without a message. 0 means no limit.
  ///   - machine: Makes a connection's state machine.
  package init(
    _ name: String, idleSeconds: Int = 75, _ context: DoorContext, memory: Duration = .zero,
    _ machine: @escaping @Sendable (Peer) -> Machine
  ) {
    self.name = name
    self.idleSeconds = idleSeconds
    service = LoginService(context, memory: memory)
    self.machine = machine
  }

  package func session(
    with caller: Peer, _ quota: PeerQuota, _ limits: Limits, wake: @escaping @Sendable () -> Void
  ) -> any ProtocolSession {
    DoorSession(machine(caller), service, with: caller, quota, limits)
  }

  package func renew(_ session: any ProtocolSession, with caller: Peer) {
    (session as? DoorSession<Machine>)?.adopt(machine(caller), service)
  }

  package func limits(_ limits: Limits) -> Limits {
    DoorLimits.of(limits, idleSeconds: idleSeconds, answerSeconds: service.answerSeconds)
  }
}

/// The limits of door connections: the configured limits, but with the door's time limits.
enum DoorLimits {
  /// A message must be complete within this time after its first byte, so that no caller occupies a connection with
  /// half a message.
  private static let wholeSeconds = 10

  static func of(_ limits: Limits, idleSeconds: Int, answerSeconds: Int) -> Limits {
    var limits = limits
    limits.requestSeconds = answerSeconds
    limits.idleSeconds = idleSeconds
    limits.wholeSeconds = wholeSeconds
    return limits
  }
}
