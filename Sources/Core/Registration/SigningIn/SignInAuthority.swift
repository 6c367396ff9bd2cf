/// Who says whether a password is right.
package enum SignInAuthority: Equatable, Sendable {
  /// This daemon, by the hash in its store.
  case store
  /// The upstream. The hash in the store is what is remembered of the last password that it accepted.
  ///
  /// `cachedDays`: how long that hash may stand in for the upstream, 1 or more.
  case network(offline: Offline, cachedDays: Int = 30)

  /// What is answered while the upstream is away.
  package enum Offline: String, CaseIterable, Equatable, Sendable {
    /// That it is away.
    case refuse
    /// By the hash in the store, to who has the right password; all others hear that the upstream is away.
    case cached
  }
}
