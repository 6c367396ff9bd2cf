internal import Registration
internal import Synchronization

/// Counts guesses over all regd processes of the database, in the table `guess`, by the server's clock.
///
/// Has its own session, whose commits wait for no disk and no standby, because the loss of some counts in a crash is
/// acceptable.
struct GuessCount: SharedThrottle {
  let key: SharedThrottleKey
  let sessions: Sessions
  /// Counts calls that the server did not answer. The calls queued behind such a call are dropped, because each would
  /// wait for another deadline.
  let silences = Silences()
  private let luck: @Sendable () -> Int

  /// - Parameter luck: Draws after how many milliseconds a wait really ends.
  init(
    _ key: SharedThrottleKey, _ sessions: Sessions, luck: @escaping @Sendable () -> Int = { SharedThrottleRule.luck() }
  ) {
    self.key = key
    self.sessions = sessions
    self.luck = luck
  }

  func failed(at account: UInt64, for share: Share) async -> Int? {
    await run([counting(account, unlessWaiting: false)], for: share) { $0.first?.first?.integer(0) }
  }

  func admit(at account: UInt64, for share: Share) async -> SharedVerdict? {
    // the announced end of the wait, while `opens_at` is the real one
    let remaining = Statement(
      """
      SELECT ceil(extract(epoch FROM at - CURRENT_TIMESTAMP) + CASE failures \(Self.waits) ELSE 0 END)::integer
      FROM guess WHERE account = $1
      """, [Self.number(account)])
    return await run([counting(account, unlessWaiting: true), remaining], for: share) { answers in
      if let counted = answers.first?.first { return .counted(failures: counted.integer(0)) }
      return answers.last?.first.map { .wait(seconds: min(max($0.integer(0), 1), 300)) }
    }
  }

  func takeBack(at account: UInt64, for share: Share) async {
    let statement = Statement(
      "UPDATE guess SET failures = greatest(failures - 1, 0) WHERE account = $1", [Self.number(account)])
    _ = await run([statement], for: share) { _ in true }
  }

  func forget(_ account: UInt64) async {
    let statement = Statement("DELETE FROM guess WHERE account = $1", [Self.number(account)])
    _ = await run([statement], for: .daemon) { _ in true }
  }

  /// Removes the counts that have faded to zero.
  func prune() async {
    let statement = Statement(
      "DELETE FROM guess WHERE at < CURRENT_TIMESTAMP - failures * interval '\(SharedThrottleRule.fading) seconds'")
    _ = await run([statement], for: .daemon) { _ in true }
  }

  /// SQL that lets the account's earlier failures fade as `SharedThrottleRule` defines, and adds one.
  private func counting(_ account: UInt64, unlessWaiting: Bool) -> Statement {
    Statement(
      """
      INSERT INTO guess (account, failures, at, opens_at) VALUES ($1, 1, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)
      ON CONFLICT (account) DO UPDATE SET failures = \(Self.raised), at = greatest(guess.at, CURRENT_TIMESTAMP),
        opens_at = greatest(guess.opens_at, CURRENT_TIMESTAMP + interval '1 millisecond'
          * least($2::bigint, 1000 * CASE \(Self.raised) \(Self.waits) ELSE 0 END))
      \(unlessWaiting ? "WHERE guess.opens_at <= CURRENT_TIMESTAMP" : "") RETURNING failures
      """, [Self.number(account), "\(luck())"])
  }

  /// The failures that are left after fading, plus one. The inner greatest(0, ...) is needed if another transaction,
  /// which began later than this one, has updated the row first.
  private static let raised = """
    least(\(SharedThrottleRule.most), 1 + greatest(0, guess.failures - floor(
      greatest(0, extract(epoch FROM CURRENT_TIMESTAMP - guess.at)) / \(SharedThrottleRule.fading))::integer))
    """

  /// The seconds to wait by number of failures, as "WHEN 101 THEN 1 WHEN 102 THEN 2".
  private static let waits = (0...SharedThrottleRule.most).compactMap { failures in
    let wait = SharedThrottleRule.wait(after: failures)
    return wait > 0 ? "WHEN \(failures) THEN \(wait)" : nil
  }.joined(separator: " ")

  /// The account as a signed integer, because the server has no unsigned ones.
  private static func number(_ account: UInt64) -> Statement.Parameter { "\(Int64(bitPattern: account))" }

  /// Runs the statements in one transaction, which the server begins itself, and commits after the last statement (its
  /// documentation, "Pipeline Mode").
  ///
  /// - Returns: Nil if the server does not answer.
  private func run<Value: Sendable>(
    _ statements: [Statement], for share: Share, _ read: @Sendable (_ answers: [[Row]]) -> Value?
  ) async -> Value? {
    let before = silences.count
    do throws(StoreFailure) {
      return try await sessions.turn(of: share, evenIfLate: true) { (session) async throws(StoreFailure) in
        guard silences.count == before else { return nil }
        do throws(StoreFailure) {
          return try await session.count { (connection) throws(ServerFailure) in
            read(try connection.run(statements).map(\.rows))
          }
        } catch {
          // a caller that has given up says nothing about the server
          if error != .cancelled { silences.add() }
          throw error
        }
      }
    } catch {
      return nil
    }
  }
}

/// Counts calls that the server did not answer.
final class Silences: Sendable {
  private let silences = Atomic(0)

  var count: Int { silences.load(ordering: .relaxed) }

  func add() { silences.add(1, ordering: .relaxed) }
}
