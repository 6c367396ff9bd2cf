internal import DoorHelpers
internal import Linux
internal import Localization
internal import LoginVerdicts
internal import UserMessages

/// A sign-in that pam_exec asks for.
struct PAMSignIn {
  private let arguments: LoginArguments
  private let login: [UInt8]

  /// - Returns: Nil if PAM_USER is not set.
  init?(_ arguments: LoginArguments) {
    guard let login = ThisProcess.bytes(ofVariable: "PAM_USER") else { return nil }
    (self.arguments, self.login) = (arguments, login)
  }

  /// Asks regd.
  ///
  /// - Returns: The exit status.
  func status() -> Int32 {
    let input = HandedInput.read(.standardInput, atMost: HandedEntry.longest, seconds: arguments.seconds) {
      $0.contains(0)
    }
    let entry = input.map { HandedEntry.pam(login: login, $0) }
    let answer = SignInQuestion(arguments: arguments).answer(to: entry, origin: ThisProcess.variable("PAM_RHOST"))
    // checked only after a correct password, so that a caller without it cannot find out which users this machine has
    let verdict =
      answer.verdict == .right && !arguments.allowsSystemUsers ? verdictOnUser(answer.email) : answer.verdict
    guard verdict != arguments.wanted else { return 0 }
    switch verdict {
    case .right, .wrong, .refused: return 1
    case .away: return arguments.helper.awayStatus
    }
  }

  /// The verdict on a correct password: `refused` if this machine has a user of that name.
  ///
  /// - Parameter email: The account's address.
  private func verdictOnUser(_ email: String?) -> Verdict {
    // the first of up to three runs has reported it
    let isQuiet = arguments.wanted == .wrong
    do throws(SystemError) {
      guard try Self.isSystemUser(names(email)) else { return .right }
      if !isQuiet { Terminal.report(FailureMessageKey.systemUser) }
      return .refused
    } catch {
      if !isQuiet { Terminal.report(FailureMessageKey.systemUserUnknown, ["reason": .text(error.text)]) }
      return .away
    }
  }

  /// The names of users as whom PAM's program may admit its caller. A person who registers `root@DOMAIN` must not become
  /// root, in whatever spelling: `ROOT` is the same account.
  private func names(_ email: String?) -> [String] {
    let isComplete = login.contains(UInt8(ascii: "@"))
    let names = [
      String(validating: login, as: UTF8.self), LoginText.name(login),
      email.flatMap { Self.localPart(of: $0, in: isComplete ? arguments.domain ?? "" : nil) },
    ]
    return names.compactMap(\.self)
  }

  /// Whether this machine has a user of one of these names.
  ///
  /// - Parameter lookUp: Returns the id of a user, or nil if there is none.
  /// - Throws: If a look-up failed, so that there may be such a user, and none was found.
  static func isSystemUser(
    _ names: [String], _ lookUp: (String) throws(SystemError) -> UInt32? = UserDatabase.user(named:)
  ) throws(SystemError) -> Bool {
    var failure: SystemError?
    for name in names {
      do throws(SystemError) {
        if try lookUp(name) != nil { return true }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return false
  }

  /// The part before the `@` of an address, in the form by which accounts are compared.
  ///
  /// - Parameter domain: The only domain whose addresses count, or nil for every domain.
  /// - Returns: Nil if the address has another domain.
  private static func localPart(of email: String, in domain: String?) -> String? {
    guard let parts = parts(of: email) else { return nil }
    if let domain, parts.domain != self.parts(of: "a@\(domain)")?.domain { return nil }
    return parts.local
  }

  private static func parts(of email: String) -> (local: String, domain: String)? {
    guard let name = AccountName.of(email), let at = name.lastIndex(of: "@") else { return nil }
    return (String(name[..<at]), String(name[name.index(after: at)...]))
  }
}
