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
