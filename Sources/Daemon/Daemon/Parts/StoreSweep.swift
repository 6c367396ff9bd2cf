internal import Registration

/// Has the store remove what has had its time: claims that have expired, mails and wrong codes that count no more, addresses of accounts
/// that were deleted. Expired claims are none for any operation before that; this is about what is kept.
struct StoreSweep {
  let store: any AccountStore
  let time: any TimeSource
  /// How long the audit keeps the address of an account that is gone.
  let addresses: @Sendable () -> Duration

  private static let interval = Duration.seconds(10)
  /// Removed in one transaction, so that no change waits long behind it.
  private static let most = 1000

  /// Runs until it is cancelled. What the store does not do now is done the next time.
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
      // a store that fails is said by its watch
    }
  }
}
