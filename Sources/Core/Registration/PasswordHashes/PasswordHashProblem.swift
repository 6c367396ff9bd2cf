/// Why a password hash from elsewhere is not taken.
package enum PasswordHashProblem: Error, Hashable, Sendable {
  /// What programs switch on; never changes.
  package enum Reason: String, Sendable, CaseIterable {
    case missing = "hash.missing"
    case unsupported = "hash.unsupported"
    case malformed = "hash.malformed"
    case tooCostly = "hash.tooCostly"
    case tooWeak = "hash.tooWeak"
  }

  /// What of a hash is at fault, as a sentence begins with it.
  package enum Part: String, Sendable, CaseIterable {
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

  /// There is no hash.
  case missing
  /// It is of another scheme. Nil where its name is none that people know: what stands there may be anything then, a
  /// bare digest or a password that nobody has hashed, and must not be shown.
  case unsupported(scheme: String?)
  /// `expected`: what would be right, to go on with after "must be".
  case malformed(Part, expected: String)
  /// `value` is past `bound`, the most that is taken.
  case tooCostly(Part, value: Int, bound: Int)
  /// Fewer `bytes` than `least`.
  case tooWeak(Part, bytes: Int, least: Int)

  package var reason: Reason {
    switch self {
    case .missing: .missing
    case .unsupported: .unsupported
    case .malformed: .malformed
    case .tooCostly: .tooCostly
    case .tooWeak: .tooWeak
    }
  }

  /// A sentence for a person: which rule, and what would pass. Nothing of the hash but its parameters is in it.
  package var message: String {
    switch self {
    case .missing: "A password hash is needed."
    case .unsupported(let scheme):
      (scheme.map { "Hashes of the scheme \($0) are not supported" } ?? "The scheme of the hash is not known")
        + "; argon2id ($argon2id$), bcrypt ($2a$, $2b$, $2y$) and scrypt ($scrypt$) are."
    case .malformed(let part, let expected): "\(part.rawValue) must be \(expected)."
    case .tooCostly(let part, let value, let bound): "\(part.rawValue) is \(value); at most \(bound) is taken."
    case .tooWeak(let part, let bytes, let least):
      "\(part.rawValue) has \(bytes) \(bytes == 1 ? "byte" : "bytes"); it needs at least \(least)."
    }
  }
}
