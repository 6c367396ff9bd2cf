internal import Registration

extension PasswordHashFormat.Scheme {
  /// About how long it takes to compare a password with it, in milliseconds of a core of these years: a millisecond a MiB
  /// and pass of Argon2id, three a MiB of scrypt, and 50 microseconds a round of bcrypt. Its use is to tell what is as
  /// quick as regd's own from what is not.
  var milliseconds: Int {
    switch self {
    case .argon2id(let hash): hash.memoryKiB * hash.passes / 1024
    case .bcrypt(let hash): (1 << hash.cost) / 20
    case .scrypt(let hash): ((1 << hash.logN) / 1024 * hash.blockSize * hash.parallelism) / 8 * 3
    case .foreign(let hash): hash.milliseconds
    }
  }
}
