package import Registration
internal import Sentences

/// Password hashes as text: the PHC string format (github.com/P-H-C/phc-string-format) and bcrypt's older form.
///
/// Reading is strict, so that a hash has one spelling and an accepted hash can be verified later. The memory for
/// reading does
/// not depend on the parameters in the text.
package struct PasswordHashFormat: PasswordHashReader {
  enum Scheme: Sendable, CustomStringConvertible {
    case argon2id(Argon2id)
    case bcrypt(Bcrypt)
    case scrypt(Scrypt)
    case foreign(any ForeignHash)

    var description: String { "(password hash)" }
  }

  /// Bytes of a whole hash. The longest useful one, argon2id with 64 bytes each of salt and value, has about 220.
  static let maximumLength = 512
  /// Bytes of salt: 16 suffice for everything, and 8 if room is scarce (RFC 9106 §4).
  static let minimumSaltLength = 8
  /// Bytes of the hash value; enough for most purposes (RFC 9106 §4).
  static let minimumTagLength = 16

  private let keys: ForeignKeys

  /// - Parameter keys: A hash that needs a key missing here is refused.
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

  /// Reads a hash of the store: one that `check` accepted, or regd's own, argon2id with one lane at the cost that was
  /// configured
  /// when it was made. So argon2id with one lane has no limit of costs here.
  ///
  /// - Returns: The hash in its parts; a problem means that the store is damaged.
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
    let bytes = Array(text.utf8)
    guard bytes.allSatisfy({ (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) }) else {
      throw .malformed(.text, expected: .hash(.expectedASCII))
    }
    if bytes[0] == UInt8(ascii: "{") { return try parse(ldap: text, bytes) }
    let fields = bytes.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
    guard fields.count >= 2 else { throw .unsupported(scheme: nil) }
    guard fields[0].isEmpty else { return try parse(django: text, fields) }
    return try parse(text, String(decoding: fields[1], as: UTF8.self), fields.dropFirst(2))
  }

  /// Parses `$scheme$…`, the form of crypt(3) and of the PHC string format.
  private static func parse(
    _ text: String, _ scheme: String, _ fields: ArraySlice<PasswordHashFields.Field>
  ) throws(PasswordHashFault) -> Scheme {
    switch scheme {
    case "argon2id": return .argon2id(try Argon2id(fields))
    case "2a", "2b", "2y": return .bcrypt(try Bcrypt(text, fields))
    case "scrypt": return .scrypt(try Scrypt(fields))
    case "argon2i": return .foreign(try Argon2iHash(fields))
    case "fbscrypt": return .foreign(try FirebaseHash(fields))
    case "wp": return .foreign(try PrehashedBcrypt(wordPress: text, fields))
    default: break
    }
    if let hash = try PBKDF2Hash(scheme: scheme, fields) { return .foreign(hash) }
    if let hash = try CryptHash(text, scheme: scheme, fields) { return .foreign(hash) }
    if let hash = try PhpassHash(scheme: scheme, fields) { return .foreign(hash) }
    throw .unsupported(scheme: otherSchemes.contains(scheme) ? scheme : nil)
  }

  /// Parses `scheme$…`, Django's form: its own schemes, and other systems' hashes after Django's name for them.
  private static func parse(
    django text: String, _ fields: [PasswordHashFields.Field]
  ) throws(PasswordHashFault) -> Scheme {
    let name = String(decoding: fields[0], as: UTF8.self)
    if let hash = try PBKDF2Hash(django: name, fields.dropFirst()) { return .foreign(hash) }
    switch name {
    case "argon2": return try parse(inner: "$" + text.dropFirst(name.utf8.count + 1), of: ["argon2id", "argon2i"])
    case "bcrypt": return try parse(inner: String(text.dropFirst(name.utf8.count + 1)), of: ["2a", "2b", "2y"])
    case "bcrypt_sha256":
      let inner = try parse(inner: String(text.dropFirst(name.utf8.count + 1)), of: ["2a", "2b", "2y"])
      guard case .bcrypt(let bcrypt) = inner else { throw .unsupported(scheme: name) }
      return .foreign(PrehashedBcrypt(django: bcrypt))
    case "scrypt": return .scrypt(try Scrypt(django: fields.dropFirst()))
    default: throw .unsupported(scheme: otherSchemes.contains(name) ? name : nil)
    }
  }

  /// Parses `{SCHEME}…`, the form of LDAP directories (RFC 2307 §5.3); ignores the name's case.
  private static func parse(ldap text: String, _ bytes: [UInt8]) throws(PasswordHashFault) -> Scheme {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "}")) else { throw .unsupported(scheme: nil) }
    let (name, rest) = (String(decoding: bytes[1..<end], as: UTF8.self), bytes[(end + 1)...])
    let inner = String(decoding: rest, as: UTF8.self)
    switch name.uppercased() {
    case "CRYPT": return try parse(inner: inner, of: ["2a", "2b", "2y", "5", "6", "y"])
    case "ARGON2": return try parse(inner: inner, of: ["argon2id", "argon2i"])
    default: break
    }
    if let hash = try SaltedDigestHash(ldap: name, rest) { return .foreign(hash) }
    if let hash = try PBKDF2Hash(ldap: name, rest) { return .foreign(hash) }
    throw .unsupported(scheme: otherSchemes.contains("{\(name.uppercased())}") ? "{\(name.uppercased())}" : nil)
  }

  /// Parses a hash that follows another system's name for its scheme.
  private static func parse(inner text: String, of schemes: [String]) throws(PasswordHashFault) -> Scheme {
    let fields = Array(text.utf8).split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
    guard fields.count >= 2, fields[0].isEmpty, case let name = String(decoding: fields[1], as: UTF8.self),
      schemes.contains(name)
    else { throw .unsupported(scheme: nil) }
    return try parse(text, name, fields.dropFirst(2))
  }

  /// The names of schemes that regd refuses, in crypt(5), Python's passlib, Django and LDAP directories.
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

  /// Refuses a hash that regd has no key or library to verify.
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
