/// `signIn`: how somebody is known again.
package struct SignInSettings: Equatable, Sendable {
  /// Who says whether a password is right.
  package var authority: String
  /// Whether wrong passwords make callers wait.
  package var throttle: Bool

  init(_ reader: inout SettingsReader) {
    authority = reader.choice("signIn.authority", default: "store", of: ["store"])
    throttle = reader.flag("signIn.throttle", default: true)
  }
}
