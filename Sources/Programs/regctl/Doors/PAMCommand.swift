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
  @OptionGroup var helper: HelperOptions

  /// The most bytes of a password; pam_exec writes less than 1 KiB.
  private static let longestPassword = 65_536

  func validate() throws {
    guard !(wrong && refused) else { throw ValidationError(UsageSentence.wrongOrRefused) }
  }

  func run() throws {
    guard let login = ThisProcess.bytes(ofVariable: "PAM_USER") else {
      throw ValidationError(UsageSentence.noPAMUser)
    }
    let input = HandedInput.read(.standardInput, atMost: Self.longestPassword, seconds: helper.seconds) {
      $0.contains(0)
    }
    let entry = input.flatMap { $0.count > Self.longestPassword ? nil : HandedEntry.pam(login: login, $0) }
    let verdict = helper.answer(to: entry, origin: ThisProcess.variable("PAM_RHOST")).verdict
    ThisProcess.exit(Self.status(of: verdict, wanted: wrong ? .wrong : refused ? .refused : .right))
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
