internal import Logging
internal import Methods
internal import Registration

/// Tells the log and the health what became of what the upstream was asked.
struct ReportingNetwork: NetworkService {
  let network: any NetworkService
  /// Nil where the network tells the log by itself.
  let logger: Logger?
  let health: Health

  func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    try await report("isAvailable") { () async throws(NetworkFailure) in
      try await network.isAvailable(email, for: share)
    }
  }

  func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure) -> UpstreamAnswer {
    try await report("register") { () async throws(NetworkFailure) in
      try await network.register(registration, for: share)
    }
  }

  func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    try await report("signIn") { () async throws(NetworkFailure) in
      try await network.signIn(email, password, for: share)
    }
  }

  private func report<Value>(
    _ operation: String, _ body: () async throws(NetworkFailure) -> Value
  ) async throws(NetworkFailure) -> Value {
    do {
      let value = try await body()
      health.note(.network, .writing, nil)
      return value
    } catch {
      // a request that was understood and refused came from an upstream that works; one that was cancelled says nothing
      if error.isOfUpstreamThatWorks {
        health.note(.network, .writing, nil)
      } else if !Task.isCancelled, !error.isOwn {
        health.note(.network, .writing, "\(error)")
      }
      logger?.notice("the upstream failed", metadata: ["operation": "\(operation)", "failure": "\(error)"])
      throw error
    }
  }
}
