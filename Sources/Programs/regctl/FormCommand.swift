internal import ArgumentParser
internal import FormTerminal
internal import FullScreen
internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

struct FormCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "form",
    abstract: .said(RegisteringHelp.form),
    discussion: .said(RegisteringHelp.formMore))

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case registration
    case signIn = "sign-in"
    case recovery

    var form: FormKind {
      switch self {
      case .registration: .registration
      case .signIn: .signIn
      case .recovery: .recovery
      }
    }

    /// The message about a form that has ended with success.
    func done(_ email: String) -> LocalizedMessage {
      switch self {
      case .registration: LocalizedMessage(ResultMessageKey.formRegistered, ["email": .text(email)])
      case .signIn: LocalizedMessage(ResultMessageKey.formSignedIn, ["email": .text(email)])
      case .recovery: LocalizedMessage(ResultMessageKey.passwordSet, ["account": .text(email)])
      }
    }
  }

  @Argument(help: .said(RegisteringHelp.formKind)) var kind: Kind = .registration
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let screen: TerminalScreen
    do throws(TerminalScreen.Unusable) {
      screen = try TerminalScreen(styled: Terminal.allowsColour)
    } catch {
      throw ValidationError(Speech.text(error.sentence))
    }
    let conversation = try connection.conversation()
    switch try FormOnTerminal(kind.form, conversation, screen, Glyphs.ofLocale(), Speech.language).run() {
    case .welcome(let email, let params):
      if connection.json { Terminal.print(params.text) }
      connection.say(kind.done(email))
    case .left: throw Refusal(message: nil)
    case .signal(let signal):
      // the terminal is restored before the signal takes effect
      signal.takeEffect()
      throw Refusal(message: nil)
    }
  }
}
