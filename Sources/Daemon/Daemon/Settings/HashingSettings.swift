internal import PasswordHashing

/// `hashing`: the cost of a password hash, and how many run at once.
package struct HashingSettings: Equatable, Sendable {
  package var memoryKiB: Int
  package var passes: Int
  /// How many hashes run at once. 0 means one per processor that regd may use.
  package var workers: Int
  package var queue: Int
  /// Secrets that some hashes of other systems need.
  var foreignKeys = ForeignKeys()

  /// How many hashes run at once, at least 1.
  var workerCount: Int { workers == 0 ? machine.processors : workers }

  private let machine: Machine
  private static let usualMemoryKiB = 19_456

  init(_ reader: inout SettingsReader, on machine: Machine = .here) {
    self.machine = machine
    memoryKiB = reader.integer("hashing.memoryKiB", default: Self.usualMemoryKiB, 7_168...4_194_304)
    passes = reader.integer("hashing.passes", default: 2, 1...100)
    workers = reader.integer("hashing.workers", default: 0, 0...1024)
    queue = reader.integer("hashing.queue", default: 256, 1...100_000)
    let firebaseKey = reader.secret("hashing.firebaseKey", default: "")
    let parameters = SodiumHasher.Parameters(memoryKiB: memoryKiB, passes: passes, workers: 1)
    let budget = machine.memoryKiB / 2
    if memoryKiB > budget / workerCount {
      let most = budget / memoryKiB
      // if the hashes have the usual size or less, their number is too large, not their size
      let isTooMany = workers > 0 && memoryKiB <= Self.usualMemoryKiB && most > 0
      reader.refuse(
        isTooMany ? "hashing.workers" : "hashing.memoryKiB",
        "is too high\(isTooMany ? ", the maximum is \(most)" : ""): \(workerCount) hashes at once would take more than half of the memory that regd may use (\(budget) KiB)"
      )
    }
    if !firebaseKey.isEmpty {
      if let keys = ForeignKeys(firebase: firebaseKey) {
        foreignKeys = keys
      } else {
        reader.refuse(
          "hashing.firebaseKey",
          "must be the project's base64_signer_key: 16 to 128 bytes in base64, with its padding")
      }
    }
    if let weakness = parameters.weakness { reader.refuse("hashing.memoryKiB", "is too weak: \(weakness)") }
  }
}
