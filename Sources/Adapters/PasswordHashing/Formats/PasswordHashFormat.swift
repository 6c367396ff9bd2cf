internal import Localization
package import Registration

/// Reads password hashes as text: the PHC string format (github.com/P-H-C/phc-string-format), bcrypt's older form, and
/// the forms of other systems (`ForeignHash`).
///
/// Reading is strict, so that a hash has one spelling and an accepted hash can be verified later. The memory for reading does not
/// depend on the parameters in the text.
package struct PasswordHashFormat: PasswordHashReader {
  enum Scheme: Sendable, CustomStringConvertible {
    case argon2id(Argon2id)
    case bcrypt(Bcrypt)
    case scrypt(Scrypt)
    case foreign(any ForeignHash)

    var description: String { "(password hash)" }
  }

  /// The most bytes of a whole hash. The longest useful one, argon2id with 64 bytes each of salt and value, has about
  /// 220.
  static let maximumLength = 512
  /// The least bytes of salt. RFC 9106 §4: 16 suffice for all uses, and 8 if space is scarce.
  static let minimumSaltLength = 8
  /// The least bytes of the tag. They are enough for most purposes (RFC 9106 §4).
  static let minimumTagLength = 16

  private let keys: ForeignKeys

  /// - Parameter keys: The configured keys. A hash that needs a missing one is refused.
  package init(keys: ForeignKeys = ForeignKeys()) { self.keys = keys }

  package func check(_ text: String) -> Result<PasswordHash, PasswordHashProblem> {
    Result { () throws(PasswordHashFault) in
      let scheme = try Self.parse(text)
      try scheme.requireMeans(keys)
      try scheme.requireStrength()
      try scheme.requireBearableCost()
      return PasswordHash(phc: text)
    }.mapError(\.problem)
  }

  /// Reads a hash from the store. Unlike `check`, it accepts argon2id with one lane at any cost, because regd itself
  /// may have made such a hash, with the parameters that an operator had configured.
  ///
  /// - Returns: The parsed hash. A failure means that the store is damaged, or that the hash needs a key that is no
  ///   longer configured.
  static func read(_ hash: PasswordHash, _ keys: ForeignKeys = ForeignKeys()) -> Result<Scheme, PasswordHashProblem> {
    Result { () throws(PasswordHashFault) in
      let scheme = try parse(hash.phc)
      if case .foreign(let hash) = scheme { try hash.requireKey(in: keys) }
      try scheme.requireStrength()
      if case .argon2id(let own) = scheme, own.lanes == 1 { return scheme }
      try scheme.requireBearableCost()
      return scheme
    }.mapError(\.problem)
  }

  private static func parse(_ text: String) throws(PasswordHashFault) -> Scheme {
    guard !text.isEmpty else { throw .missing }
    guard text.utf8.count <= maximumLength else {
      throw .malformed(.text, expected: .hash(.expectedLength, ["limit": .number(maximumLength)]))
    }
    guard text.utf8.allSatisfy({ (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) }) else {
      throw .malformed(.text, expected: .hash(.expectedASCII))
    }
    guard let spelling = PasswordHashSpelling(text) else { throw .unsupported(scheme: nil) }
    guard let (scheme, hash) = spelling.known else {
      throw .unsupported(scheme: otherSchemes.contains(spelling.key) ? spelling.key : nil)
    }
    let rest = Array(hash.rest.utf8)
    return try parse(
      hash, scheme, rest, rest.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)[...])
  }

  private static func parse(
    _ hash: PasswordHashSpelling, _ scheme: PasswordHashScheme, _ rest: [UInt8],
    _ fields: ArraySlice<PasswordHashFields.Field>
  ) throws(PasswordHashFault) -> Scheme {
    switch scheme {
    case .argon2id: .argon2id(try Argon2id(fields))
    case .argon2i: .foreign(try Argon2iHash(fields))
    case .bcrypt: .bcrypt(try Bcrypt(hash.text, fields))
    case .bcryptSHA256: .foreign(PrehashedBcrypt(django: try Bcrypt(hash.text, fields)))
    case .bcryptSHA384: .foreign(try PrehashedBcrypt(wordPress: hash.text, fields))
    case .scrypt: .scrypt(hash.form == .django ? try Scrypt(django: fields) : try Scrypt(fields))
    case .firebase: .foreign(try FirebaseHash(fields))
    case .sha256Crypt: .foreign(try CryptHash(hash, fields, value: 43))
    case .sha512Crypt: .foreign(try CryptHash(hash, fields, value: 86))
    case .yescrypt: .foreign(try CryptHash(yescrypt: hash, fields))
    case .phpass: .foreign(try PhpassHash(hash, fields))
    case .pbkdf2SHA1: .foreign(try PBKDF2Hash(.sha1, hash, fields))
    case .pbkdf2SHA256: .foreign(try PBKDF2Hash(.sha256, hash, fields))
    case .pbkdf2SHA512: .foreign(try PBKDF2Hash(.sha512, hash, fields))
    case .saltedSHA1: .foreign(try SaltedDigestHash(.sha1, rest))
    case .saltedSHA256: .foreign(try SaltedDigestHash(.sha256, rest))
    case .saltedSHA512: .foreign(try SaltedDigestHash(.sha512, rest))
    }
  }

  /// The schemes that regd knows but refuses, by their names in crypt(5), Python's passlib, Django and LDAP
  /// directories. An error message may show such a name, but never an unknown name.
  private static let otherSchemes: Set<String> = [
    "argon2d", "2", "2x", "bcrypt-sha256", "1", "apr1", "md5", "3", "7", "8", "gy", "sha1", "S", "unsalted_md5",
    "unsalted_sha1", "{MD5}", "{SMD5}", "{SHA}", "{SHA256}", "{SHA512}", "{CLEARTEXT}",
  ]
}

extension PasswordHashFormat.Scheme {
  fileprivate func requireStrength() throws(PasswordHashFault) {
    switch self {
    case .argon2id(let hash): try PasswordHashFormat.requireStrength(salt: hash.salt, tag: hash.tag)
    case .bcrypt: break  // 16 bytes of salt and 23 of value, always
    case .scrypt(let hash): try PasswordHashFormat.requireStrength(salt: hash.salt, tag: hash.tag)
    case .foreign(let hash): try hash.requireStrength()
    }
  }

  /// Refuses a hash that regd cannot verify for lack of a key or of a library.
  fileprivate func requireMeans(_ keys: ForeignKeys) throws(PasswordHashFault) {
    guard case .foreign(let hash) = self else { return }
    try hash.requireKey(in: keys)
    try hash.requireLibrary()
  }

  fileprivate func requireBearableCost() throws(PasswordHashFault) {
    switch self {
    case .argon2id(let hash): try hash.requireBearableCost()
    case .bcrypt(let hash): try hash.requireBearableCost()
    case .scrypt(let hash): try hash.requireBearableCost()
    case .foreign(let hash): try hash.requireBearableCost()
    }
  }
}

extension PasswordHashFormat {
  static func requireStrength(salt: [UInt8], tag: [UInt8]) throws(PasswordHashFault) {
    guard salt.count >= minimumSaltLength else {
      throw .tooWeak(.salt, bytes: salt.count, least: minimumSaltLength)
    }
    guard tag.count >= minimumTagLength else { throw .tooWeak(.tag, bytes: tag.count, least: minimumTagLength) }
  }

  /// Throws `tooCostly` if a value exceeds its bound.
  static func require(
    _ part: PasswordHashFault.Part, _ value: Int, atMost bound: Int
  ) throws(PasswordHashFault) {
    guard value <= bound else { throw .tooCostly(part, value: value, bound: bound) }
  }
}
