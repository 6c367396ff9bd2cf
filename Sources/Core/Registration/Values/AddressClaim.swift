/// Somebody's wish to have an address, or to use it to recover an account: kept until its code proves it, or until it expires.
///
/// A claim is no account and keeps no other caller from the address.
package struct AddressClaim: Hashable, Sendable {
  /// What its code is good for.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Registers an account with the address.
    case registration
    /// Sets another password for the account that has the address.
    case recovery
    /// Gives an account this address in the place of its own.
    case changeOfEmail
  }

  package enum State: String, Hashable, Sendable, CaseIterable {
    /// The right code proves it.
    case open
    /// It was proven, and `account` has the address.
    case proven
    /// Another claim or a registration was first: the address is another account's.
    case taken
    /// There was nothing to prove when it was made: no account to recover, or an address that has an account and of which
    /// callers are not to learn that. Every code is wrong, and no mail has one.
    case decoy
  }

  package let id: ClaimID
  package let kind: Kind
  /// The address whose owner has to prove it.
  package let email: EmailAddress
  /// The account that a registration makes, chosen beforehand so that each ask of the upstream has one id; or the account that is
  /// recovered, or gets another address. A decoy's is nobody's.
  package let account: AccountID
  /// Of the password that a registration came with, or that the owner has shown who wants another address; nil for a recovery.
  package let passwordHash: PasswordHash?
  /// The user that it was given to, and alone may prove it.
  package let uid: UInt32
  package let origin: Origin?
  /// The caller's name for the registration.
  package let request: RequestKey?
  /// The language of the mails, as the caller has named it (BCP 47).
  package let language: String?
  package let createdAt: Timestamp
  /// Its end; afterwards it is as if it had never been.
  package let expiresAt: Timestamp
  /// Digits of the code that it has now.
  package var digits: Int
  package var state: State
  /// Which code is good: each new one has the next number, from 1.
  package var generation: Int
  /// The end of that code's life.
  package var codeUntil: Timestamp
  /// Wrong codes so far, over all generations.
  package var attempts: Int
  /// No mail is asked for again before.
  package var resendAt: Timestamp
  /// Whether the mail with the code that it has now was admitted (`MailBounds`); also of a decoy, whose mail is not sent. The store says so.
  package var isMailed: Bool

  package init(
    id: ClaimID, kind: Kind, email: EmailAddress, account: AccountID, passwordHash: PasswordHash?, uid: UInt32,
    origin: Origin?, request: RequestKey?, language: String?, createdAt: Timestamp, expiresAt: Timestamp, digits: Int,
    state: State, generation: Int = 1, codeUntil: Timestamp, attempts: Int = 0, resendAt: Timestamp,
    isMailed: Bool = true
  ) {
    self.id = id
    self.kind = kind
    self.email = email
    self.account = account
    self.passwordHash = passwordHash
    self.uid = uid
    self.origin = origin
    self.request = request
    self.language = language
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.digits = digits
    self.state = state
    self.generation = generation
    self.codeUntil = codeUntil
    self.attempts = attempts
    self.resendAt = resendAt
    self.isMailed = isMailed
  }

  /// Whether there is a code that fits: one that was never mailed is nobody's.
  package var hasCode: Bool { isMailed && state != .decoy }

  package var share: Share { Share(uid: uid, origin: origin) }

  /// The account that has to be as its owner has shown it for the claim to be added; nil where that does not matter.
  package var fence: AccountID? { kind == .changeOfEmail && passwordHash != nil ? account : nil }

  /// - Parameter found: The account of `fence`, as the store has it.
  package func isOutdated(_ found: StoredAccount?) -> Bool {
    found?.account.state != .active || found?.passwordHash != passwordHash
  }
}

/// The id of a claim: 128 random bits, which no other caller can guess. As text 32 hexadecimal digits in lower case.
package struct ClaimID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let description: String

  package init() {
    var random = SystemRandomNumberGenerator()
    description = (0..<2).map { _ in
      let digits = String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Nil for what is no such id.
  package init?(_ text: String) {
    guard text.utf8.count == 32, text.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else { return nil }
    description = text
  }

  package static func < (one: ClaimID, other: ClaimID) -> Bool { one.description < other.description }
}

/// A try at a claim's code, compared already. What it comes to is decided by the store, in the transaction that counts it: a
/// caller that tries many codes at once gets no answer past the bounds.
package struct CodeGuess: Hashable, Sendable {
  package let isRight: Bool
  /// The code that it was compared with.
  package let generation: Int
  /// Wrong codes that end a claim.
  package let attempts: Int

  package init(isRight: Bool, generation: Int, attempts: Int) {
    self.isRight = isRight
    self.generation = generation
    self.attempts = attempts
  }
}
