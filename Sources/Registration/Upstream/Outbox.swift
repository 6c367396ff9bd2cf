internal import Synchronization

/// Finds out what became of registrations that were left pending, and delivers those that were put off: each is asked for
/// again, with the id that the upstream knows it by, until the upstream has said yes or taken. It gives up never, but
/// visibly. What waits is what the store has pending, so it is as durable as the store and outlives the process.
package final class Outbox: Sendable {
  /// What has happened, for those who watch.
  package enum Report: Equatable, Sendable {
    /// The upstream has it: it is active.
    case delivered(Account, attempts: Int)
    /// The upstream has another account with the address: the registration is gone.
    case refused(Account)
    /// No answer that counts, so many times now.
    case delayed(Account, attempts: Int, NetworkFailure, next: Duration)
  }

  /// What waits, as `list` gives it.
  package struct Waiting: Equatable, Sendable {
    package let account: Account
    /// How often the upstream was asked without an answer that counts, by whomever, since the daemon started.
    package let attempts: Int
    package let failure: NetworkFailure?
    /// When it is asked for again; now where it is under way or has not been tried.
    package let next: Timestamp
  }

  /// Deliveries at once, oldest first.
  private static let width = 4
  private static let pageSize = 100

  struct Guarded {
    var schedule: DeliverySchedule
    /// When all that is pending is read again: what another process on the store has left is not in the schedule.
    var nextReading: ContinuousClock.Instant
  }

  let registrar: Registrar
  let breaker: BreakingNetwork?
  let pendings: LeftPending
  private let settings: DeliverySchedule.Settings
  let guarded: Mutex<Guarded>
  private let count = Atomic<Int>(0)
  private let observer: @Sendable (Report) -> Void

  /// - Parameters:
  ///   - breaker: The network that the registrar asks, where it breaks: nothing is tried while it is open.
  ///   - pendings: Where the registrar notes what it leaves pending.
  ///   - observer: Is told what happened; may not block.
  package init(
    _ registrar: Registrar, breaker: BreakingNetwork?, pendings: LeftPending,
    settings: DeliverySchedule.Settings = DeliverySchedule.Settings(),
    observer: @escaping @Sendable (Report) -> Void = { _ in }
  ) {
    self.registrar = registrar
    self.breaker = breaker
    self.pendings = pendings
    self.settings = settings
    guarded = Mutex(Guarded(schedule: DeliverySchedule(settings), nextReading: .now))
    self.observer = observer
  }

  /// How many waited when it was last looked, and those that came since.
  package var waiting: Int { count.load(ordering: .relaxed) }

  /// Delivers until the task is cancelled.
  package func run() async {
    while !Task.isCancelled {
      let pause = await round()
      await pendings.wait(atMost: pause)
    }
  }

  /// Tries what is due, once.
  ///
  /// - Returns: How long nothing will be due.
  package func round(at now: ContinuousClock.Instant = .now) async -> Duration {
    let isReading = guarded.withLock { guarded in
      take(&guarded.schedule)
      return guarded.nextReading <= now
    }
    if breaker?.pause == nil {
      do throws(StoreFailure) {
        if isReading { try await deliverAll(at: now) } else { try await deliverDue(at: now) }
      } catch {
        // a store that cannot be read is tried again as an upstream would be
        guarded.withLock { $0.nextReading = .now + min(settings.firstPause * 4, settings.maximumPause) }
      }
    }
    let next = guarded.withLock { min($0.nextReading, $0.schedule.next ?? $0.nextReading) } - .now
    // what is due and under way elsewhere is looked at again soon
    return max(.milliseconds(20), min(max(next, breaker?.pause ?? .zero), settings.maximumPause))
  }

  /// Reads all that is pending, and delivers what is due.
  private func deliverAll(at now: ContinuousClock.Instant) async throws(StoreFailure) {
    var seen: Set<AccountID> = []
    var after: AccountID?
    while !Task.isCancelled, breaker?.pause == nil {
      let page = try await registrar.store.pending(after: after, limit: Self.pageSize)
      seen.formUnion(page.map(\.account.id))
      await deliver(page.filter { isDue($0.account.id, now) })
      after = page.last?.account.id
      guard page.count < Self.pageSize else { continue }
      guarded.withLock { guarded in
        guarded.schedule.keep(seen)
        guarded.nextReading = max(now, .now) + settings.maximumPause
      }
      break
    }
    count.store(try await registrar.store.pendingCount(), ordering: .relaxed)
  }

  /// Delivers what the schedule says is due; does not look for anything else.
  private func deliverDue(at now: ContinuousClock.Instant) async throws(StoreFailure) {
    var due = guarded.withLock { $0.schedule.due(at: now) }[...]
    while !Task.isCancelled, breaker?.pause == nil, !due.isEmpty {
      var page: [StoredAccount] = []
      for id in due.prefix(Self.pageSize) where !registrar.isUnderWay(id) {
        if let found = try await registrar.store.find(id), found.account.state == .pending {
          page.append(found)
        } else {
          forget(id)
        }
      }
      due = due.dropFirst(Self.pageSize)
      await deliver(page)
    }
  }

  /// What was tried just now is not tried again at once.
  func take(_ schedule: inout DeliverySchedule) {
    for note in pendings.take() {
      if schedule[note.id] == nil { count.add(1, ordering: .relaxed) }
      schedule.failed(note.id, note.failure, mark: nil, at: .now, dice: Double.random(in: 0...1))
    }
  }

  private func isDue(_ id: AccountID, _ now: ContinuousClock.Instant) -> Bool {
    !registrar.isUnderWay(id) && guarded.withLock { $0.schedule.isDue(id, at: now) }
  }

  /// In their order, a few at once; ends when the upstream is down.
  private func deliver(_ accounts: [StoredAccount]) async {
    await withTaskGroup(of: Void.self) { group in
      for (index, account) in accounts.enumerated() {
        // while the upstream is not known to be back, one at a time: it is the probe
        if index >= Self.width || !(breaker?.state.isClosed ?? true) { await group.next() }
        guard !Task.isCancelled, breaker?.pause == nil else { break }
        group.addTask { await self.deliver(account) }
      }
    }
  }

  private func deliver(_ holder: StoredAccount) async {
    let account = holder.account
    let entry = guarded.withLock { $0.schedule[account.id] }
    let (outcome, mark) = await registrar.deliver(holder, isMarked: entry?.mark == account.updatedAt)
    switch outcome {
    case .activated(let active):
      forget(account.id)
      observer(.delivered(active, attempts: (entry?.attempts ?? 0) + 1))
    case .taken:
      forget(account.id)
      observer(.refused(account))
    case .gone:
      forget(account.id)
    case .failed(let failure):
      // cancelled: the daemon stops
      guard !Task.isCancelled else { return }
      let failed = note(account.id, failure, mark)
      observer(.delayed(account, attempts: failed.attempts, failure, next: max(.zero, failed.next - .now)))
    case .store:
      _ = note(account.id, nil, mark)
    }
  }

  /// Nothing is known of it any more: it was delivered, or is gone.
  func forget(_ id: AccountID) {
    guarded.withLock { $0.schedule.forget(id) }
    if count.load(ordering: .relaxed) > 0 { count.subtract(1, ordering: .relaxed) }
  }

  private func note(_ id: AccountID, _ failure: NetworkFailure?, _ mark: Timestamp?) -> DeliverySchedule.Entry {
    let dice = Double.random(in: 0...1)
    return guarded.withLock { guarded in
      guarded.schedule.failed(id, failure, mark: mark, at: .now, dice: dice)
      return guarded.schedule[id] ?? DeliverySchedule.Entry(next: .now)
    }
  }
}
