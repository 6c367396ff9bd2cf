internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

struct Call: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "call", abstract: .said(CallHelp.abstract),
    discussion: """
      regctl call registration.checkEmail email=name@example.com
      regctl call registration.checkEmail '{"email": "name@example.com"}'
      regctl call session.signIn - < params.json

      \(String.said(CallHelp.discussion))
      """)

  @Argument(help: .said(CallHelp.method), completion: .custom(Completions.methods)) var method: String?
  @Argument(
    help: .said(CallHelp.params),
    completion: .custom(Completions.parameters))
  var params: [String] = []
  @Flag(help: .said(CallHelp.describe)) var describe = false
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    guard let method else { return try list() }
    if describe {
      let found = try Discovery(connection).method(method)
      if connection.json { Terminal.print(found.source.text) }
      for line in found.description { connection.say(line: line) }
      return
    }
    try connection.call(method, try read(method)) { result in connection.say(line: result.text) }
  }

  private func list() throws {
    let methods = try Discovery(connection).methods
    if connection.json { Terminal.print(JSONValue.array(methods.map { .string($0.name) }).text) }
    let width = methods.map(\.name.count).max() ?? 0
    for method in methods {
      let padding = String(repeating: " ", count: width - method.name.count)
      let line = "\(method.name)\(padding)  \(method.summary)"
      switch method.access {
      case "open": connection.say(line: line)
      case "observe": connection.say(ResultMessageKey.forObservers, ["method": .text(line)])
      default: connection.say(ResultMessageKey.forAdministrators, ["method": .text(line)])
      }
    }
  }

  private func read(_ method: String) throws -> JSONValue? {
    guard let first = params.first else { return nil }
    if params.count == 1, first == "-" { return try Self.json(Terminal.readStandardInput()) }
    if params.count == 1, !first.contains("=") || "{[".contains(first.first ?? " ") {
      return try Self.json(Array(first.utf8))
    }
    let found = try Discovery(connection).method(method)
    return .object(try params.map { try found.member($0) })
  }

  static func json(_ text: [UInt8]) throws -> JSONValue {
    switch JSONValue(text) {
    case .some(let value) where value.array != nil: return value
    case .object(let members): return .object(members)
    default:
      // any other text may be meant as name=value
      let isMeant = text.first { !" \t\r\n".utf8.contains($0) }.map { "{[".utf8.contains($0) } ?? false
      guard isMeant, let problem = JSONValue.problem(of: text) else { throw ValidationError(UsageMessageKey.params) }
      throw ValidationError(Speech.text(problem))
    }
  }
}

/// Completions for the shell, or none if regd does not answer.
///
/// A shell expands its completions (bash's `compgen -W` runs commands in them), and the methods' names come from any
/// process that could bind the socket's path. A name is therefore left out unless `isName` holds.
enum Completions {
  @Sendable static func methods(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    discovery(words)?.methods.map(\.name).filter(isName) ?? []
  }

  @Sendable static func parameters(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    guard let discovery = discovery(words),
      let method = discovery.methods.first(where: { words.contains($0.name) })
    else { return [] }
    return method.parameters.map(\.name).filter(isName).map { "\($0)=" }
  }

  /// Whether the text has a name's form: a letter, then letters, digits, dots, slashes, underscores and hyphens. `$/`
  /// may precede it, as in `$/cancelRequest`, because no shell treats that as a variable.
  static func isName(_ text: String) -> Bool {
    let name = text.hasPrefix("$/") ? text.dropFirst(2) : text[...]
    func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
    return name.utf8.count <= 128 && name.utf8.first.map(isLetter) == true
      && name.utf8.allSatisfy { isLetter($0) || $0 &- 0x30 < 10 || "._/-".utf8.contains($0) }
  }

  private static func discovery(_ words: [String]) -> Discovery? {
    var options = ConnectionOptions()
    options.timeout = 2
    options.json = false
    options.socket = words.firstIndex(of: "--socket").flatMap { words.count > $0 + 1 ? words[$0 + 1] : nil }
    return try? Discovery(options)
  }
}
