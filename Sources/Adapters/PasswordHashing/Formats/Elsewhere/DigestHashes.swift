internal import Localization
internal import Registration

/// `{SSHA}`, `{SSHA256}` or `{SSHA512}`, then base64 of the digest followed by the salt, as LDAP directories keep it.
struct SaltedDigestHash: ForeignHash {
  let digest: DigestKind
  let salt: [UInt8]
  let tag: [UInt8]

  /// The least bytes of salt. Directories have used four since the 1990s. A higher minimum would not help, because a
  /// salted digest is weak with any salt.
  static let minimumSaltLength = 4

  init(_ digest: DigestKind, _ text: [UInt8]) throws(PasswordHashFault) {
    let bytes = try PasswordHashFields.padded(text[...], .tag)
    guard bytes.count > digest.length else {
      throw .malformed(.tag, expected: .hash(.expectedDigest, ["count": .number(digest.length)]))
    }
    self.digest = digest
    tag = Array(bytes.prefix(digest.length))
    salt = Array(bytes.dropFirst(digest.length))
  }

  func requireStrength() throws(PasswordHashFault) {
    guard salt.count >= Self.minimumSaltLength else {
      throw .tooWeak(.salt, bytes: salt.count, least: Self.minimumSaltLength)
    }
  }

  func requireBearableCost() throws(PasswordHashFault) {}

  var milliseconds: Int { 0 }
}

/// PBKDF2 with HMAC (RFC 8018 §5.2), in the spellings of the systems that use it.
struct PBKDF2Hash: ForeignHash {
  let digest: DigestKind
  let iterations: Int
  let salt: [UInt8]
  let tag: [UInt8]

  /// The most `rounds`: two to six seconds of one core. OWASP asks for 600 000 iterations with SHA-256, and for
  /// 1 300 000 with SHA-1. Keycloak's hashes with SHA-1 have four blocks, and so four times as many rounds.
  static let maximumRounds = 10_000_000

  init(
    _ digest: DigestKind, _ hash: PasswordHashSpelling, _ fields: ArraySlice<PasswordHashFields.Field>
  ) throws(PasswordHashFault) {
    if hash.key == "{PBKDF2_SHA256}" {
      try self.init(digest, packed: fields)
      return
    }
    guard fields.count == 3, let cost = fields.first else {
      let name = hash.form == .modular ? "$\(hash.name)$" : hash.form == .django ? "\(hash.name)$" : "{\(hash.name)}"
      throw .malformed(.fields, expected: .text("\(name)iterations$salt$value"))
    }
    let (salt, tag) = (fields[fields.startIndex + 1], fields[fields.startIndex + 2])
    switch hash.form {
    case .modular where cost.starts(with: "i=".utf8): try self.init(digest, phc: cost, salt, tag)
    case .modular:
      try self.init(digest, iterations: cost, salt: Self.dotted(salt, .salt), tag: Self.dotted(tag, .tag))
    case .directory:
      // 389 Directory Server writes both in the standard alphabet with padding, OpenLDAP as Python's passlib
      let isStandard = [salt, tag].contains { $0.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "=") } }
      let decode = isStandard ? PasswordHashFields.padded : Self.dotted
      try self.init(digest, iterations: cost, salt: decode(salt, .salt), tag: decode(tag, .tag))
    case .django:
      // the salt is plain text
      try self.init(digest, iterations: cost, salt: Array(salt), tag: PasswordHashFields.padded(tag, .tag))
    }
  }

  /// Parses `i=600000[,l=32]$salt$value`, the PHC string format.
  private init(
    _ digest: DigestKind, phc cost: PasswordHashFields.Field, _ salt: PasswordHashFields.Field,
    _ tag: PasswordHashFields.Field
  ) throws(PasswordHashFault) {
    let value = try PasswordHashFields.bytes(in: tag, .tag)
    let pairs = cost.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard pairs.count == 1 || pairs.count == 2 && pairs[1].elementsEqual("l=\(value.count)".utf8) else {
      throw .malformed(.parameters, expected: .hash(.expectedIterations))
    }
    try self.init(
      digest, iterations: pairs[0].dropFirst(2), salt: PasswordHashFields.bytes(in: salt, .salt), tag: value)
  }

  private init(
    _ digest: DigestKind, iterations: ArraySlice<UInt8>, salt: [UInt8], tag: [UInt8]
  ) throws(PasswordHashFault) {
    self.digest = digest
    self.iterations = try PasswordHashFields.wholeNumber(iterations, .iterations)
    self.salt = salt
    self.tag = tag
  }

  /// Parses base64 of 389 Directory Server's older hashes: iterations as a big-endian 32-bit number, 64 bytes of salt
  /// and 256 of value (`pbkdf2_pwd.c`). Keeps the first block of the value. It shows with the same certainty whether a
  /// password is correct, and takes an eighth of the time.
  private init(
    _ digest: DigestKind, packed fields: ArraySlice<PasswordHashFields.Field>
  ) throws(PasswordHashFault) {
    guard fields.count == 1, let text = fields.first else {
      throw .malformed(.fields, expected: "{PBKDF2_SHA256}value")
    }
    let bytes = try PasswordHashFields.padded(text, .tag)
    let iterations = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard bytes.count == 4 + 64 + 256, iterations > 0 else {
      throw .malformed(.tag, expected: .hash(.expectedPaddedBase64))
    }
    self.digest = digest
    self.iterations = iterations
    salt = Array(bytes[4..<68])
    tag = Array(bytes[68..<68 + digest.length])
  }

  /// Decodes base64 with a dot for each plus sign, as OpenLDAP and Python's passlib write it.
  private static func dotted(
    _ field: ArraySlice<UInt8>, _ part: PasswordHashFault.Part
  ) throws(PasswordHashFault) -> [UInt8] {
    guard !field.contains(UInt8(ascii: "+")),
      let bytes = PasswordHashFields.decode(field.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "+") : $0 })
    else { throw .malformed(part, expected: .hash(.expectedPasslibBase64)) }
    return bytes
  }

  /// The iterations of all blocks of the tag together. Each block takes `iterations`.
  private var rounds: Int { iterations * ((tag.count + digest.length - 1) / digest.length) }

  func requireStrength() throws(PasswordHashFault) { try PasswordHashFormat.requireStrength(salt: salt, tag: tag) }

  func requireBearableCost() throws(PasswordHashFault) {
    try PasswordHashFormat.require(.iterations, rounds, atMost: Self.maximumRounds)
  }

  var milliseconds: Int { rounds / (digest == .sha512 ? 1800 : 4000) }
}

/// The hash functions of PBKDF2 and of salted digests.
enum DigestKind: Sendable, CaseIterable {
  case sha1
  case sha256
  case sha512

  /// Bytes of a digest.
  var length: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha512: 64
    }
  }
}
