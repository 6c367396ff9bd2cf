internal import Methods
internal import Registration
internal import Synchronization

/// Counts the accounts that wait for approval, the usable invitations and the entries of the audit in the background, so that
/// neither the status nor the metrics wait for the store.
final class StoreCounts: Sendable {
  private let counted = Mutex((admission: StatusSources.Admission(waiting: 0, invitations: 0), audit: AuditState?.none))
  private let isOutdated = Atomic(true)
  private let background: BackgroundHealth

  private static let shortestPause = Duration.seconds(2)
  /// The longest time between counts, because invitations expire, and another regd may change the shared store.
  private static let longestPause = Duration.seconds(60)
  /// Counting takes at most 1/`rarity` of the time.
  private static let rarity = 50
  private static let pageLength = 500
  /// How many elements of a list are read at most. The count of a longer list is too low.
  private static let mostRead = 10_000

  init(_ background: BackgroundHealth) { self.background = background }

  var admission: StatusSources.Admission { counted.withLock { $0.admission } }
  /// Nil before the first count.
  var audit: AuditState? { counted.withLock { $0.audit } }

  /// Called after each change of the store. Makes the next round count again.
  @Sendable func noteChange() { isOutdated.store(true, ordering: .relaxed) }

  /// Counts again and again, until the task is cancelled.
  func run(_ store: Accounts, _ time: any TimeSource) async {
    var (pause, since) = (Self.shortestPause, Duration.zero)
    while !Task.isCancelled {
      if isOutdated.exchange(false, ordering: .relaxed) || since >= Self.longestPause {
        let begin = ContinuousClock.now
        await count(store, at: time.now())
        pause = min(Self.longestPause, max(Self.shortestPause, begin.duration(to: .now) * Self.rarity))
        since = .zero
      }
      since += pause
      do { try await Task.sleep(for: pause) } catch { return }
    }
  }

  /// Counts once, and records the result.
  func count(_ store: Accounts, at now: Timestamp) async {
    do throws(StoreFailure) {
      let waiting = try await Self.count { (after, limit) async throws(StoreFailure) in
        try await store.list(.waiting, after: after, limit: limit).map { ($0.account.id, true) }
      }
      let invitations = try await Self.count { (after, limit) async throws(StoreFailure) in
        try await store.invitations(after: after, limit: limit, at: now).map { counted in
          let invitation = counted.invitation
          return (invitation.id, invitation.isOpen(at: now) && counted.used + counted.held < invitation.uses)
        }
      }
      let audit = try await store.auditState()
      counted.withLock { $0 = (.init(waiting: waiting, invitations: invitations), audit) }
      background.note(.admissionCount, nil)
    } catch {
      // counts again in the next round
      noteChange()
      background.note(.admissionCount, error)
    }
  }

  /// Reads a list page by page, and counts the elements whose `counts` is true.
  private static func count(
    _ page: (AccountID?, Int) async throws(StoreFailure) -> [(id: AccountID, counts: Bool)]
  ) async throws(StoreFailure) -> Int {
    var (count, read, last) = (0, 0, AccountID?.none)
    while read < mostRead {
      let found = try await page(last, pageLength)
      count += found.count { $0.counts }
      read += found.count
      guard found.count == pageLength, !Task.isCancelled else { break }
      last = found.last?.id
    }
    return count
  }
}
