internal import JSONRPC

/// Reads from an upstream's body the one member that regd uses, and ignores all others. Returns nil if the body is not
/// a JSON object, or the member is missing, repeated or of another type.
///
/// The other members may be anything that RFC 8259's grammar allows, because refusing them would leave a registration
/// pending that the upstream has answered. A byte order mark before the text is ignored (§8.1).
enum AnswerBody {
  /// Whether the body is empty or only JSON's white space (RFC 8259 §2).
  static func isBlank(_ body: [UInt8]) -> Bool { text(of: body).allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }

  private static func text(of body: [UInt8]) -> ArraySlice<UInt8> {
    body.dropFirst(body.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
  }

  static func available(_ body: [UInt8]) -> Bool? {
    member("available", of: body) { value in
      switch value.kind {
      case .true: true
      case .false: false
      default: nil
      }
    }
  }

  /// The member "id": a string, or a number as the upstream has written it. Nil if it is missing, empty or of another type.
  static func id(_ body: [UInt8]) -> String? {
    member("id", of: body) { value in
      switch value.kind {
      // an id with a lone surrogate is nil, because its replacement would be the id of others too
      case .string: value.utf8.flatMap { String(validating: $0, as: UTF8.self) }.flatMap { $0.isEmpty ? nil : $0 }
      case .number: String(decoding: value.source, as: UTF8.self)
      default: nil
      }
    }
  }

  private static func member<Value>(
    _ name: StaticString, of body: [UInt8], _ read: (JSONView) -> Value?
  ) -> Value? {
    var tape = JSONTape()
    let value = text(of: body).withUnsafeBytes { bytes in
      // reading does not recurse, so the body's size bounds the depth enough
      try? JSONDocument.read(bytes, maximumDepth: max(1, bytes.count), .whole, tape: &tape) { root in
        var found: [JSONView] = []
        root.forEachMember { candidate, value in
          if candidate.isString(name) { found.append(value) }
        }
        return found.count == 1 ? found.first.flatMap(read) : nil
      }
    }
    return value ?? nil
  }
}
