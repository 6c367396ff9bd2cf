package import Registration

/// `signIn`: who decides whether a password is correct, and whether callers must wait after wrong passwords.
package struct SignInSettings: Equatable, Sendable {
  /// The authority for passwords: this daemon's store, or the upstream.
  package var authority: SignInAuthority
  /// Whether wrong passwords make callers wait.
  package var throttle: Bool

  init(_ reader: inout SettingsReader) {
    let authority = reader.choice("signIn.authority", default: "store", of: ["store", "network"])
    let offline = reader.choice(
      "signIn.offline", default: SignInAuthority.Offline.refuse.rawValue,
      of: SignInAuthority.Offline.allCases.map(\.rawValue))
    let days = reader.integer("signIn.cachedDays", default: 30, 1...3650)
    if authority == "store", offline != SignInAuthority.Offline.refuse.rawValue {
      reader.refuse(
        "signIn.offline", "must be refuse while signIn.authority is store, because sign-ins need no upstream")
    }
    self.authority =
      authority == "network"
      ? .network(offline: SignInAuthority.Offline(rawValue: offline) ?? .refuse, cachedDays: days) : .store
    throttle = reader.flag("signIn.throttle", default: true)
  }

  /// Refuses the network as the authority if no network is configured.
  func check(hasNetwork: Bool, _ reader: inout SettingsReader) {
    guard authority != .store, !hasNetwork else { return }
    reader.refuse("signIn.authority", "must be store while network.backend is none, because there is no upstream")
  }
}
