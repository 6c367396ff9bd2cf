internal import ArgumentParser
internal import RegdClient

struct Call: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Calls any method and prints what comes back; without one, says which there are.",
    discussion: """
      regctl call registration.checkEmail email=name@example.com
      regctl call registration.checkEmail '{"email": "name@example.com"}'
      regctl call session.signIn - < params.json

      Which methods there are and what they take is asked of regd (rpc.discover). Arguments are seen by every process \
      of the machine: params with a secret belong on standard input.
      """)

  @Argument(help: "The method.", completion: .custom(Completions.methods)) var method: String?
  @Argument(
    help: "Its params: name=value as often as needed, or one JSON object or array, or - for one on standard input.",
    completion: .custom(Completions.parameters))
  var params: [String] = []
  @Flag(help: "Say what the method does and takes, and do not call it.") var describe = false
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    guard let method else { return try list() }
    if describe {
      let found = try Discovery(connection).method(method)
      if connection.json { print(found.source.text) }
      for line in found.description { connection.say(line) }
      return
    }
    try connection.call(method, try read(method)) { result in connection.say(result.text) }
  }

  private func list() throws {
    let methods = try Discovery(connection).methods
    if connection.json { print(JSONValue.array(methods.map { .string($0.name) }).text) }
    let width = methods.map(\.name.count).max() ?? 0
    for method in methods {
      let padding = String(repeating: " ", count: width - method.name.count)
      connection.say(
        "\(method.name)\(padding)  \(method.summary)\(method.isForAdministrators ? " (administrators)" : "")")
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
    default: throw ValidationError("The params must be a JSON object or array, or name=value.")
    }
  }
}

/// Completions for the shell; none where regd does not answer.
enum Completions {
  @Sendable static func methods(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    discovery(words)?.methods.map(\.name) ?? []
  }

  @Sendable static func parameters(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    guard let discovery = discovery(words),
      let method = discovery.methods.first(where: { words.contains($0.name) })
    else { return [] }
    return method.parameters.map { "\($0.name)=" }
  }

  private static func discovery(_ words: [String]) -> Discovery? {
    var options = ConnectionOptions()
    options.timeout = 2
    options.json = false
    options.socket = words.firstIndex(of: "--socket").flatMap { words.count > $0 + 1 ? words[$0 + 1] : nil }
    return try? Discovery(options)
  }
}
