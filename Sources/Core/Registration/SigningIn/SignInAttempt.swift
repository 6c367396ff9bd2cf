/// One try to sign in, as the throttle sees it. It contains neither address nor password, and neither can be derived from it.
package struct SignInAttempt: Sendable {
  /// The account, whether or not it exists, and the client of the caller.
  package struct Key: Hashable, Sendable {
    let account: UInt64
    let client: ShareHash
  }

  /// The uid of the calling process (SO_PEERCRED, unix(7)), and the origin that it names, if any.
  struct ShareHash: Hashable, Sendable {
    let number: UInt64
    let uid: UInt32
    /// Whether the calling process named an origin.
    let hasOrigin: Bool
  }

  let key: Key
  /// The share (user and origin) for which questions to the shared throttle take turns.
  let share: Share
  /// Distinguishes passwords at one account. Never 0. Two passwords share a mark once in 65535 cases.
  let mark: UInt16
  /// 12 bits of a keyed hash of the password, independent of `mark`. The throttle keeps only the trace of a right
  /// password.
  let trace: UInt16
  /// A pseudo-random substitute for the trace of the correct password, if the throttle knows no correct password for
  /// this client.
  let decoy: UInt16
  /// The account's number for the shared throttle, or nil without a shared throttle.
  let shared: UInt64?
}

/// Makes attempts, with a key of passwords that is never written down, a key of accounts and clients that is kept over
/// restarts, and one key that several regd processes share.
///
/// An attacker who reads the process's memory also has the keys, and can test passwords against the kept bits at the
/// speed of SipHash. For this reason, very few bits are kept. Of a wrong password the throttle keeps 16 bits, because
/// the person may use that password elsewhere. Of a correct password it keeps 12 bits, which save a thief of both
/// memory and store only 4095 of 4096 Argon2 hashes. The cost: one wrong password in 8192 is taken for a repeat of one
/// of the last eight, and one in 4096 is hashed during a wait.
package struct SignInAttempts: Sendable {
  private let accounts: SipHash
  private let passwords: SipHash

  /// The key of accounts and clients. It is kept with the known clients (`KeptClients`). The key of passwords is never
  /// kept.
  let keyOfClients: (UInt64, UInt64)

  /// - Parameter key: The key of accounts and clients, or nil for a new one.
  package init(_ key: (UInt64, UInt64)? = nil, using generator: inout some RandomNumberGenerator) {
    keyOfClients = key ?? (generator.next(), generator.next())
    accounts = SipHash(key: keyOfClients)
    passwords = SipHash(using: &generator)
  }

  /// The most bytes of an address, or of the text typed as one, that are hashed. Every address key is shorter: 64 bytes of a
  /// local part become at most 704 (UAX #15, "Expansion Factors": eleven times in NFKC), and a domain has at most 253.
  private static let longestAccount = 1024

  /// - Parameters:
  ///   - account: The key of an address, or the typed text if it is not an address.
  ///   - share: The share of the calling process.
  ///   - key: The key of the shared throttle, if there is one.
  package func attempt(
    account: String, share: Share, password: Password, sharedBy key: SharedThrottleKey? = nil
  ) -> SignInAttempt {
    let shared = key.map { Self.number(of: account, by: $0.hash) }
    let key = self.key(account: account, share: share)
    let bits = password.withBytes { passwords.hash($0, after: key.account) }
    let decoy = withUnsafeBytes(of: key.client.number.littleEndian) { accounts.hash($0, after: key.account) }
    return SignInAttempt(
      key: key, share: share,
      mark: max(1, UInt16(truncatingIfNeeded: bits)),
      trace: UInt16(truncatingIfNeeded: bits >> 16) & 0xFFF, decoy: UInt16(truncatingIfNeeded: decoy) & 0xFFF,
      shared: shared)
  }

  /// Makes the key of an account and a client from the key of an address (or the typed text) and a share.
  func key(account: String, share: Share) -> SignInAttempt.Key {
    SignInAttempt.Key(account: number(of: account), client: client(of: share))
  }

  private func client(of share: Share) -> SignInAttempt.ShareHash {
    let uid = share.uid ?? .max
    guard let origin = share.origin else {
      return SignInAttempt.ShareHash(number: UInt64(uid), uid: uid, hasOrigin: false)
    }
    var text = origin.text
    let number = text.withUTF8 { accounts.hash(UnsafeRawBufferPointer($0), after: UInt64(uid)) }
    return SignInAttempt.ShareHash(number: number, uid: uid, hasOrigin: true)
  }

  /// The number of an account: 64 bits of a keyed hash. No caller can choose two accounts with the same number, and
  /// even millions of accounts practically never collide.
  func number(of account: String) -> UInt64 { Self.number(of: account, by: accounts) }

  static func number(of account: String, by hash: SipHash) -> UInt64 {
    var account = account
    return account.withUTF8 {
      hash.hash(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: $0.prefix(longestAccount))))
    }
  }
}

/// The outcome of a sign-in.
package enum SignInOutcome: ObstructibleOutcome, Equatable, Sendable {
  case signedIn(Account)
  case refused(SignInRefusal)
  /// It is not known whether the password is right.
  case obstructed(Obstacle)

  package var obstacle: Obstacle? { if case .obstructed(let obstacle) = self { obstacle } else { nil } }

  /// The outcome for a caller who has proved the password of this account.
  init(toOwnerOf account: Account) {
    self =
      switch account.state {
      case .active: .signedIn(account)
      case .disabled: .refused(.disabled)
      case .pending: .refused(.pending)
      case .waiting: .refused(.waiting(account))
      }
  }

  /// The outcome where only accounts that meet the requirement may sign in.
  func requiring(_ requirement: GroupRequirement) -> SignInOutcome {
    guard case .signedIn(let account) = self, !requirement.isMet(by: account.groups) else { return self }
    return .refused(.notMember)
  }

  /// Whether the outcome holds for every caller who tries this password at this account, and not for this caller alone.
  var isOfGuess: Bool {
    switch self {
    case .signedIn, .refused: true
    case .obstructed(let obstacle): !obstacle.isOwn
    }
  }

  /// The account that the caller has signed in to.
  var account: AccountID? { if case .signedIn(let account) = self { account.id } else { nil } }

  /// How the attempt ended, for the throttle.
  var ending: SignInThrottle.Ending {
    switch self {
    case .signedIn, .refused(.disabled), .refused(.pending), .refused(.waiting), .refused(.notMember): .right
    case .refused(.rejected): .wrong
    case .obstructed: .unknown
    }
  }
}

/// Why a caller may not sign in.
package enum SignInRefusal: Equatable, Sendable {
  /// Unknown address or wrong password. The caller does not learn which.
  case rejected
  /// The password was right, but the account is disabled.
  case disabled
  /// The password was right, but the account is pending.
  case pending
  /// The password was right, but an administrator has to approve the account.
  case waiting(Account)
  /// The password was right, but the account is in none of the groups that may sign in there.
  case notMember
}
