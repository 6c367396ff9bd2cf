internal import Sentences

/// `{SSHA}`, `{SSHA256}` or `{SSHA512}`, then base64 of the digest followed by the salt, as LDAP directories keep it.
struct SaltedDigestHash: ForeignHash {
  let digest: DigestKind
  let salt: [UInt8]
  let tag: [UInt8]

  static let kinds: [String: DigestKind] = ["SSHA": .sha1, "SSHA256": .sha256, "SSHA512": .sha512]

  /// Bytes. Directories have used salts of four bytes since the 1990s; such a hash is weak with any salt.
  static let minimumSaltLength = 4

  /// - Returns: Nil for another scheme.
  init?(ldap scheme: String, _ rest: ArraySlice<UInt8>) throws(PasswordHashFault) {
    guard let digest = Self.kinds[scheme.uppercased()] else { return nil }
    let bytes = try PasswordHashFields.padded(rest, .tag)
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
