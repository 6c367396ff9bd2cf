internal import ArgumentParser
internal import FormTerminal
internal import FullScreen
internal import Linux
internal import RegdClient

struct FormCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "form",
    abstract: "Shows a form on the whole terminal, to register, sign in or recover; exit status 1 if it is left.",
    discussion: """
      regd runs the form: it says with every key what is valid, whether the button may be pressed, and what happened. \
      NO_COLOR is kept to; without a UTF-8 locale, ASCII has to do.
      """)

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

    /// What has been done once the form says welcome.
    func done(_ email: String) -> String {
      switch self {
      case .registration: "registered \(email)"
      case .signIn: "signed in \(email)"
      case .recovery: "set the password of \(email)"
      }
    }
  }

  @Argument(help: "Which form.") var kind: Kind = .registration
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let screen: TerminalScreen
    do throws(TerminalScreen.Unusable) {
      screen = try TerminalScreen(styled: Terminal.allowsColour)
    } catch {
      throw ValidationError("\(error)")
    }
    let conversation = try RegdConversation(path: connection.path, timeoutSeconds: connection.timeout)
    let end: FormOnTerminal.End
    do {
      end = try FormOnTerminal(kind.form, conversation, screen, Glyphs.ofLocale()).run()
    } catch let error as RegdError {
      throw connection.refusal(error)
    }
    switch end {
    case .welcome(let email, let params):
      if connection.json { print(params.text) }
      connection.say(kind.done(email))
    case .left: throw Refusal(message: nil)
    case .signal(let signal):
      // the terminal is restored
      signal.takeEffect()
      throw Refusal(message: nil)
    }
  }
}
