package import Registration

/// Counts guesses for all regd processes that a test simulates, in rows of failures and times, as a database would. It
/// records its questions, and can leave them unanswered or hold them until the test releases them.
package actor StagedThrottle: SharedThrottle {
  package enum Question: Equatable, Sendable {
    case failed(UInt64)
    case admit(UInt64)
    case takeBack(UInt64)
    case forget(UInt64)
  }

  private struct Row {
    var failures: Int
    /// Seconds of the clock at the last failure.
    var at: Int64
  }

  package nonisolated let key: SharedThrottleKey
  /// The questions in the order in which they came.
  package private(set) var questions: [Question] = []
  /// The shares (user and origin) of all callers that have caused a question.
  package private(set) var shares: Set<Share> = []
  private var rows: [UInt64: Row] = [:]
  private var isSilent = false
  private var curtain = Curtain<Never>()
  private let clock: StagedClock

  package init(_ clock: StagedClock, key: [UInt8] = Array(0..<16)) {
    self.clock = clock
    guard let key = SharedThrottleKey(key) else { fatalError("a key has 16 bytes") }
    self.key = key
  }

  // MARK: Staging

  /// From now on no question is answered, and nothing is counted. False ends this.
  package func isSilent(_ isSilent: Bool) { self.isSilent = isSilent }

  /// From now on every question waits until `open`.
  package func hold() { curtain.isDown = true }

  /// Returns as soon as `count` questions wait.
  package func reached(_ count: Int = 1) async {
    await withCheckedContinuation { curtain.reached(count, $0) }
  }

  package func open() { curtain.open() }

  /// The questions since the last call.
  package func taken() -> [Question] {
    defer { questions = [] }
    return questions
  }

  // MARK: SharedThrottle

  package func failed(at account: UInt64, for share: Share) async -> Int? {
    guard await hears(.failed(account), share) else { return nil }
    return count(account)
  }

  package func admit(at account: UInt64, for share: Share) async -> SharedVerdict? {
    guard await hears(.admit(account), share) else { return nil }
    if let row = rows[account] {
      let wait = row.at + Int64(SharedThrottleRule.wait(after: row.failures)) - now
      if wait > 0 { return .wait(seconds: Int(wait)) }
    }
    return .counted(failures: count(account))
  }

  package func takeBack(at account: UInt64, for share: Share) async {
    guard await hears(.takeBack(account), share), let row = rows[account] else { return }
    rows[account]?.failures = max(0, row.failures - 1)
  }

  package func forget(_ account: UInt64) async {
    if await hears(.forget(account), .daemon) { rows[account] = nil }
  }

  private var now: Int64 { clock.passed.components.seconds }

  private func count(_ account: UInt64) -> Int {
    let row = rows[account] ?? Row(failures: 0, at: now)
    let faded = Int((now - row.at) / Int64(SharedThrottleRule.fading))
    let failures = min(max(0, row.failures - faded) + 1, SharedThrottleRule.most)
    rows[account] = Row(failures: failures, at: now)
    return failures
  }

  private func hears(_ question: Question, _ share: Share) async -> Bool {
    questions.append(question)
    shares.insert(share)
    if curtain.isDown { _ = await withCheckedContinuation { curtain.hold($0) } }
    return !isSilent
  }
}

/// The same operations for regd itself, not for a user.
extension SharedThrottle {
  package func failed(at account: UInt64) async -> Int? { await failed(at: account, for: .daemon) }

  package func admit(at account: UInt64) async -> SharedVerdict? { await admit(at: account, for: .daemon) }

  package func takeBack(at account: UInt64) async { await takeBack(at: account, for: .daemon) }
}
