internal import CHashingMemory
internal import WorkerThreads

/// Memory that each hashing thread keeps from one hash to the next.
///
/// libsodium maps and unmaps memory for each hash, which takes the kernel nearly as long as the hash. Within `lend`,
/// the thread keeps the mapping, overwritten, for its next hash (`CHashingMemory` explains how). The hashes are the
/// same as without `lend`, and so is the failure on a lack of memory.
struct HashingMemory: Sendable {
  /// The bytes that libsodium maps for one hash.
  let bytes: Int
  /// How long an idle thread keeps this memory.
  let keptFor: Duration

  init(memoryKiB: Int, keptFor: Duration) {
    // a hash uses a whole multiple of four blocks of 1 KiB (RFC 9106 §3.2, m')
    bytes = memoryKiB / 4 * 4 * 1024
    self.keptFor = keptFor
  }

  /// Runs `body` on this thread, and keeps the mapping of `bytes` that its hash makes. Mappings of other sizes, such as
  /// those for hashes of other systems, are not kept.
  func lend<Result>(_ body: () -> Result) -> Result {
    hashing_memory_begin(bytes)
    defer { hashing_memory_end() }
    return body()
  }

  /// Frees an idle thread's memory. Must be passed to the threads that call `lend`.
  var idling: WorkerThreads.Idling {
    WorkerThreads.Idling(after: keptFor) { hashing_memory_release() }
  }
}
