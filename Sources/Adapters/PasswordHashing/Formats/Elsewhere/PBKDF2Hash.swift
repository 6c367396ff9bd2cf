internal import Sentences

/// PBKDF2 with HMAC (RFC 8018 §5.2), in the spellings of the systems that use it.
struct PBKDF2Hash: ForeignHash {
  let digest: DigestKind
  let iterations: Int
  let salt: [UInt8]
  let tag: [UInt8]

  /// Iterations times the blocks of the value: two to six seconds of one core. OWASP asks for 600 000 with SHA-256
  /// and 1 300 000
  /// with SHA-1; Keycloak derives four blocks of the latter.
  static let maximumRounds = 10_000_000

  static let kinds: [String: DigestKind] = [
    "pbkdf2": .sha1, "pbkdf2-sha1": .sha1, "pbkdf2-sha256": .sha256, "pbkdf2-sha512": .sha512,
  ]
  static let django: [String: DigestKind] = ["pbkdf2_sha1": .sha1, "pbkdf2_sha256": .sha256]

  /// `$pbkdf2-sha256$i=600000[,l=32]$salt$value` (the PHC string format), or without `i=` as Python's passlib writes
  /// it, with a
  /// dot for each plus sign.
  ///
  /// - Returns: Nil for another scheme.
  init?(scheme: String, _ fields: ArraySlice<PasswordHashFields.Field>) throws(PasswordHashFault) {
    guard let digest = Self.kinds[scheme] else { return nil }
    guard fields.count == 3, let cost = fields.first else {
      throw .malformed(.fields, expected: "$\(scheme)$iterations$salt$value")
    }
    let (salt, tag) = (fields[fields.startIndex + 1], fields[fields.startIndex + 2])
    guard cost.starts(with: "i=".utf8) else {
      try self.init(digest, iterations: cost, salt: Self.dotted(salt, .salt), tag: Self.dotted(tag, .tag))
      return
    }
    let value = try PasswordHashFields.bytes(in: tag, .tag)
    let pairs = cost.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard pairs.count == 1 || pairs.count == 2 && pairs[1].elementsEqual("l=\(value.count)".utf8) else {
      throw .malformed(.parameters, expected: .hash(.expectedIterations))
    }
    try self.init(
      digest, iterations: pairs[0].dropFirst(2), salt: PasswordHashFields.bytes(in: salt, .salt), tag: value)
  }

  /// `pbkdf2_sha256$iterations$salt$value` as Django writes it: the salt is plain text.
  ///
  /// - Returns: Nil for another scheme.
  init?(django scheme: String, _ fields: ArraySlice<PasswordHashFields.Field>) throws(PasswordHashFault) {
    guard let digest = Self.django[scheme] else { return nil }
    guard fields.count == 3, let iterations = fields.first else {
      throw .malformed(.fields, expected: "\(scheme)$iterations$salt$value")
    }
    try self.init(
      digest, iterations: iterations, salt: Array(fields[fields.startIndex + 1]),
      tag: PasswordHashFields.padded(fields[fields.startIndex + 2], .tag))
  }

  /// `{PBKDF2-SHA256}iterations$salt$value` as OpenLDAP writes it.
  ///
  /// - Returns: Nil for another scheme.
  init?(ldap scheme: String, _ rest: ArraySlice<UInt8>) throws(PasswordHashFault) {
    guard let digest = Self.kinds[scheme.lowercased()] else { return nil }
    let fields = rest.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
    guard fields.count == 3 else { throw .malformed(.fields, expected: "{\(scheme)}iterations$salt$value") }
    try self.init(
      digest, iterations: fields[0], salt: Self.dotted(fields[1], .salt), tag: Self.dotted(fields[2], .tag))
  }

  private init(
    _ digest: DigestKind, iterations: ArraySlice<UInt8>, salt: [UInt8], tag: [UInt8]
  ) throws(PasswordHashFault) {
    self.digest = digest
    self.iterations = try PasswordHashFields.wholeNumber(iterations, .iterations)
    self.salt = salt
    self.tag = tag
  }

  /// Decodes base64 with a dot for each plus sign.
  private static func dotted(
    _ field: ArraySlice<UInt8>, _ part: PasswordHashFault.Part
  ) throws(PasswordHashFault) -> [UInt8] {
    guard !field.contains(UInt8(ascii: "+")),
      let bytes = PasswordHashFields.decode(field.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "+") : $0 })
    else { throw .malformed(part, expected: .hash(.expectedPasslibBase64)) }
    return bytes
  }

  /// Every block of the value takes all iterations.
  private var rounds: Int { iterations * ((tag.count + digest.length - 1) / digest.length) }

  func requireStrength() throws(PasswordHashFault) { try PasswordHashFormat.requireStrength(salt: salt, tag: tag) }

  func requireBearableCost() throws(PasswordHashFault) {
    try PasswordHashFormat.require(.iterations, rounds, atMost: Self.maximumRounds)
  }

  var milliseconds: Int { rounds / (digest == .sha512 ? 1800 : 4000) }
}
