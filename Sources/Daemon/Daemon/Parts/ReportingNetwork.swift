internal import Logging
internal import Methods
internal import Reasons
internal import Registration
internal import Synchronization

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
