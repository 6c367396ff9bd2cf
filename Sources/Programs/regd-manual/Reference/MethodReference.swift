internal import RegdClient

/// Writes the article MethodReference.md: one section for each method, from `rpc.discover`.
struct MethodReference {
  /// The article's place in the checkout.
  static let path = "Sources/Core/Methods/Methods.docc/MethodReference.md"

  private let document: MethodDocument

  init(_ document: MethodDocument) { self.document = document }

  private static let introduction = """
    # Method reference

    Every method with its parameters, a request with its reply, and its errors.

    ## Overview

    This article is generated from the table with which regd checks requests (`make reference`). `rpc.discover` returns the same information as an
    OpenRPC document. Tests send each request and compare the reply. <doc:Methods> describes what all methods have in common.

    - An optional parameter may be absent or null.
    - Each method can also return the errors that every request may get (<doc:Errors>). `network.*` and `store.*` stand for all reasons with that prefix.
    - If a section says that a request may be repeated, send it again after a lost reply. Any other request may take effect a second time if you repeat it.
    - Long messages are wrapped here. regd sends each reply as one line.
    - Ids, times, stamps, codes and hashes differ from reply to reply.
    """

  /// - Throws: If a method belongs to no area.
  func markdown() throws -> String {
    let names = document.methods.map(name)
    if let lost = names.first(where: { name in !MethodArea.all.contains { $0.contains(name) } }) {
      throw ManualFailure(description: "the method \(lost) belongs to no area of MethodArea.all")
    }
    let areas = MethodArea.all.compactMap { area in
      let methods = document.methods.filter { area.contains(name($0)) }
      return methods.isEmpty ? nil : ([area.head] + methods.map(section)).joined(separator: "\n\n")
    }
    return ([Self.introduction] + areas).joined(separator: "\n\n") + "\n"
  }

  private func name(_ method: JSONValue) -> String { method["name"]?.string ?? "?" }

  private func section(_ method: JSONValue) -> String {
    let parts = [
      "### \(name(method))", summary(method), parameters(method), example(method), otherMembers(method), errors(method),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private func summary(_ method: JSONValue) -> String {
    var sentences = [Markdown.plain(method["summary"]?.string ?? "")]
    switch method["x-access"]?.string {
    case "admin": sentences.append("Only administrators may call this method.")
    case "observe": sentences.append("Only observers and administrators may call this method.")
    default: break
    }
    switch method["x-repeatable"]?.string {
    case "yes": sentences.append("The request may be repeated.")
    case "withRequestId": sentences.append("A request with a `requestId` may be repeated.")
    default: break
    }
    return sentences.joined(separator: " ")
  }

  private func parameters(_ method: JSONValue) -> String {
    (method["params"]?.array ?? []).map { parameter in
      let need = parameter["required"]?.bool == true ? "" : ", optional"
      let meaning = Markdown.plain(parameter["summary"]?.string ?? "")
      return "- `\(parameter["name"]?.string ?? "?")` (\(type(of: parameter))\(need)): \(meaning)"
    }.joined(separator: "\n")
  }

  private func type(of parameter: JSONValue) -> String {
    let schema = parameter["schema"]
    if schema?["format"]?.string == "uuid" { return "UUID" }
    let type = schema?["type"]
    let types = (type?.string.map { [$0] } ?? type?.array?.compactMap(\.string) ?? []).filter { $0 != "null" }
    return types.isEmpty ? "any value" : types.joined(separator: " or ")
  }

  private func example(_ method: JSONValue) -> String {
    let example = method["examples"]?.array?.first
    let params = (example?["params"]?.array ?? []).map {
      JSONValue.Member($0["name"]?.string ?? "?", $0["value"] ?? .null)
    }
    let call = [JSONValue.Member("method", .string(name(method)))]
    let request = Self.message(call + (params.isEmpty ? [] : [.init("params", .object(params))]))
    let reply =
      example.map { Self.message([.init("result", $0["result"]?["value"] ?? .null)]).text }
      // only the description itself has no example, because its reply would contain itself
      ?? Self.message([.init("result", "…")]).text.replacing("\"…\"", with: WrappedJSON.outline(of: document.source))
    return """
      ```text
      \(WrappedJSON.lines(of: request.text, after: "-> "))
      \(WrappedJSON.lines(of: reply, after: "<- "))
      ```
      """
  }

  private static func message(_ members: [JSONValue.Member]) -> JSONValue {
    .object([.init("jsonrpc", "2.0"), .init("id", .number("1"))] + members)
  }

  /// The members that a result may have and the example lacks.
  private func otherMembers(_ method: JSONValue) -> String {
    guard let result = method["examples"]?.array?.first?["result"]?["value"],
      case .object(let properties)? = document.result(of: method)?["properties"]
    else { return "" }
    let others = properties.map(\.name).filter { result[$0] == nil }.map { "`\($0)`" }
    return others.isEmpty ? "" : "The result can also contain \(others.joined(separator: ", "))."
  }

  /// The reasons of the method's errors. A prefix represents its reasons if the method has all of them.
  private func errors(_ method: JSONValue) -> String {
    var reasons = (method["errors"]?.array ?? []).compactMap { $0["message"]?.string }
    for prefix in ["network.", "store."] {
      let family = document.reasons.filter { $0.hasPrefix(prefix) }
      guard let first = reasons.firstIndex(where: family.contains), family.allSatisfy(reasons.contains) else {
        continue
      }
      reasons.insert("\(prefix)*", at: first)
      reasons.removeAll(where: family.contains)
    }
    return reasons.isEmpty ? "" : "Errors: \(reasons.map { "`\($0)`" }.joined(separator: ", "))."
  }
}

/// A part of the method reference: the methods whose names begin with the same words.
struct MethodArea {
  let title: String
  /// The part of its methods' names before the dot or the slash.
  let prefixes: [String]
  /// The articles that explain the area.
  let articles: [String]

  /// All areas, in the order of the reference.
  static let all = [
    MethodArea(title: "Connection", prefixes: ["rpc", "$"], articles: ["Methods", "Wire"]),
    MethodArea(title: "Registration", prefixes: ["registration"], articles: ["Methods", "Registering"]),
    MethodArea(title: "Sign-in and sessions", prefixes: ["session"], articles: ["Methods", "SigningIn"]),
    MethodArea(title: "Forms", prefixes: ["form"], articles: ["Forms"]),
    MethodArea(title: "Email verification and recovery", prefixes: ["claim", "recovery"], articles: ["Claims"]),
    MethodArea(title: "Rights of the account's owner", prefixes: ["owner"], articles: ["Claims"]),
    MethodArea(
      title: "Administration of accounts and groups", prefixes: ["account", "group"],
      articles: ["Methods", "Administering", "Groups"]),
    MethodArea(
      title: "Administration of invitations", prefixes: ["invitation"], articles: ["Methods", "WhoMayRegister"]),
    MethodArea(title: "Outbox", prefixes: ["outbox"], articles: ["Outbox"]),
    MethodArea(title: "Mail queue", prefixes: ["mail"], articles: ["MailQueue"]),
    MethodArea(title: "Events and audit", prefixes: ["events", "audit"], articles: ["Events"]),
    MethodArea(
      title: "Status, configuration and write pauses", prefixes: ["daemon"],
      articles: ["Observing", "Configuration", "Moving"]),
  ]

  /// The heading and the links.
  var head: String {
    let links = articles.map { "<doc:\($0)>" }
    let rest = links.dropLast().joined(separator: ", ")
    return "## \(title)\n\nSee also \(rest.isEmpty ? "" : "\(rest) and ")\(links.last ?? "")."
  }

  func contains(_ method: String) -> Bool {
    prefixes.contains { method.hasPrefix("\($0).") || method.hasPrefix("\($0)/") }
  }
}

/// JSON for readers: in lines of at most 72 characters, if its strings allow that, because a line of a man page has no
/// more.
enum WrappedJSON {
  private static let width = 72

  /// - Parameters:
  ///   - text: Compact JSON. It is broken only after commas between its values.
  ///   - mark: The text before the first line. The other lines are indented.
  static func lines(of text: String, after mark: String) -> String {
    let indent = String(repeating: " ", count: mark.count + 2)
    var lines = [mark]
    for piece in pieces(of: text) {
      if lines[lines.count - 1].count + piece.count > width, lines[lines.count - 1].count > indent.count {
        lines.append(indent)
      }
      lines[lines.count - 1] += piece
    }
    return lines.joined(separator: "\n")
  }

  /// The members of an object, with dots in place of the objects and arrays in it.
  static func outline(of value: JSONValue) -> String {
    guard case .object(let members) = value else { return value.text }
    let outlines = members.map { member in
      let name = JSONValue.string(member.name).text
      switch member.value {
      case .object: return "\(name):{…}"
      case .array: return "\(name):[…]"
      case .null, .bool, .number, .string: return "\(name):\(member.value.text)"
      }
    }
    return "{\(outlines.joined(separator: ","))}"
  }

  /// The parts of the text. Each but the last ends with a comma that is not in a string.
  private static func pieces(of text: String) -> [String] {
    var pieces = [""]
    var isString = false
    var isEscape = false
    for character in text {
      pieces[pieces.count - 1].append(character)
      switch character {
      case "\"" where !isEscape: isString.toggle()
      case "," where !isString: pieces.append("")
      default: break
      }
      isEscape = character == "\\" && !isEscape
    }
    return pieces
  }
}
