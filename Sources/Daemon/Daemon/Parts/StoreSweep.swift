internal import Registration

/// Makes the store remove what is outdated: expired claims, mails and wrong codes that no longer count, addresses of
/// deleted accounts in the audit. Operations ignore expired claims anyway; the sweep only limits what is stored.
struct StoreSweep {
  let store: any AccountStore
  let time: any TimeSource
  /// How long the audit keeps the address of a deleted account.
  let addresses: @Sendable () -> Duration

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

  private func sweep() async {
    do throws(StoreFailure) {
      let now = time.now()
      while try await store.sweep(
        at: now, addressesBefore: now.advanced(by: .zero - addresses()), limit: Self.most), !Task.isCancelled
      {}
    } catch {
      // the next sweep tries again; `StoreWatch` reports the failure
    }
  }
}
