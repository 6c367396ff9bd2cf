/// `signIn`: how somebody is known again.
package struct SignInSettings: Equatable, Sendable {
  /// Whether wrong passwords make callers wait.
  package var throttle: Bool

  init(_ reader: inout SettingsReader) {
    throttle = reader.flag("signIn.throttle", default: true)
  }
}
