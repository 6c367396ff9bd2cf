/// What came of a registration.
package enum RegistrationOutcome: Equatable, Sendable {
  case registered(Account)
  /// The account is pending, and will be delivered to the upstream, which could not be reached.
  case deferred(Account, NetworkFailure)
  case invalid([Problem])
  case taken
  /// The request's id belongs to another registration: of another address, or with another password.
  case conflict
  /// There were too many wrong passwords for an address whose registration is not complete, or for a request's id.
  case throttled(retryAfterSeconds: Int)
  /// Nobody wanted it any more, before anything was done.
  case cancelled
  case hashing(HashingFailure)
  /// `isPending`: the registration may have happened; the address stays reserved for it.
  case network(NetworkFailure, isPending: Bool)
  case store(StoreFailure, isPending: Bool)
}
