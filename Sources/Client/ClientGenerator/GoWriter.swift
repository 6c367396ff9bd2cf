internal import ClientFiles
internal import JSONRPC

/// Writes regd's client in Go 1.19 as one file, formatted as gofmt formats it.
package enum GoWriter {
  package static func text(of model: ClientModel) -> String {
    let schemas = Dictionary(uniqueKeysWithValues: model.types.map { ($0.name, $0.schema) })
    return Template.filled(
      String(cString: client_file_go()), version: model.version,
      [
        "reasons": aligned(model.reasons.map { ["Reason\(exported($0))", "Reason = \"\($0)\""] })
          .map { "\t" + $0 }.joined(separator: "\n"),
        "types": (model.types.map { lines(of: $0, schemas) } + model.groups.flatMap(\.methods).compactMap(parameters))
          .map { $0.joined(separator: "\n") }.joined(separator: "\n\n"),
        "repeatable": aligned(model.repeatable.map { ["\"\($0.name)\":", "true,"] }).map { "\t" + $0 }
          .joined(separator: "\n"),
        "methods": model.groups.map(group).joined(separator: "\n\n"),
        "members": aligned(model.groups.map { [exported($0.name), "*\(exported($0.name))Methods"] })
          .map { "\t" + $0 }.joined(separator: "\n"),
        "assignments": model.groups.map { "\tc.\(exported($0.name)) = &\(exported($0.name))Methods{c}" }
          .joined(separator: "\n"),
      ])
  }

  /// Spells a name as Go exports it, with initialisms in capitals.
  private static func exported(_ name: String) -> String {
    let pascal = NamedSchemas.capitalised(name)
    if pascal == "Rpc" { return "RPC" }
    for (suffix, capitals) in [("Id", "ID"), ("Url", "URL"), ("Uid", "UID"), ("Pid", "PID")]
    where pascal.hasSuffix(suffix) {
      return pascal.dropLast(suffix.count) + capitals
    }
    return pascal
  }

  /// Joins the cells of each row. Each column except the last is as wide as its widest cell.
  private static func aligned(_ rows: [[String]]) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { index, cell in
        index == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[index] - cell.count)
      }.joined(separator: " ")
    }
  }

  // MARK: Types

  private static func type(_ schema: Schema) -> String {
    switch schema {
    case .string, .choice: "string"
    case .integer: "int64"
    case .number: "float64"
    case .boolean: "bool"
    case .array(let element, _): "[]\(type(element))"
    case .object, .anyObject, .oneOf: "map[string]any"
    case .nullable(let inner): "*\(type(inner))"
    case .named(let name, _): name
    }
  }

  /// The type of an optional member. If the member is absent, a text or a list is empty, and any other value is nil.
  private static func optional(_ type: String, _ schema: Schema) -> String {
    switch schema {
    case .string, .choice, .array, .anyObject, .nullable, .oneOf: type
    case .named(_, .choice): type
    case .integer, .number, .boolean, .object, .named: "*\(type)"
    }
  }

  private static func lines(of component: NamedSchemas.Component, _ schemas: [String: Schema]) -> [String] {
    let name = component.name
    switch component.schema {
    case .object(let members, let about):
      return comment(name, "\(about)") + structure(name, fields(members))
    // Go has no unions: the struct has the members of all choices, and only the present ones are set
    case .oneOf(let choices, let about):
      var members: [Schema.Member] = []
      for case .named(let choice, _) in choices {
        guard case .object(let own, _)? = schemas[choice] else { continue }
        for member in own where !members.contains(where: { "\($0.name)" == "\(member.name)" }) {
          members.append(member)
        }
      }
      let isShared = { (name: StaticString) in
        choices.allSatisfy { choice in
          guard case .named(let choice, _) = choice, case .object(let own, _)? = schemas[choice] else { return false }
          return own.contains { "\($0.name)" == "\(name)" && $0.isRequired }
        }
      }
      return comment(name, "\(about)")
        + structure(name, fields(members.map { .init($0.name, $0.schema, required: isShared($0.name)) }))
    case .choice(let values, let about):
      return comment(name, "\(about)") + [
        "type \(name) string", "", "// The values of \(name) in this version.", "const (",
      ]
        + aligned(values.map { ["\t\(name)\(exported($0))", "\(name) = \"\($0)\""] }) + [")"]
    default:
      return comment(name, "") + ["type \(name) \(type(component.schema))"]
    }
  }

  private static func comment(_ name: String, _ about: String) -> [String] {
    ["// \(name) is a type of regd's." + (about.isEmpty ? "" : " \(about)")]
  }

  private static func fields(_ members: [Schema.Member]) -> [[String]] {
    members.map { member in
      let type = type(member.schema)
      return [
        exported("\(member.name)"), member.isRequired ? type : optional(type, member.schema),
        "`json:\"\(member.name)\(member.isRequired ? "" : ",omitempty")\"`",
      ]
    }
  }

  private static func structure(_ name: String, _ fields: [[String]]) -> [String] {
    ["type \(name) struct {"] + aligned(fields).map { "\t" + $0 } + ["}"]
  }

  // MARK: Methods

  private static func parameters(_ method: ClientModel.Method) -> [String]? {
    guard !method.parameters.isEmpty else { return nil }
    let name = "\(method.typeName)Params"
    let about = method.parameters.map { "//   - \(exported($0.name)): \($0.about)" }
    let fields = method.parameters.map {
      [exported($0.name), type($0.type), "`json:\"\($0.name)\($0.isRequired ? "" : ",omitempty")\"`"]
    }
    return ["// \(name) are the params of \(method.name).", "//"] + about + structure(name, fields)
  }

  private static func group(_ group: ClientModel.Group) -> String {
    let type = "\(exported(group.name))Methods"
    let head = [
      "// \(type) are the methods whose names begin with \(group.name).", "type \(type) struct{ client *Client }",
    ]
    return (head + group.methods.flatMap { [""] + method($0, of: type) }).joined(separator: "\n")
  }

  private static func method(_ method: ClientModel.Method, of group: String) -> [String] {
    let name = exported(method.verb)
    var lines = ["// \(name) calls \(method.name). \(method.summary)"]
    if !method.reasons.isEmpty { lines += ["//", "// Reasons of its own: \(method.reasons.joined(separator: ", "))."] }
    let takes = method.parameters.isEmpty ? "" : ", params \(method.typeName)Params"
    let gives: String
    if let result = method.result { gives = "(*\(type(result)), error)" } else { gives = "error" }
    lines.append("func (m *\(group)) \(name)(ctx context.Context\(takes)) \(gives) {")
    if method.repetition == .withRequestID {
      lines += ["\tif params.RequestID == \"\" {", "\t\tparams.RequestID = newRequestID()", "\t}"]
    }
    let params = method.parameters.isEmpty ? "nil" : "params"
    if let result = method.result {
      lines += [
        "\tvar result \(type(result))",
        "\tif err := m.client.call(ctx, \"\(method.name)\", \(params), &result); err != nil {",
        "\t\treturn nil, err", "\t}", "\treturn &result, nil",
      ]
    } else {
      lines.append("\treturn m.client.call(ctx, \"\(method.name)\", \(params), nil)")
    }
    return lines + ["}"]
  }
}
