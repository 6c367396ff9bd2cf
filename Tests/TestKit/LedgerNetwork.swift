package import Registration

/// An upstream with a memory: for each address the id that has it. It knows the `Idempotency-Key`, and outlives the
/// processes that ask it. What it does to the next calls is told beforehand.
package actor LedgerNetwork: NetworkService {
  package enum Conduct: Equatable, Sendable {
    case answers
    case fails(NetworkFailure)
    /// Does what it is asked, and the answer is lost.
    case actsAndFails(NetworkFailure)
  }

  package private(set) var holders: [EmailKey: AccountID] = [:]
  /// Every registration that was asked for, in order.
  package private(set) var asked: [UpstreamRegistration] = []
  private var conduct: [Conduct]

  /// - Parameter conduct: One a call; afterwards it answers.
  package init(_ conduct: [Conduct] = []) { self.conduct = conduct.reversed() }

  package func conducts(_ conduct: [Conduct]) { self.conduct = conduct.reversed() }

  /// Somebody registers without regd.
  package func hold(_ key: EmailKey, _ id: AccountID) { holders[key] = id }

  package func isAvailable(_ email: EmailAddress, for share: Share) async throws(NetworkFailure) -> Bool {
    holders[email.key] == nil
  }

  package func register(_ registration: UpstreamRegistration, for share: Share) async throws(NetworkFailure)
    -> UpstreamAnswer
  {
    asked.append(registration)
    let conduct = conduct.popLast() ?? .answers
    if case .fails(let failure) = conduct { throw failure }
    let holder = holders[registration.email.key, default: registration.id]
    holders[registration.email.key] = holder
    if case .actsAndFails(let failure) = conduct { throw failure }
    return holder == registration.id ? .registered : .taken
  }

  package func signIn(_ email: EmailAddress, _ password: Password, for share: Share) async throws(NetworkFailure)
    -> UpstreamSession
  {
    holders[email.key].map { .accepted(id: $0.description) } ?? .rejected
  }
}
