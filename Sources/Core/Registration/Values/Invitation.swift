/// The id of an invitation: a UUID of version 7. Only the code admits a person, not the id.
package typealias InvitationID = AccountID

/// A permission to register, for a person who has its code. regd keeps the code's hash and never the code.
package struct Invitation: Hashable, Sendable {
  package let id: InvitationID
  package let digest: InvitationDigest
  /// The only address that the invitation admits, or nil if it admits any, or once the address was erased.
  package var email: EmailAddress?
  /// The only domain that the invitation admits, in lower-case A-labels, or nil for any.
  package let domain: String?
  /// How many accounts the invitation admits: 1 to `mostUses`, or 1 with `email`.
  package let uses: Int
  package let createdAt: Timestamp
  package let expiresAt: Timestamp
  package var revokedAt: Timestamp?
  /// An administrator's words, at most `longestNote` bytes, or nil if there is no note, or once it was erased.
  package var note: String?
  /// The uid of the administrator who made the invitation.
  package let by: UInt32
  /// Whether regd mailed the code, and to `email` only. If so, a person who has the code can read the mail of that
  /// address.
  package let isMailed: Bool
  /// The groups of each account that is registered with the invitation.
  package let groups: Groups

  package init(
    id: InvitationID, digest: InvitationDigest, email: EmailAddress?, domain: String?, uses: Int,
    createdAt: Timestamp, expiresAt: Timestamp, revokedAt: Timestamp? = nil, note: String?, by: UInt32, isMailed: Bool,
    groups: Groups = .none
  ) {
    self.groups = groups
    self.id = id
    self.digest = digest
    self.email = email
    self.domain = domain
    self.uses = uses
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.revokedAt = revokedAt
    self.note = note
    self.by = by
    self.isMailed = isMailed
  }

  package static let mostUses = 100_000
  package static let longestNote = 256
  /// The longest life of an invitation in seconds: a year.
  package static let longestLife = 31_536_000

  /// Whether the invitation admits the address at this time, if a use is left.
  package func admits(_ address: EmailAddress, at now: Timestamp) -> Bool {
    guard isOpen(at: now) else { return false }
    if let email, email.key != address.key { return false }
    if let domain, address.key.domain != domain { return false }
    return true
  }

  /// Whether the invitation has neither expired nor been revoked.
  package func isOpen(at now: Timestamp) -> Bool { revokedAt == nil && expiresAt > now }
}

/// An invitation with the numbers of its taken uses.
package struct CountedInvitation: Hashable, Sendable {
  package let invitation: Invitation
  /// Uses that made an account, whether or not the account still exists.
  package let used: Int
  /// Uses that unexpired claims hold.
  package let held: Int

  package init(_ invitation: Invitation, used: Int, held: Int) {
    // claims end when their invitation is revoked
    (self.invitation, self.used, self.held) = (invitation, used, invitation.revokedAt == nil ? held : 0)
  }
}

/// The claim or account that has a use of an invitation.
package enum InvitationHolder: Hashable, Sendable {
  /// A claim, which holds the use while it `mayHoldUse` and has not expired.
  case claim(AddressClaim)
  /// An account. It loses the use only if its registration is released (`Accounts.release`).
  case account(AccountID)
}

/// The SHA-256 (FIPS 180-4) of an invitation's code: 64 hexadecimal digits in lower case. It needs no salt, because the
/// code has 128 random bits.
package struct InvitationDigest: Hashable, Sendable {
  package let text: String

  /// - Parameter bytes: 32 bytes.
  package init(_ bytes: [UInt8]) {
    text = bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
  }

  /// - Returns: Nil if the text is not such a digest.
  package init?(_ text: String) {
    guard text.utf8.count == 64, text.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else { return nil }
    self.text = text
  }
}

/// The code of an invitation: 128 bits, printed as 26 characters in Crockford's base 32, of which the first encodes three
/// bits.
package struct InvitationCode: Equatable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  /// A new random code.
  package init() {
    var random = SystemRandomNumberGenerator()
    (high, low) = (random.next(), random.next())
  }

  /// Takes the first 128 bits of a hash of at least 16 bytes.
  package init(_ hash: [UInt8]) {
    high = hash[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = hash[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let length = 26

  /// Reads a typed code: ignores case, white space, hyphens and invisible characters (`TypedCharacter`), and takes I and L
  /// for 1 and O for 0.
  ///
  /// - Returns: Nil if the text is not a code.
  package init?(_ typed: String) {
    var (high, low, count): (UInt64, UInt64, Int) = (0, 0, 0)
    for scalar in typed.unicodeScalars.prefix(Self.longestTyped) {
      switch TypedCharacter(scalar) {
      case .ignored: continue
      case .plain(let byte):
        guard let digit = Self.value(ASCII.lowercased(byte)), count < Self.length, count > 0 || digit < 8 else {
          return nil
        }
        (high, low) = (high << 5 | low >> 59, low << 5 | digit)
        count += 1
      case .other: return nil
      }
    }
    guard count == Self.length, typed.unicodeScalars.count <= Self.longestTyped else { return nil }
    (self.high, self.low) = (high, low)
  }

  /// The most Unicode scalars of a typed code: there is room for a space after each character.
  private static let longestTyped = 128

  private static func value(_ letter: UInt8) -> UInt64? {
    switch letter {
    case UInt8(ascii: "o"): 0
    case UInt8(ascii: "i"), UInt8(ascii: "l"): 1
    default: alphabet.firstIndex { ASCII.lowercased($0) == letter }.map { UInt64($0) }
    }
  }

  package var description: String {
    var (high, low) = (high, low)
    var digits: [UInt8] = []
    for _ in 0..<Self.length {
      digits.append(Self.alphabet[Int(low & 31)])
      (high, low) = (high >> 5, low >> 5 | high << 59)
    }
    return String(decoding: digits.reversed(), as: UTF8.self)
  }

  /// The 16 bytes, the most significant one first.
  package var bytes: [UInt8] {
    [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) } }
  }
}
