internal import AsyncPrimitives
internal import CHashingMemory
internal import FairQueues
internal import Liveness
internal import Registration
internal import Synchronization
internal import WorkerThreads

/// Hashing threads and their queue. Users take turns, and so do the origins of one user (`Share`).
final class HashingQueue: Sendable {
  /// The most hashes of one share (one origin of a user) that may wait or run at once. Hashes with `goesFirst` are
  /// counted separately, so that guesses never fill the queue for them.
  private let capacity: Int
  /// The most hashes of one user, over all origins, that may wait or run at once.
  private let capacityOfUser: Int
  private let threads: WorkerThreads
  private let memory: HashingMemory?
  private let state = Mutex(State())
  private let awaited = Awaited()
  /// The estimated time of one hash in milliseconds: the base of `retryAfterSeconds`.
  private let milliseconds: Int
  private let workers: Int

  /// The kernel prefers the event loops, which have niceness 0, to hashing: a thread at 10 gets a ninth of the time of
  /// one at 0 (sched(7)). It also prefers other processes, unless regd has its own control group. Against any number of
  /// threads at 0, hashing keeps at least a tenth of the time that it would have at 0. At 19 it would keep a
  /// seventieth.
  private static let niceness: Int32 = 10

  private struct Job: Sendable {
    let id: ObjectIdentifier
    /// - Parameter isWanted: Whether a caller still waits for the result.
    let run: @Sendable (_ isWanted: Bool) -> Void
  }

  private struct State {
    var waiting = FairQueue<UInt32?, Origin?, Job>()
    /// The number of hashes that wait or run, by share. The next property counts them by user.
    var inHand: [Room<Share>: Int] = [:]
    var inHandOfUser: [Room<UInt32?>: Int] = [:]
    var count = 0
  }

  private struct Room<Owner: Hashable & Sendable>: Hashable, Sendable {
    let owner: Owner
    let goesFirst: Bool
  }

  /// - Parameters:
  ///   - queue: How many hashes of one share may wait.
  ///   - milliseconds: The estimated time of one hash.
  ///   - memory: The memory that each thread keeps from one hash to the next, or nil for none.
  init(
    name: String, workers: Int, queue: Int, milliseconds: Int, memory: HashingMemory? = nil
  ) throws(WorkerThreads.StartFailure) {
    threads = try WorkerThreads(name: name, count: workers, niceness: Self.niceness, idling: memory?.idling)
    self.memory = memory
    capacity = workers + queue
    capacityOfUser = workers + 4 * queue
    self.workers = workers
    self.milliseconds = milliseconds
  }

  func stop() { threads.stop() }

  /// A probe that is answered when a hash is done, and at once if no hash waits or runs.
  func probe(_ name: String) -> Probe {
    Probe(name) { [self] answered in
      awaited.append(answered)
      if count == 0 { awaited.answer() }
    }
  }

  var count: Int { state.withLock(\.count) }

  /// Runs `work` on a hashing thread when the share's turn has come.
  ///
  /// - Throws: `busy` if the share's or its user's queue is full, `cancelled` if the task was cancelled before its
  ///   turn.
  func run<Result: Sendable>(
    _ turn: HashingTurn, _ work: @escaping @Sendable () -> Result
  ) async throws(HashingFailure) -> Result {
    guard begin(turn) else { throw .busy(retryAfterSeconds: secondsToWork(off: turn)) }
    defer { end(turn) }
    guard turn.isDoneAnyway || !Task.isCancelled else { throw .cancelled }
    let done = Promise<Result?>()
    let id = ObjectIdentifier(done)
    append(
      Job(id: id) { [memory] isWanted in
        guard isWanted else { return done.fulfill(nil) }
        let result = if let memory { memory.lend(work) } else { work() }
        done.fulfill(result)
      }, turn)
    let result = await done.value { if !turn.isDoneAnyway { drop(id, turn.share) } }
    guard let result else { throw .cancelled }
    return result
  }

  private func begin(_ turn: HashingTurn) -> Bool {
    let (room, users) = Self.rooms(turn)
    return state.withLock { state in
      guard state.inHand[room, default: 0] < capacity, state.inHandOfUser[users, default: 0] < capacityOfUser
      else { return false }
      state.inHand[room, default: 0] += 1
      state.inHandOfUser[users, default: 0] += 1
      state.count += 1
      return true
    }
  }

  private func end(_ turn: HashingTurn) {
    let (room, users) = Self.rooms(turn)
    let isEmpty = state.withLock { state in
      state.count -= 1
      state.inHand[room] = Self.less(state.inHand[room])
      state.inHandOfUser[users] = Self.less(state.inHandOfUser[users])
      return state.count == 0
    }
    if isEmpty { awaited.answer() }
  }

  private static func rooms(_ turn: HashingTurn) -> (Room<Share>, Room<UInt32?>) {
    (Room(owner: turn.share, goesFirst: turn.goesFirst), Room(owner: turn.share.uid, goesFirst: turn.goesFirst))
  }

  /// One less, or nil instead of 0, so that the dictionary entry is removed.
  private static func less(_ count: Int?) -> Int? { count.flatMap { $0 > 1 ? $0 - 1 : nil } }

  private func append(_ job: Job, _ turn: HashingTurn) {
    state.withLock { $0.waiting.append(job, of: turn.share.uid, turn.share.origin, isPreferred: turn.goesFirst) }
    // Submits one run for each job. A run takes the job that is first in the queue when the run begins.
    threads.submit { [self] in
      let next = state.withLock { $0.waiting.popFirst()?.element }
      next?.run(true)
      awaited.answer()
    }
  }

  private func drop(_ id: ObjectIdentifier, _ share: Share) {
    let job = state.withLock { $0.waiting.remove(of: share.uid, share.origin) { $0.id == id } }
    job?.run(false)
  }

  /// Estimates in seconds, 1 to 3600, how long the user's queue takes if all users take turns.
  private func secondsToWork(off turn: HashingTurn) -> Int {
    let (own, users) = state.withLock { state in
      (state.inHandOfUser[Self.rooms(turn).1] ?? 0, max(1, state.inHandOfUser.count))
    }
    return max(1, min(3600, (own * users * milliseconds / workers + 999) / 1000))
  }
}

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
