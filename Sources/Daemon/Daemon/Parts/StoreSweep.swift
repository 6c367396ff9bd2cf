internal import Methods
internal import Registration

/// Makes the store remove outdated data: expired claims, old mails and wrong codes, and old addresses in the audit and
/// in invitations. Operations ignore expired claims anyway, so the sweep only limits the stored data.
struct StoreSweep {
  let store: Accounts
  let time: any TimeSource
  /// How long the audit keeps an address after its account has lost it, and how long an invitation keeps one after the
  /// invitation's end.
  let addresses: @Sendable () -> Duration
  let background: BackgroundHealth

  private static let interval = Duration.seconds(10)
  /// The most removals per transaction, so that no change waits long.
  private static let most = 1000

  /// Sweeps until the task is cancelled. A failed sweep is repeated after the next interval.
  func run() async {
    while !Task.isCancelled {
      await sweep()
      do { try await Task.sleep(for: Self.interval) } catch { return }
    }
  }

  /// Sweeps once, and records the result.
  func sweep() async {
    do throws(StoreFailure) {
      let now = time.now()
      while try await store.sweep(
        at: now, addressesBefore: now.advanced(by: .zero - addresses()), limit: Self.most), !Task.isCancelled
      {}
      background.note(.sweep, nil)
    } catch {
      // the next sweep tries again
      background.note(.sweep, error)
    }
  }
}
