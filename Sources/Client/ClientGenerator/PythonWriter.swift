internal import ClientFiles
internal import JSONRPC

/// Writes regd's client in Python 3.11 as one file, formatted as Black formats it.
package enum PythonWriter {
  package static func text(of model: ClientModel) -> String {
    Template.filled(
      String(cString: client_file_python()), version: model.version,
      [
        "reasons": model.reasons.map { "    \(Names.constant($0)) = \"\($0)\"" }.joined(separator: "\n"),
        "types": types(model),
        "repeatable": model.repeatable.map { "    \"\($0.name)\": \"\($0.repetition.rawValue)\"," }
          .joined(separator: "\n"),
        "nullable": model.nullable.map { "    \"\($0)\"," }.joined(separator: "\n"),
        "methods": groups(model, isAsync: false),
        "asyncMethods": groups(model, isAsync: true),
        "members": members(model, isAsync: false),
        "asyncMembers": members(model, isAsync: true),
      ])
  }

  private static let keywords: Set = [
    "from", "import", "class", "def", "del", "global", "is", "in", "not", "pass", "raise",
  ]
  private static let width = 88

  // MARK: Types

  private static func type(_ schema: Schema) -> String {
    switch schema {
    case .string: "str"
    case .integer: "int"
    case .number: "float"
    case .boolean: "bool"
    case .choice(let values, _): "Literal[\(values.map { "\"\($0)\"" }.joined(separator: ", "))]"
    case .array(let element, _): "list[\(type(element))]"
    case .object, .anyObject: "dict[str, Any]"
    case .nullable(let inner): "\(type(inner)) | None"
    case .oneOf(let choices, _): choices.map(type).joined(separator: " | ")
    // A member of the enumeration Reason occurs only in errors. A result contains the reason as text.
    case .named("Reason", _): "str"
    case .named(let name, _): name
    }
  }

  /// The type of a parameter: `Sequence` for a list, so that any sequence is accepted, and because a method of the
  /// class may hide the name `list`.
  private static func accepted(_ schema: Schema) -> String {
    if case .array(let element, _) = schema { "Sequence[\(type(element))]" } else { type(schema) }
  }

  /// The line as Black formats it: broken if it is too long.
  private static func wrapped(_ head: String, _ type: String, _ tail: String = "", indent: Int) -> [String] {
    let line = head + type + tail
    guard indent + line.count > width, let open = type.firstIndex(of: "["), type.hasSuffix("]") else { return [line] }
    let inner = type[type.index(after: open)...].dropLast()
    if inner.contains("[") {
      return [head + type[...open]] + wrapped("", String(inner), "", indent: indent + 4).indented(by: 4) + ["]" + tail]
    }
    return [head + type[...open]] + inner.split(separator: ", ").map { "    \($0)," } + ["]" + tail]
  }

  private static func types(_ model: ClientModel) -> String {
    // the classes of a union are final, so that a type checker can distinguish them by the presence of a member
    let choices: Set<String> = model.types.reduce(into: []) { names, component in
      guard case .oneOf(let choices, _) = component.schema else { return }
      for case .named(let name, _) in choices { names.insert(name) }
    }
    return model.types.map { component in
      ((choices.contains(component.name) ? ["@final"] : []) + lines(of: component)).joined(separator: "\n")
    }.joined(separator: "\n\n\n")
  }

  private static func lines(of component: NamedSchemas.Component) -> [String] {
    switch component.schema {
    case .object(let members, let about): return object(component.name, members, "\(about)")
    case .oneOf: return ["\(component.name): TypeAlias = \(type(component.schema))"]
    default: return wrapped("\(component.name) = ", type(component.schema), indent: 0)
    }
  }

  private static func object(_ name: String, _ members: [Schema.Member], _ about: String) -> [String] {
    func typed(_ member: Schema.Member) -> String {
      member.isRequired ? type(member.schema) : "NotRequired[\(type(member.schema))]"
    }
    guard !members.contains(where: { keywords.contains("\($0.name)") }) else {
      let rows = members.flatMap { wrapped("\"\($0.name)\": ", typed($0), ",", indent: 8) }
      return ["\(name) = TypedDict(", "    \"\(name)\",", "    {"] + rows.indented(by: 8) + ["    },", ")"]
    }
    let rows = members.flatMap { wrapped("\($0.name): ", typed($0), indent: 4) }
    let head = about.isEmpty ? [] : ["    \"\"\"\(about)\"\"\"", ""]
    return ["class \(name)(TypedDict):"] + head + rows.indented(by: 4)
  }

  // MARK: Methods

  private static func groups(_ model: ClientModel, isAsync: Bool) -> String {
    model.groups.map { group in
      let head = [
        "class \(isAsync ? "Async" : "")\(group.typeName)Methods:",
        "    def __init__(self, call: \(isAsync ? "_AsyncCall" : "_Call")) -> None:", "        self._call = call",
      ]
      return (head + group.methods.flatMap { [""] + method($0, isAsync: isAsync).indented(by: 4) })
        .joined(separator: "\n")
    }.joined(separator: "\n\n\n")
  }

  /// The name of a method or parameter. Python's keywords get an underscore (PEP 8).
  private static func word(_ name: String) -> String {
    let word = Names.snake(name)
    return keywords.contains(word) ? "\(word)_" : word
  }

  private static func method(_ method: ClientModel.Method, isAsync: Bool) -> [String] {
    let result = method.result.map(type) ?? "None"
    var lines = ["\(isAsync ? "async " : "")def \(word(method.verb))(", "    self,", "    *,"]
    for parameter in method.parameters {
      let type = accepted(parameter.type) + (parameter.isRequired ? "" : " | None")
      lines += wrapped(
        "\(word(parameter.name)): ", type, (parameter.isRequired ? "" : " = None") + ",", indent: 8
      )
      .indented(by: 4)
    }
    lines += ["    timeout: float | None = None,", ") -> \(result):"]
    let isShort = method.parameters.isEmpty && method.reasons.isEmpty
    lines.append("    \"\"\"\(method.summary)\(isShort ? "\"\"\"" : "")")
    if !method.parameters.isEmpty {
      lines.append("")
      lines += method.parameters.map { "    \(word($0.name)): \($0.about)" }
    }
    if !method.reasons.isEmpty {
      lines += ["", "    Raises RegdError, for reasons of its own:"]
      lines += filled(method.reasons, indent: 8)
    }
    if !isShort { lines.append("    \"\"\"") }
    let call = "\(isAsync ? "await " : "")self._call("
    lines.append(method.result == nil ? "    \(call)" : "    result: \(result) = \(call)")
    lines.append("        \"\(method.name)\",")
    if method.parameters.isEmpty {
      lines.append("        {},")
    } else {
      lines.append("        {")
      lines += method.parameters.map { "            \"\($0.name)\": \(word($0.name))," }
      lines.append("        },")
    }
    lines += ["        timeout,", "    )"]
    if method.result != nil { lines.append("    return result") }
    return lines
  }

  /// The words, separated by commas and broken into lines.
  private static func filled(_ words: [String], indent: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for (index, word) in words.enumerated() {
      let text = word + (index == words.count - 1 ? "." : ",")
      if line.count + text.count + 1 + indent > width - 4 {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + text
    }
    return (lines + [line]).indented(by: indent)
  }

  private static func members(_ model: ClientModel, isAsync: Bool) -> String {
    model.groups.map { group in
      "        self.\(group.name) = \(isAsync ? "Async" : "")\(group.typeName)Methods(self._call)"
    }.joined(separator: "\n")
  }
}
