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

  private let registrar: Registrar
  private let breaker: BreakingNetwork?
  private let pendings: LeftPending
  private let settings: DeliverySchedule.Settings
  private let schedule: Mutex<DeliverySchedule>
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
    schedule = Mutex(DeliverySchedule(settings))
    self.observer = observer
  }

  /// How many waited when it was last looked.
  package var waiting: Int { count.load(ordering: .relaxed) }

  /// Delivers until the task is cancelled.
  package func run() async {
    while !Task.isCancelled {
      let pause = await round()
      await pendings.wait(atMost: pause)
    }
  }

  /// Tries everything that is due, once.
  ///
  /// - Returns: How long nothing will be due.
  package func round(at now: ContinuousClock.Instant = .now) async -> Duration {
    // a store that cannot be read, or another process on it, is looked at again in any case
    let longest = settings.maximumPause
    schedule.withLock { take(&$0) }
    if let pause = breaker?.pause { return min(pause, longest) }
    do throws(StoreFailure) {
      var seen: Set<AccountID> = []
      var after: AccountID?
      while !Task.isCancelled, breaker?.pause == nil {
        let page = try await registrar.store.pending(after: after, limit: Self.pageSize)
        seen.formUnion(page.map(\.account.id))
        await deliver(page.filter { isDue($0.account.id, now) })
        guard page.count == Self.pageSize else {
          schedule.withLock { $0.keep(seen) }
          break
        }
        after = page.last?.account.id
      }
      count.store(try await registrar.store.pendingCount(), ordering: .relaxed)
    } catch {
      return min(settings.firstPause * 4, longest)
    }
    let next = schedule.withLock { $0.next }.map { $0 - .now } ?? longest
    // what is due and under way elsewhere is looked at again soon
    return max(.milliseconds(20), min(max(next, breaker?.pause ?? .zero), longest))
  }

  /// What was tried just now is not tried again at once.
  private func take(_ schedule: inout DeliverySchedule) {
    for note in pendings.take() {
      schedule.failed(note.id, note.failure, mark: nil, at: .now, dice: Double.random(in: 0...1))
    }
  }

  private func isDue(_ id: AccountID, _ now: ContinuousClock.Instant) -> Bool {
    !registrar.isUnderWay(id) && schedule.withLock { $0.isDue(id, at: now) }
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
    let entry = schedule.withLock { $0[account.id] }
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

  private func forget(_ id: AccountID) { schedule.withLock { $0.forget(id) } }

  private func note(_ id: AccountID, _ failure: NetworkFailure?, _ mark: Timestamp?) -> DeliverySchedule.Entry {
    let dice = Double.random(in: 0...1)
    return schedule.withLock { schedule in
      schedule.failed(id, failure, mark: mark, at: .now, dice: dice)
      return schedule[id] ?? DeliverySchedule.Entry(next: .now)
    }
  }
}

/// What administrators ask of the outbox.
extension Outbox {
  package enum Answer: Equatable, Sendable {
    case done
    /// There is no account with this id that is pending.
    case notFound
    /// The upstream is being asked for it just now.
    case underWay
    /// Nobody wanted it any more, before anything was done.
    case cancelled
    case store(StoreFailure)
  }

  /// What waits, in the order in which it was registered.
  package func list(after: AccountID?, limit: Int) async throws(StoreFailure) -> Page<Waiting> {
    let found = try await registrar.store.pending(after: after, limit: limit + 1)
    let (now, time) = (ContinuousClock.now, registrar.time.now())
    let waiting = found.prefix(limit).map { stored in
      let entry = schedule.withLock { schedule in
        take(&schedule)
        return schedule[stored.account.id]
      }
      let pause = max(entry.map { $0.next - now } ?? .zero, breaker?.pause ?? .zero)
      return Waiting(
        account: stored.account, attempts: entry?.attempts ?? 0, failure: entry?.failure,
        next: time.advanced(by: max(.zero, pause)))
    }
    return Page(elements: waiting, hasMore: found.count > limit)
  }

  /// Has one tried now, or all; also where the upstream is known to be down.
  package func retry(_ id: AccountID?) async -> Answer {
    do throws(StoreFailure) {
      if let id, try await registrar.store.find(id)?.account.state != .pending { return .notFound }
    } catch {
      return .store(error)
    }
    schedule.withLock { schedule in
      take(&schedule)
      schedule.retry(id, at: .now)
    }
    breaker?.probeNow()
    pendings.wake()
    return .done
  }

  /// Gives one up: its reservation is gone, whatever the upstream has.
  ///
  /// - Parameters:
  ///   - requester: Who asks, for the audit.
  ///   - mayCommit: Asked once, before the store is changed; with false nothing is done.
  package func discard(_ id: AccountID, by requester: Requester?, mayCommit: @Sendable () -> Bool) async -> Answer {
    do throws(StoreFailure) {
      guard let account = try await registrar.store.find(id)?.account, account.state == .pending else {
        return .notFound
      }
      guard !registrar.isUnderWay(id) else { return .underWay }
      guard mayCommit() else { return .cancelled }
      let stamp = Stamp(registrar.time.now(), by: requester)
      guard try await registrar.store.release(id, seen: account.updatedAt, stamp) else { return .underWay }
    } catch {
      return .store(error)
    }
    forget(id)
    pendings.wake()
    return .done
  }
}
