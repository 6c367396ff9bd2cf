internal import AsyncPrimitives
package import Liveness
internal import Synchronization

/// An engine that passes everything to another one, the *store in place*. A move can replace the store in place while
/// callers use it. So can a start that has served before its store could be opened.
///
/// A *hold* delays changes for a moment, in which the move copies the last ones. A change that arrives during a hold
/// waits, and then goes to the store that is in place. Look-ups and lists continue in the old store. A hold ends by
/// itself after at most a second. If the program that moves the accounts dies during a hold, it therefore does no other
/// harm.
package final class SwitchableEngine: StoreEngine {
  /// The longest hold.
  package static let longestHold = Duration.seconds(1)

  package enum HoldFailure: Error, Equatable, Sendable {
    /// Another hold is in force.
    case held
    /// A change in flight did not end in time, or the store does not know the outcome of an earlier change.
    case busy
    /// The daemon is stopping.
    case stopping
  }

  private struct Hold {
    let name: String
    let end: ContinuousClock.Instant
    /// Whether another store is being put in place. The hold then lasts until `endSwitch`.
    var isSwitching = false
  }

  private struct Guarded {
    var stores: [Int: OpenStore]
    var last = 0
    /// The number of the store in place.
    var current = 0
    /// The number of operations in flight in each store, by the store's number.
    var inFlight: [Int: Int] = [:]
    var changes = 0
    var hold: Hold?
    /// Fulfilled when no change is in flight any more. Nil unless `hold` waits for that.
    var still: Promise<Void>?
    /// The changes that are held up, in the order in which they came.
    var waiting: [Promise<Void>] = []
    var isClosed = false

    /// The store in place.
    var open: OpenStore {
      guard let open = stores[current] else { preconditionFailure("the store in place is forgotten") }
      return open
    }

    /// Removes and returns the stores that are no longer in place and have no operation in flight.
    mutating func takeIdle() -> [OpenStore] {
      let idle = stores.keys.filter { $0 != current && inFlight[$0] == nil }
      return idle.compactMap { stores.removeValue(forKey: $0) }
    }
  }

  private let guarded: Mutex<Guarded>
  /// Wakes `run` when a hold begins, and when a store may have to be closed.
  private let signal = WakeSignal()
  private let longest: Duration

  /// - Parameter longest: The longest hold. The daemon's methods promise the default to their callers.
  package init(_ first: OpenStore, longest: Duration = longestHold) {
    guarded = Mutex(Guarded(stores: [0: first]))
    self.longest = longest
  }

  package var keys: StoreKeys { open.engine.keys }
  package var cryptography: any AuditCryptography { open.engine.cryptography }
  package var isCopied: Bool { open.engine.isCopied }
  package var sharedThrottle: (any SharedThrottle)? { open.engine.sharedThrottle }
  package var continuity: (any StoreContinuity)? { open.engine.continuity }
  package var probes: [Probe] { open.probes }

  private var open: OpenStore { guarded.withLock { $0.open } }

  // MARK: Operations

  package func read<Value: Sendable>(
    _ scope: ChangeScope, _ found: @Sendable (Value) -> ChangeScope, _ body: StoreBody<Value>
  ) async throws(StoreFailure) -> Value {
    try await perform(.look) { (engine) async throws(StoreFailure) in try await engine.read(scope, found, body) }
  }

  package func scan<Value: Sendable>(_ body: StoreBody<Value>) async throws(StoreFailure) -> Value {
    try await perform(.look) { (engine) async throws(StoreFailure) in try await engine.scan(body) }
  }

  package func write<Value: Sendable>(
    _ scope: ChangeScope, for share: Share, evenIfLate isLate: Bool, _ body: @escaping StoreBody<Value>
  ) async throws(StoreFailure) -> Value {
    try await perform(isLate ? .lateChange : .change) { (engine) async throws(StoreFailure) in
      try await engine.write(scope, for: share, evenIfLate: isLate, body)
    }
  }

  package func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async throws(StoreFailure) -> Bool {
    try await perform(.change) { (engine) async throws(StoreFailure) in
      try await engine.sweep(at: now, addressesBefore: addressesBefore, limit: limit)
    }
  }

  /// Delayed by a hold: a check may settle a commit, which is a change, and it would fail in a store that is marked as
  /// moved away.
  package func check() async throws(StoreFailure) {
    try await perform(.change) { (engine) async throws(StoreFailure) in try await engine.check() }
  }

  package func awaitCommit(of request: RequestKey) async throws(StoreFailure) {
    try await perform(.look) { (engine) async throws(StoreFailure) in try await engine.awaitCommit(of: request) }
  }

  private enum Kind {
    case look, change
    /// A change that ignores cancellation.
    case lateChange
  }

  private func perform<Value: Sendable>(
    _ kind: Kind, _ body: (any StoreEngine) async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let (number, engine) = try await begin(kind)
    defer { end(kind, number) }
    return try await body(engine)
  }

  /// Counts the operation as in flight. If the operation is a change, waits first until no hold is in force.
  ///
  /// - Returns: The store in place and its number. No switch replaces it while a change is in flight.
  private func begin(_ kind: Kind) async throws(StoreFailure) -> (Int, any StoreEngine) {
    while true {
      let turn = Promise<Void>()
      let begun: (Int, any StoreEngine)? = guarded.withLock { guarded in
        if kind != .look, let hold = guarded.hold, hold.isSwitching || ContinuousClock.now < hold.end {
          guarded.waiting.append(turn)
          return nil
        }
        if kind != .look { guarded.changes += 1 }
        guarded.inFlight[guarded.current, default: 0] += 1
        return (guarded.current, guarded.open.engine)
      }
      if let begun { return begun }
      await turn.value(onCancel: { if kind != .lateChange { turn.fulfill(()) } })
      guarded.withLock { $0.waiting.removeAll { $0 == turn } }
      guard kind == .lateChange || !Task.isCancelled else { throw .cancelled }
    }
  }

  private func end(_ kind: Kind, _ number: Int) {
    let (still, isIdle) = guarded.withLock { guarded -> (Promise<Void>?, Bool) in
      let left = (guarded.inFlight[number] ?? 1) - 1
      guarded.inFlight[number] = left == 0 ? nil : left
      if kind != .look { guarded.changes -= 1 }
      let still = kind != .look && guarded.changes == 0 ? guarded.still.take() : nil
      return (still, left == 0 && number != guarded.current)
    }
    still?.fulfill(())
    if isIdle { signal.raise() }
  }

  // MARK: Holding changes up

  /// Holds up changes from now on, and returns once the changes in flight are done.
  ///
  /// - Parameter length: How long the hold lasts from the call on, cut to `longest`.
  /// - Returns: An unguessable name of the hold, and the hold's remaining time.
  package func hold(for length: Duration) async throws(HoldFailure) -> (name: String, left: Duration) {
    // settles a commit of unknown outcome before the hold, because settling it may change the store
    do throws(StoreFailure) { try await open.engine.check() } catch { throw .busy }
    let end = ContinuousClock.now + min(length, longest)
    let name = Self.makeName()
    let still = Promise<Void>()
    let failure: HoldFailure? = guarded.withLock { guarded in
      guard !guarded.isClosed else { return .stopping }
      guard guarded.hold == nil else { return .held }
      guarded.hold = Hold(name: name, end: end)
      if guarded.changes == 0 { still.fulfill(()) } else { guarded.still = still }
      return nil
    }
    if let failure { throw failure }
    signal.raise()
    await still.value(onCancel: { still.fulfill(()) })
    let isStill = guarded.withLock { $0.hold?.name == name && $0.changes == 0 }
    let left = end - .now
    guard isStill, left > .zero, !Task.isCancelled else {
      release(name)
      throw .busy
    }
    return (name, left)
  }

  /// Ends a hold, so that changes continue. Does nothing during a switch, which ends the hold itself.
  ///
  /// - Returns: Whether the hold was in force.
  @discardableResult
  package func release(_ name: String) -> Bool {
    endHold { $0.name == name && !$0.isSwitching }
  }

  private func endHold(_ isRight: (Hold) -> Bool) -> Bool {
    let (waiting, still, isEnded) = guarded.withLock { guarded -> ([Promise<Void>], Promise<Void>?, Bool) in
      guard let hold = guarded.hold, isRight(hold) else { return ([], nil, false) }
      guarded.hold = nil
      defer { guarded.waiting = [] }
      return (guarded.waiting, guarded.still.take(), true)
    }
    still?.fulfill(())
    for turn in waiting { turn.fulfill(()) }
    return isEnded
  }

  private static func makeName() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let digits = String(random.next() & 0xFFFF_FFFF as UInt64, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  // MARK: The switch

  /// Extends a hold until `endSwitch`, however long the switch takes.
  ///
  /// - Returns: Whether the hold was extended. False if it has ended, or if a change is in flight.
  package func beginSwitch(_ name: String) -> Bool {
    guarded.withLock { guarded in
      guard let hold = guarded.hold, hold.name == name, guarded.changes == 0, ContinuousClock.now < hold.end else {
        return false
      }
      guarded.hold?.isSwitching = true
      return true
    }
  }

  /// Ends the hold of `beginSwitch`.
  ///
  /// - Parameter store: The store that operations use from now on, or nil to keep the present one. A replaced store is
  ///   closed once no operation is in flight there.
  package func endSwitch(with store: OpenStore?) {
    if let store { place(store) }
    _ = endHold { $0.isSwitching }
    signal.raise()
  }

  /// Puts a store in place of one that has done nothing (`UnopenedEngine`). This needs no hold.
  package func replaceUnopened(by store: OpenStore) {
    place(store)
    signal.raise()
  }

  private func place(_ store: OpenStore) {
    guarded.withLock { guarded in
      guarded.last += 1
      guarded.current = guarded.last
      guarded.stores[guarded.last] = store
    }
  }

  /// Takes over a store that was opened for a switch that failed, and lets `run` close the store.
  package func retire(_ store: OpenStore) {
    guarded.withLock { guarded in
      guarded.last += 1
      guarded.stores[guarded.last] = store
    }
    signal.raise()
  }

  // MARK: Its life

  /// Ends holds on time and closes replaced stores, until the task is cancelled. After that, changes are no longer held
  /// up.
  package func run() async {
    while !Task.isCancelled {
      let next = guarded.withLock { $0.hold.flatMap { $0.isSwitching ? nil : $0.end } }
      await signal.wait(atMost: next.map { max(.zero, $0 - .now) } ?? .seconds(86_400))
      _ = endHold { !$0.isSwitching && ContinuousClock.now >= $0.end }
      for store in guarded.withLock({ $0.takeIdle() }) { await store.close() }
    }
    guarded.withLock { $0.isClosed = true }
    _ = endHold { !$0.isSwitching }
  }

  /// Closes all stores. Call it when nothing is in flight any more. Later operations fail.
  package func close() async {
    let all = guarded.withLock { guarded in
      guarded.isClosed = true
      return Array(guarded.stores.values)
    }
    _ = endHold { _ in true }
    for store in all { await store.close() }
  }
}

/// Takes the place of a store whose server has not been reached since the start. Every operation fails with `unavailable`,
/// and changes nothing.
///
/// The keys are random, and no record of any store was made with them. Code that makes a record from a key must therefore
/// read the key after an operation of the store has succeeded.
package struct UnopenedEngine: StoreEngine {
  package let keys = StoreKeys.random()
  package let cryptography: any AuditCryptography
  private let reason: Reloadable<String>

  /// - Parameter reason: Why the store is not open, for the log and `daemon.status`.
  package init(_ reason: Reloadable<String>, _ cryptography: any AuditCryptography) {
    (self.reason, self.cryptography) = (reason, cryptography)
  }

  private var failure: StoreFailure { .unavailable(detail: reason.value) }

  package func read<Value: Sendable>(
    _ scope: ChangeScope, _ found: @Sendable (Value) -> ChangeScope, _ body: StoreBody<Value>
  ) async throws(StoreFailure) -> Value { throw failure }

  package func scan<Value: Sendable>(_ body: StoreBody<Value>) async throws(StoreFailure) -> Value { throw failure }

  package func write<Value: Sendable>(
    _ scope: ChangeScope, for share: Share, evenIfLate isLate: Bool, _ body: @escaping StoreBody<Value>
  ) async throws(StoreFailure) -> Value { throw failure }

  package func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async throws(StoreFailure) -> Bool {
    throw failure
  }

  package func check() async throws(StoreFailure) { throw failure }

  package func awaitCommit(of request: RequestKey) async throws(StoreFailure) { throw failure }
}
