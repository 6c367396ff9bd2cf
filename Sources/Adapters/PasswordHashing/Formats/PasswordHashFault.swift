internal import Registration

/// Which rule of a format a password hash breaks, and where.
enum PasswordHashFault: Error {
  /// The part of a hash that is at fault, as the beginning of a sentence.
  enum Part: String {
    case text = "The hash"
    case fields = "The fields of the hash"
    case version = "The version"
    case parameters = "The parameters"
    case memory = "The parameter m (KiB of memory)"
    case passes = "The parameter t (passes)"
    case lanes = "The parameter p (lanes)"
    case memoryTimesPasses = "The parameter m times t (KiB gone through)"
    case cost = "The cost (doublings of the work)"
    case logN = "The parameter ln (doublings of the memory)"
    case blockSize = "The parameter r (block size)"
    case parallelism = "The parameter p (parallelism)"
    case blocks = "128 times N times r (bytes of memory)"
    case blocksTimesParallelism = "128 times N times r times p (bytes gone through)"
    case salt = "The salt"
    case tag = "The hash value"
  }

  /// The text is empty.
  case missing
  /// The hash is of another scheme. Nil if the scheme's name is not a known one: the text may be anything then, a bare
  /// digest or a plain password, and must not be shown.
  case unsupported(scheme: String?)
  /// `expected`: what would be right, as the end of a sentence after "must be".
  case malformed(Part, expected: String)
  /// `value` is past `bound`, the most that is taken.
  case tooCostly(Part, value: Int, bound: Int)
  /// Fewer `bytes` than `least`.
  case tooWeak(Part, bytes: Int, least: Int)

  /// The same for every reader of hashes.
  var problem: PasswordHashProblem {
    switch self {
    case .missing: .missing
    case .unsupported(let scheme):
      PasswordHashProblem(
        .unsupported,
        (scheme.map { "Hashes of the scheme \($0) are not supported" } ?? "The scheme of the hash is not known")
          + "; argon2id ($argon2id$), bcrypt ($2a$, $2b$, $2y$) and scrypt ($scrypt$) are.")
    case .malformed(let part, let expected): PasswordHashProblem(.malformed, "\(part.rawValue) must be \(expected).")
    case .tooCostly(let part, let value, let bound):
      PasswordHashProblem(.tooCostly, "\(part.rawValue) is \(value); at most \(bound) is taken.")
    case .tooWeak(let part, let bytes, let least):
      PasswordHashProblem(
        .tooWeak, "\(part.rawValue) has \(bytes) \(bytes == 1 ? "byte" : "bytes"); it needs at least \(least).")
    }
  }
}
