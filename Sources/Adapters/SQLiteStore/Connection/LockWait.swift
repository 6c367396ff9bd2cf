internal import Linux
internal import Liveness
internal import Synchronization
internal import WorkerThreads

/// Waits for another connection's lock in the steps of SQLite's own busy timeout. Each step answers the probe, to show that the
/// thread is alive.
final class LockWait: Sendable {
  /// The callbacks of the thread's probe, called while the thread waits for a lock, and between its
  /// pieces of work.
  let awaited = Awaited()
  private let milliseconds: Int32
  /// When the longest total wait ends, however long the statement itself has waited. Nil means no such time.
  private let end = Mutex<ContinuousClock.Instant?>(nil)
  /// Whether the last statement that met a lock gave up, and none has succeeded since then.
  private let isVain = Atomic(false)
  /// A change that has queued for all of its time still waits this long for a lock itself.
  private static let leastMilliseconds: Int32 = 500
  private let isOff = Atomic(false)

  /// Milliseconds of the first waits. All later waits are as long as the last of these.
  private static let steps: [Int32] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

  /// - Parameter milliseconds: The longest total wait of one statement.
  init(milliseconds: Int32) { self.milliseconds = milliseconds }

  /// The pointer for SQLite. Valid as long as the connection keeps this object.
  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func of(_ pointer: UnsafeMutableRawPointer) -> LockWait {
    Unmanaged<LockWait>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Notes the progress of a statement that takes long.
  ///
  /// - Returns: True.
  static func goesOn(_ pointer: UnsafeMutableRawPointer?) -> Bool {
    if let pointer { of(pointer).awaited.answer() }
    return true
  }

  /// Lets the statements from now on wait until `milliseconds` after `time`, instead of each for that long. A change
  /// that has been in the queue since `time` may have waited there for another reason, such as a slow disk. The
  /// statements therefore wait for half a second from now on in any case. The exception is a queue behind changes that
  /// waited for a lock in vain: the changes in that queue have waited for the same lock all the time.
  func count(from time: ContinuousClock.Instant) {
    let least = isVain.load(ordering: .relaxed) ? 0 : min(milliseconds, Self.leastMilliseconds)
    end.withLock { $0 = max(time + .milliseconds(milliseconds), .now + .milliseconds(least)) }
  }

  /// Notes that a statement got its lock.
  func succeeded() { isVain.store(false, ordering: .relaxed) }

  /// Runs `body`. A statement in `body` that meets another connection's lock fails at once.
  func without<Value>(_ body: () -> Value) -> Value {
    isOff.store(true, ordering: .relaxed)
    defer { isOff.store(false, ordering: .relaxed) }
    return body()
  }

  /// Waits for one step.
  ///
  /// - Parameter tries: How often this statement has waited already.
  /// - Returns: Whether SQLite should try again.
  func goesOn(_ tries: Int32) -> Bool {
    awaited.answer()
    guard !isOff.load(ordering: .relaxed) else { return false }
    let (before, step) = Self.schedule(Int(tries))
    var wait = Duration.milliseconds(min(step, milliseconds - before))
    if let end = end.withLock({ $0 }) { wait = min(wait, end - .now) }
    guard wait > .zero else {
      isVain.store(true, ordering: .relaxed)
      return false
    }
    ThisThread.sleep(for: wait)
    return true
  }

  /// How long the earlier waits took in total, and how long the next one takes.
  private static func schedule(_ tries: Int) -> (before: Int32, step: Int32) {
    guard tries < steps.count else {
      let last = steps[steps.count - 1]
      return (steps.reduce(0, +) + Int32(clamping: tries - steps.count) * last, last)
    }
    return (steps.prefix(tries).reduce(0, +), steps[tries])
  }
}

extension LockWait {
  /// A probe that shows whether the connection's thread is alive.
  func probe(_ name: String, on executor: ThreadExecutor) -> Probe {
    Probe(name) { [self] answered in
      awaited.append(answered)
      executor.submit { [self] in awaited.answer() }
    }
  }
}
