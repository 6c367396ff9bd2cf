internal import ArgumentParser
internal import DoorHelpers
internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import UserMessages

/// A command whose work `regd-login` does.
protocol LoginCommand: ParsableCommand {
  var arguments: LoginArguments { get }
}

extension LoginCommand {
  mutating func run() throws { LoginProgram.become(arguments.words, arguments.helper) }
}

/// Leaves `regctl pam` and `regctl helper` to the program `regd-login`.
enum LoginProgram {
  /// Becomes `regd-login` if it can read the command line. Called before ArgumentParser prepares all commands of regctl, which
  /// takes longer than a whole sign-in. Otherwise returns, so that ArgumentParser explains the mistake or prints help.
  static func leave(_ words: some Sequence<String>) {
    let words = Array(words)
    guard let arguments = try? LoginArguments(words), arguments.helper != .pam || isStartedByPAM else { return }
    become(words, arguments.helper)
  }

  /// Becomes `regd-login`, or ends with the exit status for no decision, because no program may take a missing `regd-login`
  /// for a wrong password.
  static func become(_ words: [String], _ helper: LoginArguments.Helper) -> Never {
    do throws(Refusal) { try OtherProgram.login.become(words) } catch {
      Terminal.report(code: helper.awayStatus, "refused", error.message ?? "")
      ThisProcess.exit(helper.awayStatus)
    }
  }

  /// Whether PAM's variable with the user's name is set.
  static var isStartedByPAM: Bool { ThisProcess.bytes(ofVariable: "PAM_USER") != nil }
}
