internal import DoorHelpers
internal import Linux
internal import Localization
internal import UserMessages

/// `regd-login`: signs users in for PAM and other programs. regctl becomes this program for `regctl pam` and `regctl helper`.
///
/// It is started for each sign-in. So it links no store, and reads its command line itself, because ArgumentParser would take
/// longer than everything else.
@main
enum Login {
  static func main() {
    Signal.brokenPipe.restoreDefault()
    Terminal.requireTextArguments()
    let words = Array(CommandLine.arguments.dropFirst())
    if words == ["--help"] { return Terminal.print(Speech.text(UsageMessageKey.login)) }
    do throws(LoginArguments.Problem) {
      let arguments = try LoginArguments(words)
      if let status = status(arguments) { ThisProcess.exit(status) }
      refuse(LocalizedMessage(UsageMessageKey.noPAMUser))
    } catch {
      refuse(error.sentence)
    }
  }

  /// Answers the program that has started this one.
  ///
  /// - Returns: The exit status, or nil if PAM_USER is not set.
  private static func status(_ arguments: LoginArguments) -> Int32? {
    let run = HelperRun(arguments)
    return switch arguments.helper {
    case .pam: PAMSignIn(arguments)?.status()
    case .apache: run.apache()
    case .checkpassword: run.checkpassword()
    case .ejabberd: run.serve(EjabberdProtocol(domain: arguments.domain))
    case .squid: run.serve(SquidProtocol(domain: arguments.domain, groups: arguments.groups))
    }
  }

  private static func refuse(_ problem: LocalizedMessage) -> Never {
    Terminal.report(code: 2, "usage", Speech.text(problem))
    ThisProcess.exit(2)
  }
}

extension LoginArguments.Problem {
  fileprivate var sentence: LocalizedMessage {
    switch self {
    case .helper: LocalizedMessage(UsageMessageKey.login)
    case .option(let word): LocalizedMessage(LibraryMessageKey.unknownOption, ["option": .text(word)])
    case .missingValue(let name): LocalizedMessage(LibraryMessageKey.missingValue, ["option": .text(name)])
    case .argument(let word): LocalizedMessage(LibraryMessageKey.unexpectedArgument, ["argument": .text(word)])
    case .program: LocalizedMessage(UsageMessageKey.noProgram)
    case .wrongAndRefused: LocalizedMessage(UsageMessageKey.wrongOrRefused)
    case .group(let name):
      LocalizedMessage(
        UsageMessageKey.requiredGroups, ["limit": .number(LoginArguments.mostGroups), "value": .text(name)])
    case .seconds(let value):
      LocalizedMessage(
        UsageMessageKey.range,
        [
          "option": "--seconds", "least": .text("\(LoginArguments.possibleSeconds.lowerBound)"),
          "most": .text("\(LoginArguments.possibleSeconds.upperBound)"), "value": .text(value),
        ])
    }
  }
}
