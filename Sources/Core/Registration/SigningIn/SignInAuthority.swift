/// The authority that decides whether a password is right.
package enum SignInAuthority: Equatable, Sendable {
  /// This daemon, which compares the password with the hash in its store.
  case store
  /// The upstream. The hash in the store is of the password that the upstream last accepted.
  ///
  /// `cachedDays`: how long that hash may be used in place of the upstream, in days. At least 1.
  case network(offline: Offline, cachedDays: Int = 30)

  /// How regd answers while the upstream is unreachable.
  package enum Offline: String, CaseIterable, Equatable, Sendable {
    /// Every caller gets the failure of the network.
    case refuse
    /// The hash in the store admits a caller with the correct password. Every other caller gets the failure of the
    /// network.
    case cached
  }
}
