/// The outcome of a registration.
package enum RegistrationOutcome: Equatable, Sendable {
  case registered(Account)
  /// The account is pending, because the upstream could not be reached; regd will deliver it.
  case deferred(Account, NetworkFailure)
  /// The address has to be proven first.
  case claimed(AddressClaim)
  /// The claim to be registered is over.
  case claimGone
  case invalid([Problem])
  /// Another account has the address.
  case taken
  /// The request's id belongs to another registration: for another address, or with another password.
  case conflict
  /// Too many wrong passwords for an address whose registration is not complete, or for a request's id.
  case throttled(retryAfterSeconds: Int)
  /// The caller withdrew before anything was done.
  case cancelled
  case hashing(HashingFailure)
  /// `isPending`: the registration may have taken place; the address stays reserved for it.
  case network(NetworkFailure, isPending: Bool)
  case store(StoreFailure, isPending: Bool)
  /// The registration may have taken place.
  case fault(InternalFault)
}

extension RegistrationOutcome {
  /// The outcome that a joiner reports of another task's attempt that has not ended.
  static var unended: RegistrationOutcome { .network(.timeout, isPending: true) }

  /// Whether the outcome concerns this caller alone, and nothing was done.
  var isOwn: Bool {
    switch self {
    case .cancelled, .hashing(.cancelled), .hashing(.busy): true
    case .network(let failure, isPending: false): failure.isOwn
    case .registered, .deferred, .claimed, .claimGone, .invalid, .taken, .conflict, .throttled,
      .hashing(.unavailable),
      .hashing(.unreadableHash), .network(_, isPending: true), .store, .fault:
      false
    }
  }

  /// Whether an account may have been left pending.
  var isPending: Bool {
    switch self {
    case .deferred, .network(_, isPending: true), .store(_, isPending: true), .fault: true
    case .registered, .claimed, .claimGone, .invalid, .taken, .conflict, .throttled, .cancelled,
      .hashing, .network(_, isPending: false),
      .store(_, isPending: false):
      false
    }
  }

  /// Whether the password is now the account's own.
  var isOfPassword: Bool {
    switch self {
    case .registered, .deferred, .network(_, isPending: true): true
    case .claimed, .claimGone, .invalid, .taken, .conflict, .throttled, .cancelled, .hashing,
      .network(_, isPending: false), .store, .fault:
      false
    }
  }

  var failure: NetworkFailure? {
    switch self {
    case .network(let failure, _), .deferred(_, let failure): failure
    case .registered, .claimed, .claimGone, .invalid, .taken, .conflict, .throttled, .cancelled,
      .hashing, .store, .fault:
      nil
    }
  }

  /// The outcome for a cancelled caller: its time is up. A store that refuses work for a cancelled caller is not at fault.
  var ofCancelled: RegistrationOutcome {
    switch self {
    case .store(.unavailable, isPending: true), .store(.cancelled, isPending: true), .network(_, isPending: true):
      .unended
    case .registered, .deferred, .claimed, .claimGone, .invalid, .taken, .conflict, .throttled,
      .cancelled, .hashing,
      .network(_, isPending: false), .store, .fault:
      self
    }
  }
}
