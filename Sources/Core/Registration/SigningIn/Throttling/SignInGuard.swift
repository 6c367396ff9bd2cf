internal import AsyncPrimitives
internal import Synchronization

/// The throttle of all sign-ins of this process: a `SignInThrottle` behind a lock, with a clock, and with the count
/// that several regd processes share.
package final class SignInGuard: Sendable {
  private let throttle: Mutex<SignInThrottle>
  private let attempts: SignInAttempts
  private let shared: Reloadable<SharedCount?>
  private let clock: @Sendable () -> Duration
  private let clientsChanged = WakeSignal()

  /// Uses CLOCK_BOOTTIME (clock_gettime(2)): immune to changes of the wall clock, and counts suspend.
  ///
  /// - Parameter kept: The known clients of an earlier process of this regd.
  package convenience init(
    _ limits: SignInLimits = SignInLimits(), shared: (any SharedThrottle)? = nil, keeping kept: KeptClients? = nil
  ) {
    var generator = SystemRandomNumberGenerator()
    let start = ContinuousClock.now
    self.init(SignInThrottle(limits, keeping: kept, using: &generator), shared: shared) { start.duration(to: .now) }
  }

  /// - Parameters:
  ///   - shared: The throttle that several regd processes share, or nil if this regd shares no count.
  ///   - clock: The time since a fixed moment.
  package init(
    _ throttle: SignInThrottle, shared: (any SharedThrottle)? = nil, clock: @escaping @Sendable () -> Duration
  ) {
    attempts = throttle.attempts
    self.throttle = Mutex(throttle)
    self.shared = Reloadable(shared.map { SharedCount($0, clock: clock) })
    self.clock = clock
  }

  /// The known clients, for a later process of this regd. From then on, `takeChangesOfClients` returns later changes only.
  package func takeClients() -> KeptClients { throttle.withLock { $0.kept(at: clock()) } }

  /// The changes of the known clients since the last call of this function or of `takeClients`, except those beyond a
  /// quota of `ClientChanges`. Nil if there are none.
  package func takeChangesOfClients() -> KeptClients? { throttle.withLock { $0.takeChangesOfClients(at: clock()) } }

  /// Waits until `takeChangesOfClients` has something to return, until `pause` has passed, or until the task is
  /// cancelled. Only one task may wait at a time.
  package func waitForChangeOfClients(atMost pause: Duration) async { await clientsChanged.wait(atMost: pause) }

  /// Grows with each change of the known clients that is worth keeping.
  package var editionOfClients: Int { throttle.withLock { $0.editionOfClients } }

  /// Calls `body` with the throttle. If there is then a change of the known clients, and there was none before, wakes the
  /// task that waits for it.
  private func update<Value: Sendable>(_ body: (inout SignInThrottle) -> Value) -> Value {
    let (value, isFirst) = throttle.withLock { throttle in
      let hadChanges = throttle.hasChangesOfClients
      let value = body(&throttle)
      return (value, !hadChanges && throttle.hasChangesOfClients)
    }
    if isFirst { clientsChanged.raise() }
    return value
  }

  /// Uses another shared throttle from now on, or none. Attempts in flight are then counted by this regd alone.
  package func share(_ throttle: (any SharedThrottle)?) {
    shared.replace(throttle.map { SharedCount($0, clock: clock) })
  }

  /// Makes an attempt. Hashes the password outside the lock, so that a long password delays no other attempt.
  ///
  /// - Parameters:
  ///   - account: The key of the typed address, or the typed text if it is not an address.
  ///   - share: The share of the calling process.
  package func attempt(account: String, share: Share, password: Password) -> SignInAttempt {
    attempts.attempt(account: account, share: share, password: password, sharedBy: shared.value?.throttle.key)
  }

  /// Decides whether the attempt's password may be compared. Waits for the shared throttle only if many passwords were
  /// tried for the account and no sign-in to it has succeeded from this client (uid and origin). Ignores cancellation.
  package func admit(_ attempt: SignInAttempt) async -> SignInThrottle.Verdict {
    let isShared = shared.value?.isAnswering ?? false
    let (verdict, mustAsk) = update { ($0.admit(attempt, at: clock(), isShared: isShared), $0.mustAsk(attempt)) }
    guard verdict == .go, mustAsk else { return verdict }
    let answer = await shared.value?.admit(attempt)
    return update { $0.answered(attempt, answer, at: clock()) }
  }

  /// Ends an attempt. Waits for the shared throttle only if the shared throttle has to count a failure or take one
  /// back. Ignores cancellation.
  ///
  /// - Parameter account: The account that was found at the address, or nil if unknown.
  package func ended(_ attempt: SignInAttempt, _ ending: SignInThrottle.Ending, of account: AccountID? = nil) async {
    switch update({ $0.ended(attempt, ending, of: account, at: clock()) }) {
    case .failed:
      guard let failures = await shared.value?.failed(attempt) else { return }
      throttle.withLock { $0.heard(attempt, failures, at: clock()) }
    case .takenBack: await shared.value?.takeBack(attempt)
    case nil: break
    }
  }

  /// Notes that the password is the account's, because the account was just registered with it.
  package func remember(_ attempt: SignInAttempt, of account: AccountID?) {
    update { $0.remember(attempt, of: account, at: clock()) }
  }

  /// Notes that the account's owner uses the attempt's client. The attempt's password is ignored.
  package func rememberClient(_ attempt: SignInAttempt, of account: AccountID) {
    update { $0.rememberClient(attempt, of: account, at: clock()) }
  }

  /// Whether the password is very likely right, because it looks like the last right one from this client.
  package func looksRight(_ attempt: SignInAttempt) -> Bool {
    throttle.withLock { $0.looksRight(attempt, at: clock()) }
  }

  /// Notifies administrators, at most once a day per account, if so many wrong passwords came from a known client that
  /// the client now counts as a stranger's.
  ///
  /// - Parameter tell: Returns whether administrators could be notified. If not, the next attempt at the account
  ///   notifies them.
  package func tell(of attempt: SignInAttempt, _ tell: () async -> Bool) async {
    guard throttle.withLock({ $0.isNews(attempt, at: clock()) }) else { return }
    if await !tell() { throttle.withLock { $0.isNewsAgain(attempt) } }
  }

  /// Whether the account's owner has used this client: has registered, proven the address, recovered or signed in from there.
  /// False if this regd has not seen it since its start.
  package func isKnown(_ share: Share, at account: Account) -> Bool {
    let client = attempts.key(account: account.email.key.value, share: share)
    return throttle.withLock { $0.isKnown(client, of: account.id) }
  }

  /// Makes this regd and the shared throttle forget their counts of the account. Other regd keep their own counts until
  /// these fade.
  package func forget(account: EmailKey) async {
    update { $0.forget(account: account.value) }
    await shared.value?.forget(account: account.value)
  }
}

/// Asks the shared throttle, which counts for several regd processes. After a question without an answer, it asks
/// nothing for a while. So only one sign-in waits for the deadline in vain, and the next ones use this regd's own
/// count.
final class SharedCount: Sendable {
  /// How long it asks no question after a question without an answer.
  static let pause = Duration.seconds(10)

  let throttle: any SharedThrottle
  private let silentUntil = Mutex(Duration.zero)
  private let clock: @Sendable () -> Duration

  /// - Parameter clock: The time since a fixed moment.
  init(_ throttle: any SharedThrottle, clock: @escaping @Sendable () -> Duration) {
    self.throttle = throttle
    self.clock = clock
  }

  var isAnswering: Bool { silentUntil.withLock { $0 <= clock() } }

  func admit(_ attempt: SignInAttempt) async -> SharedVerdict? {
    await ask(attempt) { await $0.admit(at: $1, for: attempt.share) }
  }

  func failed(_ attempt: SignInAttempt) async -> Int? {
    await ask(attempt) { await $0.failed(at: $1, for: attempt.share) }
  }

  func takeBack(_ attempt: SignInAttempt) async {
    await ask(attempt) { (throttle, account) -> Void? in await throttle.takeBack(at: account, for: attempt.share) }
  }

  func forget(account: String) async {
    await throttle.forget(SignInAttempts.number(of: account, by: throttle.key.hash))
  }

  private func ask<Answer>(
    _ attempt: SignInAttempt, _ question: (any SharedThrottle, UInt64) async -> Answer?
  ) async -> Answer? {
    guard let account = attempt.shared, isAnswering else { return nil }
    if let answer = await question(throttle, account) { return answer }
    // the answer may be missing because the caller has given up, which shows nothing about the throttle
    guard !Task.isCancelled else { return nil }
    silentUntil.withLock { $0 = clock() + Self.pause }
    return nil
  }
}
