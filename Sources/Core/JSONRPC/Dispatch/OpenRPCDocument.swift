internal import Reasons
internal import WireProtocols

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
