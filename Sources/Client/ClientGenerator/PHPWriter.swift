internal import ClientFiles
internal import JSONRPC

/// Writes regd's client in PHP 8.2 as one file, in the style of PSR-12.
package enum PHPWriter {
  package static func text(of model: ClientModel) -> String {
    let schemas = Dictionary(uniqueKeysWithValues: model.types.map { ($0.name, $0.schema) })
    return Template.filled(
      String(cString: client_file_php()), version: model.version,
      [
        "reasons": model.reasons.map { "    case \(NamedSchemas.capitalised($0)) = '\($0)';" }.joined(separator: "\n"),
        "types": model.types.compactMap { lines(of: $0, schemas) }.map { $0.joined(separator: "\n") }
          .joined(separator: "\n\n"),
        "repeatable": model.repeatable.map { "        '\($0.name)' => '\($0.repetition.rawValue)'," }
          .joined(separator: "\n"),
        "nullable": model.nullable.map { "        '\($0)'," }.joined(separator: "\n"),
        "methods": model.groups.map { group($0, schemas) }.joined(separator: "\n\n"),
        "members": model.groups.map { "    public readonly \($0.typeName)Methods $\($0.name);" }
          .joined(separator: "\n"),
        "assignments": model.groups.map { "        $this->\($0.name) = new \($0.typeName)Methods($this);" }
          .joined(separator: "\n"),
      ])
  }

  // MARK: Types

  /// The type declaration, which PHP checks when the client runs.
  private static func type(_ schema: Schema, _ schemas: [String: Schema]) -> String {
    switch schema {
    case .string, .choice: "string"
    case .integer: "int"
    case .number: "float"
    case .boolean: "bool"
    case .array, .object, .anyObject: "array"
    case .nullable(let inner): "?\(type(inner, schemas))"
    case .oneOf(let choices, _): choices.map { type($0, schemas) }.joined(separator: "|")
    case .named(let name, _):
      switch schemas[name] {
      case .object: name
      case .some(let inner): type(inner, schemas)
      case nil: "string"
      }
    }
  }

  /// The PHPDoc type of an array or a choice, more precise than the declaration, or nil if the declaration is precise.
  private static func detail(_ schema: Schema, _ schemas: [String: Schema]) -> String? {
    switch schema {
    case .array(let element, _): "list<\(detail(element, schemas) ?? type(element, schemas))>"
    case .anyObject, .object: "array<string, mixed>"
    case .choice(let values, _): values.map { "'\($0)'" }.joined(separator: "|")
    case .named(let name, _):
      if case .choice(let values, _)? = schemas[name], values.count < 8 {
        detail(.choice(values, ""), schemas)
      } else {
        nil
      }
    case .string, .integer, .number, .boolean, .nullable, .oneOf: nil
    }
  }

  /// A PHP expression that makes the typed value from `text`, an expression for the decoded JSON.
  private static func value(_ schema: Schema, _ text: String, _ schemas: [String: Schema]) -> String {
    switch schema {
    case .number: return "(float) \(text)"
    case .array(.named(let name, _), _):
      if case .object? = schemas[name] { return "array_map(\(name)::from(...), \(text))" }
      return text
    case .named(let name, _):
      switch schemas[name] {
      case .object, .oneOf: return "\(name)::from(\(text))"
      default: return text
      }
    case .string, .integer, .boolean, .choice, .array, .object, .nullable, .oneOf, .anyObject: return text
    }
  }

  private static func lines(of component: NamedSchemas.Component, _ schemas: [String: Schema]) -> [String]? {
    switch component.schema {
    case .object(let members, let about):
      return comment("\(about)")
        + object(component.name, members.filter(\.isRequired) + members.filter { !$0.isRequired }, schemas)
    case .oneOf(let choices, let about): return comment("\(about)") + union(component.name, choices, schemas)
    default: return nil
    }
  }

  private static func object(_ name: String, _ members: [Schema.Member], _ schemas: [String: Schema]) -> [String] {
    let details = members.compactMap { member in
      detail(member.schema, schemas).map { "     * @param \($0)\(member.isRequired ? "" : "|null") $\(member.name)" }
    }
    let head = details.isEmpty ? [] : ["    /**"] + details + ["     */"]
    let parameters = members.map { member in
      let type = type(member.schema, schemas)
      return member.isRequired
        ? "        public readonly \(type) $\(member.name),"
        : "        public readonly ?\(type) $\(member.name) = null,"
    }
    let arguments = members.map { member in
      let text = "$data['\(member.name)']"
      let value = value(member.schema, text, schemas)
      guard !member.isRequired else { return "            \(member.name): \(value)," }
      return value == text
        ? "            \(member.name): \(text) ?? null,"
        : "            \(member.name): isset(\(text)) ? \(value) : null,"
    }
    return ["final class \(name)", "{"] + head + ["    public function __construct("] + parameters
      + [
        "    ) {", "    }", "", "    /** @param array<string, mixed> $data */",
        "    public static function from(array $data): self", "    {",
      ]
      + ["        return new self("] + arguments + ["        );", "    }", "}"]
  }

  /// Writes a class that recognizes each choice by a member that no other choice has.
  private static func union(_ name: String, _ choices: [Schema], _ schemas: [String: Schema]) -> [String] {
    let named = choices.compactMap { choice -> (name: String, members: [String])? in
      guard case .named(let choice, _) = choice, case .object(let members, _)? = schemas[choice] else { return nil }
      return (choice, members.filter(\.isRequired).map { "\($0.name)" })
    }
    let arms = named.map { choice in
      let own = choice.members.first { member in
        !named.contains { $0.name != choice.name && $0.members.contains(member) }
      }
      return "            isset($data['\(own ?? "")']) => \(choice.name)::from($data),"
    }
    return [
      "final class \(name)", "{", "    /** @param array<string, mixed> $data */",
      "    public static function from(array $data): \(named.map(\.name).joined(separator: "|"))", "    {",
      "        return match (true) {",
    ] + arms + ["        };", "    }", "}"]
  }

  private static func comment(_ text: String) -> [String] { text.isEmpty ? [] : ["/** \(text) */"] }

  // MARK: Methods

  private static func group(_ group: ClientModel.Group, _ schemas: [String: Schema]) -> String {
    let name = "\(group.typeName)Methods"
    let head = [
      "final class \(name)", "{", "    /** @internal */",
      "    public function __construct(private readonly Client $client)", "    {", "    }",
    ]
    return (head + group.methods.flatMap { [""] + method($0, schemas).indented(by: 4) } + ["}"]).joined(separator: "\n")
  }

  private static func method(_ method: ClientModel.Method, _ schemas: [String: Schema]) -> [String] {
    // PHP permits no optional parameter before a required one
    let parameters = method.parameters.filter(\.isRequired) + method.parameters.filter { !$0.isRequired }
    var lines = ["/**", " * \(method.summary)", " *"]
    lines += parameters.map { parameter in
      let type = detail(parameter.type, schemas) ?? type(parameter.type, schemas)
      return " * @param \(type)\(parameter.isRequired ? "" : "|null") $\(parameter.name) \(parameter.about)"
    }
    lines.append(" * @param ?float $timeout Seconds for the call with all of its attempts.")
    if !method.reasons.isEmpty {
      lines.append(" * @throws RegdError For reasons of its own: \(method.reasons.joined(separator: ", ")).")
    }
    lines += [" * @throws NoAnswer", " */", "public function \(method.verb)("]
    for parameter in parameters {
      if ["password", "code", "stamp"].contains(where: { parameter.name.lowercased().contains($0) }) {
        lines.append("    #[\\SensitiveParameter]")
      }
      let type = type(parameter.type, schemas)
      lines.append(
        parameter.isRequired ? "    \(type) $\(parameter.name)," : "    ?\(type) $\(parameter.name) = null,")
    }
    let result = method.result.map { type($0, schemas) } ?? "void"
    lines += ["    ?float $timeout = null,", "): \(result) {"]
    let call: [String]
    if parameters.isEmpty {
      call = ["$this->client->call('\(method.name)', [], $timeout)"]
    } else {
      call =
        ["$this->client->call('\(method.name)', ["]
        + method.parameters.map { "    '\($0.name)' => $\($0.name)," } + ["], $timeout)"]
    }
    guard let schema = method.result else {
      return lines + ended(call).indented(by: 4) + ["}"]
    }
    let assigned = ["$result = \(call[0])"] + call.dropFirst()
    return lines + (ended(assigned) + ["return \(value(schema, "$result", schemas));"]).indented(by: 4) + ["}"]
  }

  private static func ended(_ lines: [String]) -> [String] { lines.dropLast() + [(lines.last ?? "") + ";"] }
}
