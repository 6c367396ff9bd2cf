/// Which part decides whether a password is right.
package enum SignInAuthority: Equatable, Sendable {
  /// This daemon, by the hash in its store.
  case store
  /// The upstream. The hash in the store is of the last password that it accepted.
  ///
  /// `cachedDays`: how long that hash may stand in for the upstream, 1 or more.
  case network(offline: Offline, cachedDays: Int = 30)

  /// The answer while the upstream is away.
  package enum Offline: String, CaseIterable, Equatable, Sendable {
    /// A failure of the network.
    case refuse
    /// A caller with the right password is let in by the hash in the store; every other gets the failure of the network.
    case cached
  }
}
