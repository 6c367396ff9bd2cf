internal import FairSharing
internal import Registration
internal import Synchronization
internal import WorkerThreads

/// Threads that hash, and what waits for them: users take turns, a user's origins among themselves, and each of them waits
/// in a queue of its own.
final class HashingLine: Sendable {
  /// What one share may have in hand at once, waiting and at work.
  private let capacity: Int
  /// The same for one user over all of its origins.
  private let capacityOfUser: Int
  private let threads: WorkerThreads
  private let state = Mutex(State())
  /// How long one hash takes, at most, in milliseconds; for who asks how long the queue is.
  private let milliseconds: Int
  private let workers: Int

  private struct Job: Sendable {
    let number: Int
    /// - Parameter isWanted: Whether anybody waits for it.
    let run: @Sendable (_ isWanted: Bool) -> Void
  }

  private struct State {
    var waiting = FairQueue<UInt32?, Origin?, Job>()
    /// In hand, waiting and at work.
    var inHand: [Share: Int] = [:]
    var inHandOfUser: [UInt32?: Int] = [:]
    var count = 0
    var lastNumber = 0
  }

  /// - Parameters:
  ///   - queue: How many of one share may wait.
  ///   - milliseconds: How long one hash takes about.
  init(
    name: String, workers: Int, queue: Int, milliseconds: Int
  ) throws(WorkerThreads.StartFailure) {
    threads = try WorkerThreads(name: name, count: workers, niceness: 19)
    capacity = workers + queue
    capacityOfUser = workers + 4 * queue
    self.workers = workers
    self.milliseconds = milliseconds
  }

  func stop() { threads.stop() }

  /// Passwords that are being hashed or wait for it.
  var count: Int { state.withLock(\.count) }

  /// Has `work` done when it is its turn.
  ///
  /// - Throws: `busy` where the share's queue is full, `cancelled` where the task was cancelled before its turn.
  func run<Result: Sendable>(
    _ turn: HashingTurn, _ work: @escaping @Sendable () -> Result
  ) async throws(HashingFailure) -> Result {
    guard let number = begin(turn.share) else { throw .busy(retryAfterSeconds: secondsToWork(off: turn.share)) }
    defer { end(turn.share) }
    let result: Result? = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let job = Job(number: number) { isWanted in continuation.resume(returning: isWanted ? work() : nil) }
        append(job, turn)
      }
    } onCancel: {
      if !turn.isDoneAnyway { drop(number, turn.share) }
    }
    guard let result else { throw .cancelled }
    return result
  }

  private func begin(_ share: Share) -> Int? {
    state.withLock { state in
      guard state.inHand[share, default: 0] < capacity, state.inHandOfUser[share.uid, default: 0] < capacityOfUser
      else { return nil }
      state.inHand[share, default: 0] += 1
      state.inHandOfUser[share.uid, default: 0] += 1
      state.count += 1
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  private func end(_ share: Share) {
    state.withLock { state in
      state.count -= 1
      state.inHand[share] = Self.less(state.inHand[share])
      state.inHandOfUser[share.uid] = Self.less(state.inHandOfUser[share.uid])
    }
  }

  /// One less; nil instead of none, so that who has gone leaves nothing behind.
  private static func less(_ count: Int?) -> Int? { count.flatMap { $0 > 1 ? $0 - 1 : nil } }

  private func append(_ job: Job, _ turn: HashingTurn) {
    let isWanted = state.withLock { state in
      // the cancellation comes before, and finds nothing, or behind, and finds it
      guard turn.isDoneAnyway || !Task.isCancelled else { return false }
      state.waiting.append(job, of: turn.share.uid, turn.share.origin, isPreferred: turn.goesFirst)
      return true
    }
    guard isWanted else { return job.run(false) }
    // as many pieces of work as jobs; whose job a piece is is decided when its time has come
    threads.submit { [self] in
      let next = state.withLock { $0.waiting.popFirst()?.element }
      next?.run(true)
    }
  }

  private func drop(_ number: Int, _ share: Share) {
    let job = state.withLock { $0.waiting.remove(of: share.uid, share.origin) { $0.number == number } }
    job?.run(false)
  }

  /// How long the share's queue takes, at the pace that is left to it by all who have one.
  private func secondsToWork(off share: Share) -> Int {
    let (own, users) = state.withLock { (($0.inHandOfUser[share.uid] ?? 0), max(1, $0.inHandOfUser.count)) }
    return max(1, min(3600, (own * users * milliseconds / workers + 999) / 1000))
  }
}
