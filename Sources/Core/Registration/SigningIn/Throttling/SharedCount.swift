internal import Synchronization

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
