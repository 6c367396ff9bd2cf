package import JSONRPC
internal import Reasons

/// regd's table of methods in the form that all client writers use: types, methods in groups, and the reasons of
/// errors.
package struct ClientModel: Sendable {
  struct Parameter: Sendable {
    let name: String
    let type: Schema
    let isRequired: Bool
    let about: String
  }

  struct Method: Sendable {
    /// The method's full name, for example `session.signIn`.
    let name: String
    let summary: String
    let parameters: [Parameter]
    /// The result's schema, or nil if the result has no members.
    let result: Schema?
    let reasons: [String]
    let repetition: Repetition

    /// The part of the name after the dot.
    var verb: String { String(name.drop { $0 != "." }.dropFirst()) }
    /// The name as the name of a type: `session.signIn` is `SessionSignIn`.
    var typeName: String { NamedSchemas.capitalised(name) }
  }

  /// The methods whose names have the same part before the dot.
  struct Group: Sendable {
    let name: String
    let methods: [Method]
    /// The name as the name of a type: `session` is `Session`.
    var typeName: String { NamedSchemas.capitalised(name) }
  }

  let version: String
  /// The types, each after those to which it refers.
  let types: [NamedSchemas.Component]
  let groups: [Group]
  /// The reasons of all errors.
  let reasons: [String]

  /// Methods that concern one connection. The clients get no generated functions for them, nor for the methods of
  /// forms, because a client may change its connection between two calls.
  private static let ofConnections = ["rpc.cancel", "rpc.language", "events.subscribe", "events.unsubscribe"]
  /// The error types, which each client defines itself.
  private static let ofErrors = [
    "Reason", "ErrorData", "ValidationErrorData", "CodeErrorData", "ConfigurationErrorData",
  ]

  package init(of table: MethodTable, version: String) {
    self.version = version
    var schemas = NamedSchemas()
    // the groups, in the order of their first methods in the table
    var names: [String] = []
    var grouped: [String: [Method]] = [:]
    var reasons = ErrorReason.ofProtocol
    for method in table.methods {
      let result = schemas.adopt(method.result, as: method.resultName)
      for reason in method.errors where !reasons.contains(reason) { reasons.append(reason) }
      let name = "\(method.name)"
      let group = String(name.prefix { $0 != "." })
      guard name.contains("."), group != "form", !Self.ofConnections.contains(name) else { continue }
      if grouped[group] == nil { names.append(group) }
      grouped[group, default: []].append(Method(method, result: result))
    }
    for notification in table.description.notifications {
      _ = schemas.adopt(notification.params, as: NamedSchemas.capitalised("\(notification.name)"))
    }
    for reason in reasons { _ = schemas.adopt(table.description.data(reason), as: "ErrorData") }
    types = schemas.components.filter { !Self.ofErrors.contains($0.name) }
    groups = names.map { Group(name: $0, methods: grouped[$0] ?? []) }
    self.reasons = reasons.map(\.name)
  }

  /// The parameters whose null means something, each after the name of its method. Clients leave out every other null, because
  /// a regd of an earlier version may lack the parameter.
  var nullable: [String] {
    groups.flatMap(\.methods).flatMap { method in
      method.parameters.filter { if case .nullable = $0.type { true } else { false } }
        .map { "\(method.name).\($0.name)" }
    }
  }

  /// The methods that a client may call again by itself.
  var repeatable: [Method] { groups.flatMap(\.methods).filter { $0.repetition != .no } }
}

extension ClientModel.Method {
  fileprivate init(_ method: Method, result: Schema) {
    name = "\(method.name)"
    summary = "\(method.summary)"
    parameters = method.parameters.map { parameter in
      ClientModel.Parameter(
        name: "\(parameter.name)", type: parameter.type, isRequired: parameter.isRequired,
        about: "\(parameter.summary)")
    }
    if case .object(let members, _) = result, members.isEmpty { self.result = nil } else { self.result = result }
    reasons = method.errors.map(\.name)
    repetition = method.repetition
  }
}

extension Parameter {
  fileprivate var type: Schema {
    switch (kind, form) {
    case (_, .oneOf(let words)): .choice(Self.words(words), "")
    case (.array, .elements(let name)): .array(.named("\(name)", .anyObject("")), "")
    case (.array, .strings): .array(.string(""), "")
    case (.nullableString, _): isRequired ? .nullable(.string("")) : .string("")
    case (.string, _), (.id, _): .string("")
    case (.integer, _): .integer("")
    case (.boolean, _): .boolean("")
    case (.array, _): .array(.anyObject(""), "")
    case (.object, _): .anyObject("")
    }
  }
}

/// Spells regd's names as each language does.
enum Names {
  /// `passwordConfirmation` becomes `password_confirmation`.
  static func snake(_ name: String) -> String {
    name.reduce(into: "") { text, letter in
      if letter.isUppercase, !text.isEmpty { text.append("_") }
      text += letter.isLetter || letter.isNumber ? letter.lowercased() : "_"
    }
  }

  /// `rpc.invalidParams` becomes `RPC_INVALID_PARAMS`.
  static func constant(_ name: String) -> String { snake(name).uppercased() }
}

extension [String] {
  /// The lines, each indented by this many spaces. Empty lines remain empty.
  func indented(by count: Int) -> [String] {
    map { $0.isEmpty ? $0 : String(repeating: " ", count: count) + $0 }
  }
}

/// Makes a client from the file of `ClientFiles` in its language.
///
/// Two comments mark each region of the file that depends on the methods: `# regd: begin NAME` and `# regd: end`, or the
/// same with `//`. The lines between them are sample code.
enum Template {
  private enum Mark {
    case begin(String)
    case end
  }

  /// Replaces each region and its two marks with the part of that name, and `@@VERSION@@` with the version. The first
  /// mark of a region without a part remains, so that tests find it.
  static func filled(_ file: String, version: String, _ parts: [String: String]) -> String {
    var lines: [String] = []
    var isInRegion = false
    for line in file.split(separator: "\n", omittingEmptySubsequences: false) {
      switch mark(line) {
      case .begin(let name):
        lines.append(parts[name] ?? String(line))
        isInRegion = true
      case .end: isInRegion = false
      case nil: if !isInRegion { lines.append(String(line).replacing("@@VERSION@@", with: version)) }
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func mark(_ line: Substring) -> Mark? {
    let words = line.split { $0 == " " || $0 == "\t" }
    guard words.count > 2, words[0] == "#" || words[0] == "//", words[1] == "regd:" else { return nil }
    if words.count == 4, words[2] == "begin" { return .begin(String(words[3])) }
    return words.count == 3 && words[2] == "end" ? .end : nil
  }
}
