internal import Registration

extension PasswordHashFormat.Scheme {
  /// Estimates how long a comparison takes, in milliseconds of one core of the 2020s: 1 ms per MiB and pass of
  /// Argon2id, 3 ms per MiB of scrypt, 50 microseconds per round of bcrypt. The estimate only decides whether the
  /// comparison goes to the queue of slow hashes.
  var milliseconds: Int {
    switch self {
    case .argon2id(let hash): hash.memoryKiB * hash.passes / 1024
    case .bcrypt(let hash): (1 << hash.cost) / 20
    case .scrypt(let hash): ((1 << hash.logN) / 1024 * hash.blockSize * hash.parallelism) / 8 * 3
    case .foreign(let hash): hash.milliseconds
    }
  }
}
