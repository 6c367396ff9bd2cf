internal import Logging
internal import Registration
internal import Synchronization

/// Logs failures of the upstream, and notes them in the health. A failure of one address or of one user's requests alone is
/// no ill health of the upstream.
final class ReportingNetwork: NetworkService {
  private let network: any NetworkService
  /// Nil if the network logs its failures by itself.
  private let logger: Logger?
  private let note: @Sendable (_ failure: String?) -> Void
  private let questions = UpstreamQuestions()
  private let evidence = Mutex(UpstreamEvidence(needed: 1))

  /// - Parameters:
  ///   - logger: Nil if the network logs its failures by itself.
  ///   - note: Is told whether the upstream works: what was wrong, or nil.
  init(network: any NetworkService, logger: Logger?, note: @escaping @Sendable (_ failure: String?) -> Void) {
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

  /// - Parameter endsWithItsCaller: Whether a call that is cancelled ends before the upstream has answered, and so says
  ///   nothing of it.
  private func report<Value>(
    _ operation: String, _ question: UpstreamQuestion, endsWithItsCaller: Bool = true,
    _ body: () async throws(NetworkFailure) -> Value
  ) async throws(NetworkFailure) -> Value {
    do {
      let value = try await body()
      works(question)
      return value
    } catch {
      // regd's own congestion is no news of the upstream
      guard !error.isOwn else { throw error }
      if error.isOfUpstreamThatWorks {
        works(question)
      } else if !endsWithItsCaller || !Task.isCancelled {
        fails(question, error)
      }
      logger?.notice("the upstream failed", metadata: ["operation": "\(operation)", "failure": "\(error)"])
      throw error
    }
  }

  private func works(_ question: UpstreamQuestion) {
    evidence.withLock { $0.succeeded(question, at: .now) }
    note(nil)
  }

  private func fails(_ question: UpstreamQuestion, _ failure: NetworkFailure) {
    guard evidence.withLock({ $0.failed(question, failure, at: .now) }) else { return }
    note("\(failure)")
  }
}
