/// What came of a registration.
package enum RegistrationOutcome: Equatable, Sendable {
  case registered(Account)
  /// The account is pending, and will be delivered to the upstream, which could not be reached.
  case deferred(Account, NetworkFailure)
  /// The address is to be proven first.
  case claimed(AddressClaim)
  /// The claim that was to be registered is over.
  case claimGone
  case invalid([Problem])
  /// Another account has the address.
  case taken
  /// The request's id belongs to another registration: of another address, or with another password.
  case conflict
  /// There were too many wrong passwords for an address whose registration is not complete, or for a request's id.
  case throttled(retryAfterSeconds: Int)
  /// The caller withdrew before anything was done.
  case cancelled
  case hashing(HashingFailure)
  /// `isPending`: the registration may have happened; the address stays reserved for it.
  case network(NetworkFailure, isPending: Bool)
  case store(StoreFailure, isPending: Bool)
  /// The registration may have happened.
  case fault(InternalFault)
}

extension RegistrationOutcome {
  /// What is known of an attempt of another task that has not ended.
  static var unended: RegistrationOutcome { .network(.timeout, isPending: true) }

  /// Whether it says something of this caller alone, and nothing was done.
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

  /// Whether the password is the account's own from now on.
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

  /// The outcome for a caller who is cancelled: that its time is up. A store that refuses work for a cancelled caller is not
  /// at fault.
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
