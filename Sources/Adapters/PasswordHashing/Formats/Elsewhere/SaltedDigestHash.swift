internal import Localization

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
