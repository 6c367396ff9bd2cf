internal import DoorHelpers
internal import Linux
internal import Localization
internal import LoginVerdicts
internal import UserMessages

/// A run for a program other than PAM, in the protocol of that program. Each function returns the exit status.
struct HelperRun {
  private let arguments: LoginArguments
  private let question: SignInQuestion

  init(_ arguments: LoginArguments) { (self.arguments, question) = (arguments, SignInQuestion(arguments: arguments)) }

  /// Answers the program's questions until it closes standard input.
  func serve(_ wire: some HelperProtocol) -> Int32 {
    var wire = wire
    do throws(SystemError) {
      try HelperSession.run(
        &wire, question.link(reportingErrors: false), input: .standardInput, output: .standardOutput)
    } catch {
      Terminal.report(code: 1, "refused", error.description)
      return 1
    }
    return 0
  }

  /// Answers the one question of Apache's mod_authnz_external.
  func apache() -> Int32 {
    let input = HandedInput.read(.standardInput, atMost: HandedEntry.longest, seconds: arguments.seconds)
    let answer = question.answer(to: input.flatMap(HandedEntry.apache), origin: ThisProcess.variable("IP"))
    switch answer.verdict {
    case .right: return 0
    case .wrong, .refused: return 1
    case .away: return arguments.helper.awayStatus
    }
  }

  /// Becomes the program if the password is right. Returns only the exit statuses for a wrong password and for no decision,
  /// because Dovecot takes some others for a wrong password.
  func checkpassword() -> Int32 {
    let input = HandedInput.read(
      Descriptor(borrowing: 3), atMost: HandedEntry.longestCheckpassword, seconds: arguments.seconds)
    let answer = question.answer(
      to: input.flatMap(HandedEntry.checkpassword), origin: ThisProcess.variable("TCPREMOTEIP"))
    switch answer.verdict {
    case .right: return begin(answer)
    case .wrong, .refused: return 1
    case .away: return arguments.helper.awayStatus
    }
  }

  /// Becomes the program. Returns an exit status only if the program cannot be started.
  private func begin(_ answer: HelperAnswer) -> Int32 {
    guard let name = answer.name ?? AccountName.of(answer.email ?? "") else { return arguments.helper.awayStatus }
    // the program must not find the password at descriptor 3
    try? Descriptor(borrowing: 3).close()
    let path = arguments.program.first ?? ""
    do throws(SystemError) {
      try ThisProcess.become(path, Array(arguments.program.dropFirst()), setting: ["USER": name])
    } catch {
      Terminal.report(FailureMessageKey.cannotOpen, ["file": .text(path), "reason": .text(error.text)])
      return arguments.helper.awayStatus
    }
  }
}
