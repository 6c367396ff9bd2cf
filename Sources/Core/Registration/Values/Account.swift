/// A registered account, as callers see it.
package struct Account: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// Registered. The owner may sign in.
    case active
    /// Reserved: regd does not know yet whether the upstream has the account. The address is not free.
    case pending
    /// An administrator has disabled it. The address is not free.
    case disabled
    /// An administrator has to approve it. The address is not free.
    case waiting

    /// Whether the account may still have to be approved. In other states its store keeps no `Registrant`.
    package var keepsRegistrant: Bool {
      switch self {
      case .waiting, .pending: true
      case .active, .disabled: false
      }
    }
  }

  package let id: AccountID
  package var email: EmailAddress
  package var state: State
  package let createdAt: Timestamp
  package var updatedAt: Timestamp
  /// The period in which the account's sign-ins are valid. Callers see only the stamps that depend on it
  /// (`SessionStamps`).
  package var epoch: SessionEpoch
  /// The terms that the owner accepted last, or nil if the owner never accepted any.
  package var terms: AcceptedTerms?
  package var groups: Groups
  /// The name that the owner or an administrator has given the account, or nil if the account has no name.
  package var displayName: DisplayName?
  /// Whether the owner has proven the present address: by a claim, a recovery or a mailed invitation. Nil for an account that
  /// is older than this record.
  package var isProven: Bool?

  package init(
    id: AccountID, email: EmailAddress, state: State, createdAt: Timestamp, updatedAt: Timestamp,
    terms: AcceptedTerms? = nil, epoch: SessionEpoch = .first, isProven: Bool? = nil, groups: Groups = .none,
    displayName: DisplayName? = nil
  ) {
    (self.groups, self.displayName) = (groups, displayName)
    self.isProven = isProven
    self.terms = terms
    self.epoch = epoch
    self.id = id
    self.email = email
    self.state = state
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

extension Account {
  /// Whether the account becomes disabled, and not active, once its registration is complete.
  var becomesDisabled: Bool { epoch == .firstOfDisabled }

  /// The account with the epoch in which a caller proved to be its owner. If that epoch has ended, a stamp made from
  /// this value is invalid.
  package func proven(in epoch: SessionEpoch) -> Account {
    var account = self
    account.epoch = epoch
    return account
  }
}

/// An account with the parts that no caller sees.
package struct StoredAccount: Hashable, Sendable {
  package var account: Account
  package var passwordHash: PasswordHash
  /// When the hash was last known to be correct, because the account was registered or imported, the password was
  /// changed, or the upstream, as the authority, accepted the password. Nil if the authority has refused the account
  /// since.
  package var confirmedAt: Timestamp?
  /// Who registered an account that has to be approved, or nil if that is unknown, decided or not needed.
  package var registrant: Registrant?

  package init(
    account: Account, passwordHash: PasswordHash, confirmedAt: Timestamp?, registrant: Registrant? = nil
  ) {
    self.account = account
    self.passwordHash = passwordHash
    self.confirmedAt = confirmedAt
    self.registrant = registrant
  }

  /// An account whose hash was confirmed when the account was last changed.
  package init(account: Account, passwordHash: PasswordHash) {
    self.init(account: account, passwordHash: passwordHash, confirmedAt: account.updatedAt)
  }
}

/// The id of an account: a UUID of version 7 (RFC 9562 §5.7), so that ids sort by creation time.
package struct AccountID: Hashable, Comparable, Sendable, LosslessStringConvertible {
  private let high: UInt64
  private let low: UInt64

  /// A new id for `time`. Its other 74 bits come from the system's random source.
  package init(at time: Timestamp) {
    let milliseconds = UInt64(max(0, time.microseconds) / 1000)
    var random = SystemRandomNumberGenerator()
    high = milliseconds << 16 | 0x7000 | random.next() & 0x0FFF
    low = 0x8000_0000_0000_0000 | random.next() & 0x3FFF_FFFF_FFFF_FFFF
  }

  /// The id as two numbers, the higher one first.
  var words: (UInt64, UInt64) { (high, low) }

  init(words: (UInt64, UInt64)) { (high, low) = words }

  /// An id that sorts before every id made at `time` or later.
  init(before time: Timestamp) {
    high = UInt64(max(0, time.microseconds) / 1000) << 16
    low = 0
  }

  /// The creation time to the millisecond. Meaningful only for version 7.
  var time: Timestamp { Timestamp(microseconds: Int64(high >> 16) * 1000) }

  /// Reads the 8-4-4-4-12 form of RFC 9562 §4 of any UUID, in either case.
  package init?(_ text: String) {
    var text = text
    guard let (high, low) = text.withUTF8({ Self.words($0) }) else { return nil }
    self.high = high
    self.low = low
  }

  private static func words(_ text: UnsafeBufferPointer<UInt8>) -> (high: UInt64, low: UInt64)? {
    guard text.count == length else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for (index, byte) in text.enumerated() {
      if hyphens.contains(index) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      (high, low) = (high << 4 | low >> 60, low << 4 | UInt64(digit))
    }
    return (high, low)
  }

  private static let length = 36
  private static let hyphens = [8, 13, 18, 23]

  /// Sorts ids in the order of their texts.
  package static func < (one: AccountID, other: AccountID) -> Bool { (one.high, one.low) < (other.high, other.low) }

  package var description: String {
    var (high, low) = (high, low)
    return String(unsafeUninitializedCapacity: Self.length) { text in
      for index in 0..<Self.length {
        if Self.hyphens.contains(index) {
          text[index] = UInt8(ascii: "-")
          continue
        }
        let digit = UInt8(high >> 60)
        text[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        (high, low) = (high << 4 | low >> 60, low << 4)
      }
      return Self.length
    }
  }
}

/// The period in which the sign-ins of an account are valid. Each change that ends all of them gives the account another epoch,
/// on which the stamps of later sign-ins depend (`SessionStamps`). No epoch recurs, because all except the first are random.
package struct SessionEpoch: Hashable, Sendable, CustomStringConvertible {
  /// The epoch's text in stores, or nil for an account that is older than epochs.
  package let text: String?

  package init(stored text: String?) { self.text = text }

  /// The first epoch of an account that was registered here. An account from elsewhere begins with a random one, because its id
  /// may have existed here before.
  package static let first = SessionEpoch(stored: "first")

  /// The first epoch of an account that an administrator registers as a disabled one. While the upstream has not answered,
  /// the account is pending, and has no other mark that it shall be disabled.
  package static let firstOfDisabled = SessionEpoch(stored: "disabled")

  package static func random() -> SessionEpoch {
    var random = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef".utf8)
    let bits = UInt128.random(in: .min ... .max, using: &random)
    return SessionEpoch(stored: String(decoding: (0..<32).map { digits[Int(bits >> ($0 * 4) & 15)] }, as: UTF8.self))
  }

  package var description: String { "(epoch)" }
}
