/// The type of a result, for the document of `rpc.discover`: the part of JSON Schema (draft 7) that regd's results need.
package indirect enum Schema: Sendable {
  case string(StaticString)
  case integer(StaticString)
  case number(StaticString)
  case boolean(StaticString)
  /// One of these strings.
  case choice([String], StaticString)
  case array(Schema, StaticString)
  /// An object with these members and no others.
  case object([Member], StaticString)
  /// A value of the schema, or null.
  case nullable(Schema)
  /// Any JSON object.
  case anyObject(StaticString)

  package struct Member: Sendable {
    package let name: StaticString
    package let schema: Schema
    package let isRequired: Bool

    package init(_ name: StaticString, _ schema: Schema, required: Bool = true) {
      self.name = name
      self.schema = schema
      isRequired = required
    }
  }

  /// An object with these members and no others.
  package static func object(_ members: Member..., about: StaticString = "") -> Schema { .object(members, about) }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .string(let text): Self.write("string", text, to: &writer)
    case .integer(let text): Self.write("integer", text, to: &writer)
    case .number(let text): Self.write("number", text, to: &writer)
    case .boolean(let text): Self.write("boolean", text, to: &writer)
    case .anyObject(let text): Self.write("object", text, to: &writer)
    case .choice(let values, let text):
      Self.write("string", text, to: &writer) { writer in
        writer.array("enum") { writer in for value in values { writer.value(value) } }
      }
    case .array(let element, let text):
      Self.write("array", text, to: &writer) { writer in
        writer.name("items")
        element.write(to: &writer)
      }
    case .object(let members, let text):
      Self.write("object", text, to: &writer) { Self.write(members, to: &$0) }
    case .nullable(let schema):
      writer.object { writer in
        writer.array("anyOf") { writer in
          schema.write(to: &writer)
          writer.object { $0.member("type", "null") }
        }
      }
    }
  }

  private static func write(_ members: [Member], to writer: inout JSONWriter) {
    writer.object("properties") { writer in
      for member in members {
        writer.name(member.name)
        member.schema.write(to: &writer)
      }
    }
    writer.array("required") { writer in
      for member in members where member.isRequired { writer.value(member.name) }
    }
    writer.member("additionalProperties", false)
  }

  private static func write(
    _ type: StaticString, _ description: StaticString, to writer: inout JSONWriter,
    _ more: (inout JSONWriter) -> Void = { _ in }
  ) {
    writer.object { writer in
      writer.member("type", type)
      if description.utf8CodeUnitCount > 0 { writer.member("description", description) }
      more(&writer)
    }
  }
}
