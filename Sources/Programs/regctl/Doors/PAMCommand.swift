internal import ArgumentParser
internal import DoorHelpers
internal import Linux
internal import Sentences
internal import Verdicts

/// `regctl pam`: the command that pam_exec runs.
struct PAMCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pam", abstract: .said(DoorHelp.pam), discussion: .said(DoorHelp.pamMore))

  @Flag(help: .said(DoorHelp.wrong)) var wrong = false
  @Flag(help: .said(DoorHelp.refused)) var refused = false
  @Flag(help: .said(DoorHelp.systemUsers)) var systemUsers = false
  @OptionGroup var groups: RequiredGroups
  @OptionGroup var helper: HelperOptions

  func validate() throws {
    guard !(wrong && refused) else { throw ValidationError(UsageSentence.wrongOrRefused) }
  }

  func run() throws {
    guard let login = ThisProcess.bytes(ofVariable: "PAM_USER") else {
      throw ValidationError(UsageSentence.noPAMUser)
    }
    let input = HandedInput.read(.standardInput, atMost: HandedEntry.longest, seconds: helper.seconds) {
      $0.contains(0)
    }
    let entry = input.map { HandedEntry.pam(login: login, $0) }
    let answer = helper.answer(to: entry, origin: ThisProcess.variable("PAM_RHOST"), groups: groups.group)
    var verdict = answer.verdict
    // checked only after a correct password, so that a caller without it cannot find out which users this machine has
    if verdict == .right, !systemUsers {
      do throws(SystemError) {
        if try Self.isSystemUser(names(login, answer.email)) {
          verdict = .refused
          if !wrong { Terminal.report(FailureSentence.systemUser) }
        }
      } catch {
        verdict = .away
        if !wrong { Terminal.report(FailureSentence.systemUserUnknown, ["reason": .text(error.text)]) }
      }
    }
    ThisProcess.exit(Self.status(of: verdict, wanted: wrong ? .wrong : refused ? .refused : .right))
  }

  /// The names of users as whom PAM's program may admit its caller. A person who registers `root@DOMAIN` must not become
  /// root, in whatever spelling: `ROOT` is the same account.
  ///
  /// - Parameter email: The account's address.
  private func names(_ login: [UInt8], _ email: String?) -> [String] {
    let isComplete = login.contains(UInt8(ascii: "@"))
    let names = [
      String(validating: login, as: UTF8.self), LoginText.name(login),
      email.flatMap { Self.localPart(of: $0, in: isComplete ? helper.domain ?? "" : nil) },
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
    guard let name = HelperCommand.Checkpassword.name(email), let at = name.lastIndex(of: "@") else { return nil }
    return (String(name[..<at]), String(name[name.index(after: at)...]))
  }

  /// - Parameter wanted: The verdict whose exit status is 0.
  static func status(of verdict: Verdict, wanted: Verdict) -> Int32 {
    guard verdict != wanted else { return 0 }
    switch verdict {
    case .right, .wrong, .refused: return 1
    // EX_TEMPFAIL of sysexits.h
    case .away: return 75
    }
  }
}
