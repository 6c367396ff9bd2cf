internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import UserMessages

/// How a command gets a password: never as an argument, which every process on the machine could read.
struct PasswordOptions: ParsableArguments {
  @Flag(help: .said(CommonHelp.passwordStdin))
  var passwordStdin = false

  /// - Parameter confirm: Whether to ask for the password a second time.
  func read(confirm: Bool) throws -> (password: String, confirmation: String) {
    let source = PasswordSource(isStandardInput: passwordStdin)
    let password = try source.read(.present)
    return (password, try confirm ? source.readAgain(.present, password) : password)
  }
}

/// How a command gets a password and the new one that replaces it.
struct PasswordChangeOptions: ParsableArguments {
  @Flag(help: .said(CommonHelp.passwordsStdin))
  var passwordStdin = false

  func read() throws -> (password: String, new: String, confirmation: String) {
    let source = PasswordSource(isStandardInput: passwordStdin)
    let password = try source.read(.present)
    let new = try source.read(.new)
    return (password, new, try source.readAgain(.new, new))
  }
}

/// Reads passwords from standard input, one per line, or from the terminal.
struct PasswordSource {
  /// The password to ask for: the account's present one, or the new one that replaces it.
  enum Wanted {
    case present, new

    fileprivate var prompt: PromptMessageKey { self == .new ? .newPassword : .password }
    fileprivate var promptAgain: PromptMessageKey { self == .new ? .newPasswordAgain : .passwordAgain }
    fileprivate var missing: UsageMessageKey { self == .new ? .noNewPasswordLine : .noPasswordLine }
    fileprivate var unreadable: UsageMessageKey { self == .new ? .newPasswordNotUTF8 : .passwordNotUTF8 }
  }

  let isStandardInput: Bool

  func read(_ wanted: Wanted) throws -> String { try read(wanted, prompt: wanted.prompt) }

  /// Makes a person type the password a second time. A script need not repeat it: then returns `password` itself.
  func readAgain(_ wanted: Wanted, _ password: String) throws -> String {
    isStandardInput ? password : try read(wanted, prompt: wanted.promptAgain)
  }

  private func read(_ wanted: Wanted, prompt: PromptMessageKey) throws -> String {
    guard !isStandardInput else {
      switch Terminal.readLineFromStandardInput() {
      case .line(let password): return password
      case .end: throw ValidationError(wanted.missing)
      case .unreadable: throw ValidationError(wanted.unreadable)
      }
    }
    guard let password = Terminal.readPassword(Speech.text(prompt)) else {
      throw ValidationError(UsageMessageKey.noTerminalForPassword)
    }
    return password
  }
}
