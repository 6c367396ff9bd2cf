internal import Localization
internal import Logging
internal import Methods
internal import Reasons
internal import Registration
internal import Synchronization

/// Records in `Health` how operations of the store end, so that an outage is one line of the log (`OutageReport`). Only
/// the log contains the details. Callers get a general error.
struct StoreReport: StoreHook {
  let logger: Logger
  let health: Health
  /// Called after each change. Must not block.
  let changed: @Sendable () -> Void

  func around<Value: Sendable>(
    _ call: StoreCall, _ proceed: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let operation = call.operation
    let kind: Health.Kind = operation == .check ? .checking : operation.isChange ? .writing : .reading
    do {
      let value = try await proceed()
      health.note(.store, kind, nil)
      if operation.isChange { changed() }
      return value
    } catch {
      // a cancelled operation proves nothing about the store
      guard !Task.isCancelled, error != .cancelled else { throw error }
      let reason = OutcomeReplies.reason(of: error)
      let details = ["operation": "\(operation)", "failure": "\(error)", "reason": reason.name]
      let isFirst = CallDetails.$current.withValue(CallDetails(details)) {
        health.note(.store, kind, "\(error)", reason: reason)
      }
      if !isFirst { logger.write(.storeStillFails, nil, details) }
      throw error
    }
  }
}

/// Logs that a password could not be hashed because memory was short, or that a stored hash is damaged. Callers get
/// only the information that regd is at fault.
struct ReportingHasher: PasswordHasher {
  let hasher: any PasswordHasher
  let logger: Logger

  func hash(_ password: Password, _ turn: HashingTurn) async throws(HashingFailure) -> PasswordHash {
    do { return try await hasher.hash(password, turn) } catch { throw report(error) }
  }

  func verify(
    _ password: Password, against hash: PasswordHash?, _ turn: HashingTurn
  ) async throws(HashingFailure) -> PasswordVerdict {
    do { return try await hasher.verify(password, against: hash, turn) } catch { throw report(error) }
  }

  private func report(_ failure: HashingFailure) -> HashingFailure {
    switch failure {
    case .unavailable: logger.write(.hashingFailed)
    case .unreadableHash(let problem): logger.write(.hashDamaged, nil, ["problem": problem.sentence.english])
    case .busy, .cancelled: break
    }
    return failure
  }
}

/// Reports a failure of the upstream, in words and as a reason. Both are nil if the upstream works. Returns whether the
/// upstream has begun to fail or to work again.
typealias UpstreamNote = @Sendable (_ failure: String?, _ reason: ErrorReason?) -> Bool

/// Records in `Health` how calls to the upstream end. Logs each failure that is not an outage, because it concerns only
/// one address or one user. The failures of an outage are counted for `OutageReport`.
final class ReportingNetwork: NetworkService {
  private let network: any NetworkService
  private let logger: Logger
  private let note: UpstreamNote
  private let questions = UpstreamQuestions()
  private let evidence = Mutex(UpstreamEvidence(needed: 1))

  /// - Parameter note: Called after each call that shows whether the upstream works.
  init(network: any NetworkService, logger: Logger, note: @escaping UpstreamNote) {
    self.network = network
    self.logger = logger
    self.note = note
  }

  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    try await report("isAvailable", questions.about(email.key, for: share)) { () async throws(NetworkFailure) in
      try await network.isAvailable(email, for: share)
    }
  }

  func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer {
    let question = questions.about(registration.email.key, for: share)
    return try await report("register", question) { () async throws(NetworkFailure) in
      try await network.register(registration, for: share)
    }
  }

  func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    try await report("signIn", questions.about(email.key, for: share), endsWithItsCaller: false) {
      () async throws(NetworkFailure) in
      try await network.signIn(email, password, for: share)
    }
  }

  /// - Parameter endsWithItsCaller: Whether a cancelled call ends before the upstream has answered, so that its failure
  ///   shows nothing about the upstream.
  private func report<Value>(
    _ operation: String, _ question: UpstreamQuestion, endsWithItsCaller: Bool = true,
    _ body: () async throws(NetworkFailure) -> Value
  ) async throws(NetworkFailure) -> Value {
    let call = CallDetails(["operation": operation])
    let ending = await CallDetails.$current.withValue(call) { () async -> Result<Value, NetworkFailure> in
      do throws(NetworkFailure) {
        let value = try await body()
        works(question)
        return .success(value)
      } catch {
        report(error, of: call, question, saysNothing: endsWithItsCaller && Task.isCancelled)
        return .failure(error)
      }
    }
    return try ending.get()
  }

  /// - Parameter saysNothing: Whether the call was cancelled, so that its failure shows nothing about the upstream.
  private func report(_ failure: NetworkFailure, of call: CallDetails, _ question: UpstreamQuestion, saysNothing: Bool)
  {
    // regd's own congestion proves nothing about the upstream
    guard !failure.isOwn, failure.isOfUpstreamThatWorks || !saysNothing else { return }
    var isOutage = false
    if failure.isOfUpstreamThatWorks {
      works(question)
    } else {
      isOutage = evidence.withLock { $0.failed(question, failure, at: .now) }
    }
    let reason = OutcomeReplies.reason(of: failure)
    // `note` logs the first failure of an outage
    let isFirst = isOutage && note("\(failure)", reason)
    call.add(["failure": "\(failure)", "reason": reason.name])
    if !isFirst { logger.write(isOutage ? .upstreamStillFails : .upstreamFailedRequest, nil, call.all) }
  }

  private func works(_ question: UpstreamQuestion) {
    evidence.withLock { $0.succeeded(question, at: .now) }
    _ = note(nil, nil)
  }
}

/// Logs one line when a part or a background task begins to fail, and one when it works again, with the number of
/// failures in between.
struct OutageReport: Sendable {
  let logger: Logger

  /// Logs one change. This is a `Health` observer.
  @Sendable func note(_ turn: Health.Turn) {
    if turn.isForgotten { return }
    guard let failure = turn.failure else {
      return logger.write(
        Self.messages(turn.part).works, nil,
        ["failures": "\(turn.failures)", "seconds": "\(turn.lasted.components.seconds)"])
    }
    var details = CallDetails.current?.all ?? [:]
    details["failure"] = failure
    details["reason"] = turn.reason?.name
    logger.write(Self.messages(turn.part).fails, nil, details)
  }

  /// Logs one change of a background task. This is an observer of `BackgroundHealth`.
  @Sendable func noteTask(_ turn: BackgroundHealth.Turn) {
    switch turn {
    case .fails(let failing):
      logger.write(.taskFails, nil, ["task": failing.task.rawValue, "failure": failing.reason])
    case .works(let failing, let now):
      let seconds = max(0, now.microseconds - failing.since.microseconds) / 1_000_000
      logger.write(
        .taskWorks, nil,
        ["task": failing.task.rawValue, "failures": "\(failing.failures)", "seconds": "\(seconds)"])
    }
  }

  private static func messages(_ part: Health.Part) -> (fails: LogMessage, works: LogMessage) {
    switch part {
    case .store: (.storeFails, .storeWorks)
    case .network: (.upstreamFails, .upstreamWorks)
    case .mail: (.mailFails, .mailWorks)
    }
  }
}

/// Details of one call to the upstream or the store, for the log. The code that makes the call adds them, and the code
/// that reports its end reads them.
final class CallDetails: Sendable {
  /// The call that the current task makes.
  @TaskLocal static var current: CallDetails?

  private let details: Mutex<[String: String]>

  init(_ details: [String: String]) { self.details = Mutex(details) }

  func add(_ more: [String: String]) { details.withLock { $0.merge(more) { $1 } } }

  var all: [String: String] { details.withLock { $0 } }
}
