internal import ClientFiles
internal import JSONRPC

/// Writes regd's client in TypeScript for Node as one file, formatted as `deno fmt` formats it.
package enum TypeScriptWriter {
  package static func text(of model: ClientModel) -> String {
    Template.filled(
      String(cString: client_file_typescript()), version: model.version,
      [
        "reasons": model.reasons.map { "  \(NamedSchemas.capitalised($0)): \"\($0)\"," }.joined(separator: "\n"),
        "types": (model.types.map { lines(of: $0) } + model.groups.flatMap(\.methods).compactMap(parameters))
          .map { $0.joined(separator: "\n") }.joined(separator: "\n\n"),
        "repeatable": model.repeatable.map { "  \"\($0.name)\": \"\($0.repetition.rawValue)\"," }
          .joined(separator: "\n"),
        "methods": model.groups.map(group).joined(separator: "\n\n"),
        "members": model.groups.map { "  readonly \($0.name): \($0.typeName)Methods;" }
          .joined(separator: "\n"),
        "assignments": model.groups.map { "    this.\($0.name) = new \($0.typeName)Methods(call);" }
          .joined(separator: "\n"),
      ])
  }

  // MARK: Types

  private static func type(_ schema: Schema) -> String {
    switch schema {
    case .string: "string"
    case .integer, .number: "number"
    case .boolean: "boolean"
    case .choice(let values, _): values.map { "\"\($0)\"" }.joined(separator: " | ")
    case .array(let element, _):
      if case .choice = element { "(\(type(element)))[]" } else { "\(type(element))[]" }
    case .object, .anyObject: "Record<string, unknown>"
    case .nullable(let inner): "\(type(inner)) | null"
    case .oneOf(let choices, _): choices.map(type).joined(separator: " | ")
    case .named(let name, _): name
    }
  }

  /// The line of a declaration or a member, or if a union makes it too long, one line for each choice.
  private static func wrapped(_ head: String, _ type: String, indent: Int) -> [String] {
    let line = "\(head) \(type);"
    let choices = type.split(separator: " | ")
    guard line.count + indent > 80, choices.count > 1, !type.hasPrefix("(") else { return [line] }
    return [head] + choices.enumerated().map { "  | \($1)\($0 == choices.count - 1 ? ";" : "")" }
  }

  private static func lines(of component: NamedSchemas.Component) -> [String] {
    switch component.schema {
    case .object(let members, let about):
      let rows = members.flatMap { member in
        comment("\(member.schema.about)")
          + wrapped("\(member.name)\(member.isRequired ? "" : "?"):", type(member.schema), indent: 2)
      }
      return comment("\(about)") + ["export interface \(component.name) {"] + rows.indented(by: 2) + ["}"]
    default: return wrapped("export type \(component.name) =", type(component.schema), indent: 0)
    }
  }

  private static func comment(_ text: String) -> [String] { text.isEmpty ? [] : ["/** \(text) */"] }

  // MARK: Methods

  private static func parameters(_ method: ClientModel.Method) -> [String]? {
    guard !method.parameters.isEmpty else { return nil }
    let rows = method.parameters.flatMap { parameter in
      comment(parameter.about)
        + wrapped(
          "\(parameter.name)\(parameter.isRequired ? "" : "?"):",
          type(parameter.type) + (parameter.isRequired ? "" : " | null"), indent: 2)
    }
    return ["export interface \(method.typeName)Params {"] + rows.indented(by: 2) + ["}"]
  }

  private static func group(_ group: ClientModel.Group) -> String {
    let name = "\(group.typeName)Methods"
    let head = [
      "export class \(name) {", "  readonly #call: Call;", "", "  constructor(call: Call) {", "    this.#call = call;",
      "  }",
    ]
    return (head + group.methods.flatMap { [""] + method($0).indented(by: 2) } + ["}"]).joined(separator: "\n")
  }

  private static func method(_ method: ClientModel.Method) -> [String] {
    var lines = ["/**", " * \(method.summary)"]
    if !method.reasons.isEmpty {
      lines += [" *", " * Reasons of its own: \(method.reasons.joined(separator: ", "))."]
    }
    lines.append(" */")
    lines.append("\(method.verb)(")
    if !method.parameters.isEmpty {
      let isOptional = !method.parameters.contains(where: \.isRequired)
      lines.append("  params: \(method.typeName)Params\(isOptional ? " = {}" : ""),")
    }
    lines += [
      "  options?: CallOptions,", "): Promise<\(method.result.map(type) ?? "void")> {",
      "  return this.#call(\"\(method.name)\", \(method.parameters.isEmpty ? "{}" : "params"), options);", "}",
    ]
    return lines
  }
}

extension Schema {
  /// The sentence that describes the schema, or empty for none.
  var about: StaticString {
    switch self {
    case .string(let text, _), .integer(let text), .number(let text), .boolean(let text), .choice(_, let text),
      .array(_, let text), .object(_, let text), .oneOf(_, let text), .anyObject(let text):
      text
    case .nullable(let inner): inner.about
    case .named: ""
    }
  }
}
