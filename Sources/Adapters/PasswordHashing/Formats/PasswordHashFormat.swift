package import Registration

/// Password hashes as text: the PHC string format (github.com/P-H-C/phc-string-format) and bcrypt's older form.
///
/// Reading is strict, so that one hash has one spelling and what is taken can be verified later. The memory that it takes
/// does not depend on the parameters in the text.
package struct PasswordHashFormat: PasswordHashReader {
  enum Scheme: Equatable, Sendable, CustomStringConvertible {
    case argon2id(Argon2id)
    case bcrypt(Bcrypt)
    case scrypt(Scrypt)

    var description: String { "(password hash)" }
  }

  /// Bytes of a whole hash. The longest that is of use, argon2id with 64 bytes each of salt and value, has about 220.
  static let maximumLength = 512
  /// Bytes of salt: 16 are enough for everything and 8 where room is scarce (RFC 9106 §4).
  static let minimumSaltLength = 8
  /// Bytes of the hash value, which are enough for most purposes (RFC 9106 §4).
  static let minimumTagLength = 16

  package init() {}

  package func check(_ text: String) -> Result<PasswordHash, PasswordHashProblem> {
    Result { () throws(PasswordHashFault) in
      let scheme = try Self.parse(text)
      try scheme.requireStrength()
      try scheme.requireBearableCost()
      return PasswordHash(phc: text)
    }.mapError(\.problem)
  }

  /// Reads a hash of the store. It was taken by `check`, or is regd's own: argon2id with one lane, at the cost that the
  /// settings asked for when it was made. So argon2id with one lane has no bound of costs here.
  ///
  /// - Returns: The hash in its parts; a problem means that the store is damaged.
  static func read(_ hash: PasswordHash) -> Result<Scheme, PasswordHashProblem> {
    Result { () throws(PasswordHashFault) in
      let scheme = try parse(hash.phc)
      try scheme.requireStrength()
      if case .argon2id(let own) = scheme, own.lanes == 1 { return scheme }
      try scheme.requireBearableCost()
      return scheme
    }.mapError(\.problem)
  }

  private static func parse(_ text: String) throws(PasswordHashFault) -> Scheme {
    guard !text.isEmpty else { throw .missing }
    guard text.utf8.count <= maximumLength else {
      throw .malformed(.text, expected: "at most \(maximumLength) bytes long")
    }
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) }) else {
      throw .malformed(.text, expected: "ASCII, without white space")
    }
    let fields = bytes.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
    guard fields.count >= 2, fields[0].isEmpty else { throw .unsupported(scheme: nil) }
    let name = String(decoding: fields[1], as: UTF8.self)
    switch name {
    case "argon2id": return .argon2id(try Argon2id(fields.dropFirst(2)))
    case "2a", "2b", "2y": return .bcrypt(try Bcrypt(text, fields.dropFirst(2)))
    case "scrypt": return .scrypt(try Scrypt(fields.dropFirst(2)))
    default: throw .unsupported(scheme: otherSchemes.contains(name) ? name : nil)
    }
  }

  /// The names that crypt(5) and Python's passlib give to the schemes that are not taken.
  private static let otherSchemes: Set<String> = [
    "argon2i", "argon2d", "2", "2x", "bcrypt-sha256", "1", "apr1", "md5", "3", "5", "6", "7", "8", "y", "gy", "sha1",
    "pbkdf2", "pbkdf2-sha1", "pbkdf2-sha256", "pbkdf2-sha512", "P", "H", "S",
  ]
}

extension PasswordHashFormat.Scheme {
  fileprivate func requireStrength() throws(PasswordHashFault) {
    switch self {
    case .argon2id(let hash): try PasswordHashFormat.requireStrength(salt: hash.salt, tag: hash.tag)
    case .bcrypt: break  // 16 bytes of salt and 23 of value, always
    case .scrypt(let hash): try PasswordHashFormat.requireStrength(salt: hash.salt, tag: hash.tag)
    }
  }

  fileprivate func requireBearableCost() throws(PasswordHashFault) {
    switch self {
    case .argon2id(let hash): try hash.requireBearableCost()
    case .bcrypt(let hash): try hash.requireBearableCost()
    case .scrypt(let hash): try hash.requireBearableCost()
    }
  }
}

extension PasswordHashFormat {
  fileprivate static func requireStrength(salt: [UInt8], tag: [UInt8]) throws(PasswordHashFault) {
    guard salt.count >= minimumSaltLength else {
      throw .tooWeak(.salt, bytes: salt.count, least: minimumSaltLength)
    }
    guard tag.count >= minimumTagLength else { throw .tooWeak(.tag, bytes: tag.count, least: minimumTagLength) }
  }

  /// Refuses what is past a bound.
  static func require(
    _ part: PasswordHashFault.Part, _ value: Int, atMost bound: Int
  ) throws(PasswordHashFault) {
    guard value <= bound else { throw .tooCostly(part, value: value, bound: bound) }
  }
}
