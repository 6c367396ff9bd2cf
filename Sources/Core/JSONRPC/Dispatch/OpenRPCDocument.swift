package import Reasons
package import WireProtocols

/// The document of `rpc.discover` (OpenRPC 1.3), written from the table with which regd also checks params.
///
/// Members whose names begin with `x-` extend OpenRPC. regd adds `x-access` (the access class of callers),
/// `x-repeatable` (whether a request whose answer was lost may be sent again), `x-errors` (the errors that any request
/// may get) and `x-notifications`.
package enum OpenRPCDocument {
  package static func text(of table: MethodTable, version: String) -> [UInt8] {
    var writer = JSONWriter()
    var schemas = NamedSchemas()
    writer.object { writer in
      writer.member("openrpc", "1.3.2")
      writer.object("info") { writer in
        writer.member("title", "regd")
        writer.member("version", version)
        writer.member("description", "The local registration daemon: JSON-RPC 2.0 over a Unix stream socket.")
      }
      writer.array("methods") { writer in
        for method in table.methods { write(method, table.description, &schemas, to: &writer) }
      }
      writer.array("x-errors") { writer in
        for reason in ErrorReason.ofProtocol { write(referenceTo: reason, to: &writer) }
      }
      writer.array("x-notifications") { writer in
        for notification in table.description.notifications { write(notification, &schemas, to: &writer) }
      }
      writer.object("components") { write(table, &schemas, to: &$0) }
    }
    return writer.bytes
  }

  private static func write(
    _ method: Method, _ description: TableDescription, _ schemas: inout NamedSchemas, to writer: inout JSONWriter
  ) {
    let result = schemas.adopt(method.result, as: method.resultName)
    writer.object { writer in
      writer.member("name", method.name)
      writer.member("summary", method.summary)
      writer.member("paramStructure", "either")
      writer.array("params") { writer in
        for parameter in method.parameters { write(parameter, to: &writer) }
      }
      writer.object("result") { writer in
        writer.member("name", "result")
        writer.name("schema")
        result.write(to: &writer)
      }
      if !method.errors.isEmpty {
        writer.array("errors") { writer in
          // in full instead of as a `$ref`, for readers that support no references here
          for reason in method.errors { writer.object { write(reason, to: &$0) } }
        }
      }
      if let example = description.examples["\(method.name)"] {
        writer.array("examples") { write(example, of: method, to: &$0) }
      }
      writer.member("x-access", method.access.rawValue)
      if method.repetition != .no { writer.member("x-repeatable", method.repetition.rawValue) }
    }
  }

  private static func write(_ parameter: Parameter, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", parameter.name)
      writer.member("summary", parameter.summary)
      writer.member("required", parameter.isRequired)
      writer.name("schema")
      parameter.writeSchema(to: &writer)
    }
  }

  /// Writes an example. OpenRPC requires a list of params in the order of the method's parameters, and the example has
  /// them in that order.
  private static func write(_ example: TableDescription.Example, of method: Method, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", method.name)
      writer.array("params") { writer in
        var tape = JSONTape()
        let bytes = UnsafeRawBufferPointer(start: example.params.utf8Start, count: example.params.utf8CodeUnitCount)
        var pairs: [(name: String, value: [UInt8])] = []
        try? JSONDocument.read(bytes, maximumDepth: 64, tape: &tape) { params in
          params.forEachMember { pairs.append(($0.string ?? "", Array($1.source))) }
        }
        for pair in pairs {
          writer.object { writer in
            writer.member("name", pair.name)
            writer.name("value")
            writer.raw(pair.value)
          }
        }
      }
      writer.object("result") { writer in
        writer.member("name", "result")
        writer.name("value")
        writer.raw(example.result)
      }
    }
  }

  private static func write(
    _ notification: TableDescription.Notification, _ schemas: inout NamedSchemas, to writer: inout JSONWriter
  ) {
    let params = schemas.adopt(notification.params, as: NamedSchemas.capitalised("\(notification.name)"))
    writer.object { writer in
      writer.member("name", notification.name)
      writer.member("summary", notification.summary)
      writer.name("params")
      params.write(to: &writer)
      writer.member("x-access", notification.access.rawValue)
    }
  }

  private static func write(_ table: MethodTable, _ schemas: inout NamedSchemas, to writer: inout JSONWriter) {
    var reasons = ErrorReason.ofProtocol
    for reason in table.methods.flatMap(\.errors) where !reasons.contains(reason) { reasons.append(reason) }
    writer.object("errors") { writer in
      for reason in reasons {
        writer.name(reason.name)
        writer.object { writer in
          write(reason, to: &writer)
          writer.name("data")
          schemas.adopt(table.description.data(reason), as: "ErrorData").write(to: &writer)
        }
      }
    }
    writer.object("schemas") { writer in
      for component in schemas.components {
        writer.name(component.name)
        component.schema.write(to: &writer)
      }
    }
  }

  private static func write(_ reason: ErrorReason, to writer: inout JSONWriter) {
    writer.member("code", reason.code)
    writer.member("message", reason.name)
  }

  private static func write(referenceTo reason: ErrorReason, to writer: inout JSONWriter) {
    writer.object { $0.member("$ref", "#/components/errors/\(reason.name)") }
  }
}

/// The components of the `rpc.discover` document. Every object schema becomes a component with a name, so that client
/// generators make a type of it.
///
/// An object without a name of its own is named after its method, or after the object and the member that contain it.
package struct NamedSchemas: Sendable {
  package struct Component: Sendable {
    package let name: String
    /// The schema of the component, in which all objects are `named`.
    package let schema: Schema
  }

  /// The components. Each comes after all those to which it refers.
  package private(set) var components: [Component] = []
  private var names: Set<String> = []

  package init() {}

  /// The schema with a component in place of each object.
  ///
  /// - Parameter name: The name of an object that has none.
  package mutating func adopt(_ schema: Schema, as name: String) -> Schema {
    switch schema {
    case .string, .integer, .number, .boolean, .choice, .anyObject: return schema
    case .array(let element, let text): return .array(adopt(element, as: Self.singular(name)), text)
    case .nullable(let inner): return .nullable(adopt(inner, as: name))
    case .oneOf(let choices, let text): return .oneOf(choices.map { adopt($0, as: name) }, text)
    case .named(let own, let inner): return add(inner, as: own)
    case .object(let members, _): return members.isEmpty ? schema : add(schema, as: name)
    }
  }

  private mutating func add(_ schema: Schema, as name: String) -> Schema {
    // an object with the same name has equal members, as a test checks
    if names.insert(name).inserted {
      var schema = schema
      if case .object(let members, let text) = schema {
        schema = .object(
          members.map { member in
            Schema.Member(
              member.name, adopt(member.schema, as: name + Self.capitalised("\(member.name)")),
              required: member.isRequired)
          }, text)
      } else {
        schema = adopt(schema, as: name)
      }
      components.append(Component(name: name, schema: schema))
    }
    return .named(name, schema)
  }

  /// The name of a method or a member as the name of a type: `session.signIn` is `SessionSignIn`.
  package static func capitalised(_ name: String) -> String {
    name.split(whereSeparator: { !$0.isLetter && !$0.isNumber })
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private static func singular(_ name: String) -> String { name.hasSuffix("s") ? String(name.dropLast()) : name }
}

/// The parts of the `rpc.discover` document that the methods themselves lack: examples, notifications, and the data of
/// errors.
package struct TableDescription: Sendable {
  /// A call of a method and its result, which a test compares with a real call. Both are JSON texts.
  package struct Example: Sendable {
    package let params: StaticString
    package let result: StaticString

    package init(_ params: StaticString, _ result: StaticString) {
      self.params = params
      self.result = result
    }
  }

  /// A notification that the server sends.
  package struct Notification: Sendable {
    package let name: StaticString
    package let summary: StaticString
    /// The access class of callers that get the notification.
    package let access: Access
    /// The schema of the params, which are an object.
    package let params: Schema

    package init(_ name: StaticString, _ summary: StaticString, access: Access = .open, params: Schema) {
      self.name = name
      self.summary = summary
      self.access = access
      self.params = params
    }
  }

  /// Examples by the names of their methods.
  package var examples: [String: Example] = [:]
  package var notifications: [Notification] = []
  /// The schema of the member `data` of an error with this reason.
  package var data: @Sendable (ErrorReason) -> Schema = { _ in .anyObject("") }

  package init() {}
}

/// Whether a caller may send a request again if its answer was lost.
package enum Repetition: String, Sendable {
  /// A repeat may take effect a second time.
  case no
  /// A repeat has no further effect (the method is idempotent).
  case yes
  /// A repeat with the same `requestId` has no further effect.
  case withRequestID = "withRequestId"
}
