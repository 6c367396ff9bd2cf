internal import ArgumentParser
internal import CVersion
internal import ClientGenerator
internal import JSONRPC
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// `regctl client`: prints a client in another language, from the table of methods linked into this program. Asks no regd.
struct ClientCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "client", abstract: .said(ClientHelp.abstract), discussion: .said(ClientHelp.discussion))

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case python, typescript, go, php, openrpc
  }

  @Argument(help: .said(ClientHelp.language)) var language: Kind

  @Flag(help: .said(CommonHelp.jsonResult)) var json = false

  func run() {
    let text = language.text(of: DescribedMethods.table, version: String(cString: regd_version()))
    // Not regctl's own `print`, which would escape the tabs. The text contains no foreign text that could harm a
    // terminal.
    Terminal.print(document: json ? JSONValue.object([.init("text", .string(text))]).text + "\n" : text)
  }
}

extension ClientCommand.Kind {
  fileprivate func text(of table: MethodTable, version: String) -> String {
    let model = ClientModel(of: table, version: version)
    return switch self {
    case .python: PythonWriter.text(of: model)
    case .typescript: TypeScriptWriter.text(of: model)
    case .go: GoWriter.text(of: model)
    case .php: PHPWriter.text(of: model)
    case .openrpc: String(decoding: OpenRPCDocument.text(of: table, version: version), as: UTF8.self) + "\n"
    }
  }
}
