internal import CSimulation

/// Checks that no file contains an address that regd must have erased.
///
/// A run that ends with this check starts regd once more, long after its last stop. By then, everything that may keep
/// the address of a person without an account has expired: claims, mails, invitations and released registrations. The
/// search also runs after disk faults, because all faults have ended by then, and regd has swept again.
struct ErasureChecks: Checking {
  /// The addresses with an account, as an administrator has seen them.
  struct Listing {
    let keys: Set<String>
    let time = simulated_now()
  }

  /// How much time passes between regd's last stop and its last start, in nanoseconds: 60 days. The longest life is
  /// that of an invitation and of a released registration, 7 days. The rest is for clocks that were set back.
  static let absence: Int64 = 60 * 86_400 * 1_000_000_000
  /// The time for the last sweeps, in nanoseconds. regd sweeps at its start and then every 10 seconds. A mail that still
  /// waited at the start is sent at once, and the sweep after that removes it.
  static let patience: Int64 = 35 * 1_000_000_000

  let oracle: Oracle

  /// Searches the disk for every address that was stored and has no account any more. Also searches for addresses that
  /// must be found, which shows that the search works.
  func judge() {
    guard let listing = oracle.listing else { return }
    // later registrations, which were sent while regd was stopping, may have left accounts that the list lacks
    let later = requests.attempts.filter { $0.began >= listing.time }.map(\.key)
    let stored = Set(requests.accounts.map(\.key) + claims.all.map(\.key))
    for key in stored.subtracting(listing.keys).subtracting(later).sorted() {
      for email in Set(requests.attempts(for: key).map(\.email) + [key]).sorted() {
        hold(.erased, !isOnDisk(email), "\(email) is on the disk, and has no account")
      }
    }
    for known in requests.accounts
    where known.isActive && known.isDeleted == false && listing.keys.contains(known.key) {
      hold(.survives, isOnDisk(known.key), "\(known.key) has an account, and is not on the disk")
    }
  }

  private func isOnDisk(_ email: String) -> Bool { simulated_disk_contains(email, Int32(email.utf8.count)) }
}
