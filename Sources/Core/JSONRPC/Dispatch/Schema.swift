/// The type of a result, for the document of `rpc.discover`: the part of JSON Schema (draft 7) that regd's results need.
package indirect enum Schema: Sendable {
  case string(StaticString, Format? = nil)
  case integer(StaticString)
  case number(StaticString)
  case boolean(StaticString)
  /// One of these strings.
  case choice([String], StaticString)
  case array(Schema, StaticString)
  /// An object with these members. The document does not rule out other members, because a later version of regd may have more.
  case object([Member], StaticString)
  /// A value of the schema, or null.
  case nullable(Schema)
  /// A value of one of the schemas.
  case oneOf([Schema], StaticString)
  /// Any JSON object.
  case anyObject(StaticString)
  /// A schema that the document contains once, among its components. Other schemas refer to it by this name.
  case named(String, Schema)

  /// The form of a string, as JSON Schema names it.
  package enum Format: String, Sendable {
    /// RFC 3339. regd writes UTC.
    case time = "date-time"
    case uuid
    /// An address that may have more than ASCII (RFC 6531).
    case email = "idn-email"
    case uri
  }

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

  package static func object(_ members: Member..., about: StaticString = "") -> Schema { .object(members, about) }

  package static func time(_ about: StaticString = "") -> Schema { .string(about, .time) }
  package static func uuid(_ about: StaticString = "") -> Schema { .string(about, .uuid) }
  package static func email(_ about: StaticString = "") -> Schema { .string(about, .email) }
}

// MARK: JSON Schema

extension Schema {
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .string(let text, let format):
      Self.write("string", text, to: &writer) { if let format { $0.member("format", format.rawValue) } }
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
    case .nullable(let schema): Self.write(anyOf: [schema], orNull: true, "", to: &writer)
    case .oneOf(let schemas, let text): Self.write(anyOf: schemas, text, to: &writer)
    case .named(let name, _): Self.write(referenceTo: name, to: &writer)
    }
  }

  static func write(referenceTo name: String, to writer: inout JSONWriter) {
    writer.object { $0.member("$ref", "#/components/schemas/\(name)") }
  }

  private static func write(
    anyOf schemas: [Schema], orNull isNullable: Bool = false, _ text: StaticString, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      if text.utf8CodeUnitCount > 0 { writer.member("description", text) }
      writer.array("anyOf") { writer in
        for schema in schemas { schema.write(to: &writer) }
        if isNullable { writer.object { $0.member("type", "null") } }
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
    let required = members.filter(\.isRequired)
    if !required.isEmpty {
      writer.array("required") { writer in for member in required { writer.value(member.name) } }
    }
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
