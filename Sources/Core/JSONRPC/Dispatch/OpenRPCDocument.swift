internal import Dialogues

/// The document of `rpc.discover` (OpenRPC 1.3), written from the very table that checks params.
enum OpenRPCDocument {
  static func text(of table: MethodTable, version: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("openrpc", "1.3.2")
      writer.object("info") { writer in
        writer.member("title", "regd")
        writer.member("version", version)
        writer.member("description", "The local registration daemon: JSON-RPC 2.0 over a Unix stream socket.")
      }
      writer.array("methods") { writer in
        for method in table.methods { write(method, to: &writer) }
      }
    }
    return writer.bytes
  }

  private static func write(_ method: Method, to writer: inout JSONWriter) {
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
        method.result.write(to: &writer)
      }
      if !method.errors.isEmpty {
        writer.array("errors") { writer in
          for reason in method.errors { write(reason, to: &writer) }
        }
      }
      // an extension (names that begin with x-): the class that a caller needs
      writer.member("x-access", method.access.rawValue)
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

  private static func write(_ reason: ErrorReason, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("code", reason.code)
      writer.member("message", reason.name)
    }
  }
}
