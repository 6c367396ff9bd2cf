internal import AddressNormalization
internal import DoorHelpers
internal import Linux
internal import Localization
internal import LoginVerdicts
internal import RegdClient
internal import Registration
internal import UserMessages

/// Asks regd whether a name and a password belong together.
struct SignInQuestion {
  let arguments: LoginArguments

  /// A link to regd. If regd gives no decision, the link reports the reason on standard error.
  ///
  /// - Parameter errors: Whether to also report regd's errors. A helper that serves many users leaves them out, because
  ///   an error may be about one user only.
  func link(reportingErrors errors: Bool) -> HelperLink {
    let path = arguments.socket ?? ThisProcess.variable("REGD_SOCKET_PATH") ?? "/run/regd/regd.sock"
    return HelperLink(path: path, seconds: arguments.seconds) { trouble in
      switch trouble {
      case .failure(let failure): Terminal.report(text: Speech.text(failure.sentence))
      case .error(let error): if errors { Terminal.report(text: Speech.line(error.message, reason: error.reason)) }
      }
    }
  }

  /// - Parameter entry: The name and password, or nil if they did not arrive completely, so that nothing is decided.
  func answer(to entry: HandedEntry?, origin: String?) -> HelperAnswer {
    guard let entry else {
      Terminal.report(UsageMessageKey.noEntry)
      return .away("usage")
    }
    let credentials = Credentials(
      login: entry.login, password: entry.password, realm: arguments.domain, origin: origin)
    // credentials that no account can have are wrong without asking
    guard let credentials else { return HelperAnswer(.wrong) }
    return link(reportingErrors: true).answer(to: .signIn(credentials, groups: arguments.groups))
  }
}

/// The name that an account has for other programs.
enum AccountName {
  /// The address in the form by which accounts are compared, so that one mailbox has one name. regd has accepted the address,
  /// so rules for new addresses do not matter.
  static func of(_ email: String) -> String? {
    try? EmailRules(normalizer: UnicodeNormalizer()).addressOfAccount(email).get().key.value
  }
}
