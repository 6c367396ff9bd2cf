internal import CHashingMemory
internal import WorkerThreads

/// Memory that each hashing thread keeps from one hash to the next.
///
/// libsodium maps and unmaps the memory of each hash, for which the kernel takes nearly as long as the hash. Within `lend` the
/// mapping stays with the thread, overwritten, and serves its next hash (`CHashingMemory` says how). Hashes are the same, and
/// where there is no memory it is missed as without this.
struct HashingMemory: Sendable {
  /// What libsodium maps for one hash.
  let bytes: Int
  /// How long a thread without work keeps it.
  let keptFor: Duration

  init(memoryKiB: Int, keptFor: Duration) {
    // a hash has a whole multiple of four blocks of 1 KiB (RFC 9106 §3.2, m')
    bytes = memoryKiB / 4 * 4 * 1024
    self.keptFor = keptFor
  }

  /// Runs `body` on this thread. Mappings of other sizes, such as those of hashes from elsewhere, are not kept.
  func lend<Result>(_ body: () -> Result) -> Result {
    hashing_memory_begin(bytes)
    defer { hashing_memory_end() }
    return body()
  }

  /// For the threads that `lend` runs on.
  var idling: WorkerThreads.Idling {
    WorkerThreads.Idling(after: keptFor) { hashing_memory_release() }
  }
}
