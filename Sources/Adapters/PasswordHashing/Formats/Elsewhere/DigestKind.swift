/// The hash functions that PBKDF2 and salted digests are made with.
enum DigestKind: Sendable, CaseIterable {
  case sha1
  case sha256
  case sha512

  /// Bytes of its value.
  var length: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha512: 64
    }
  }
}
