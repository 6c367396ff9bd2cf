internal import JSONRPC

/// Reads from an upstream's body the one member that regd uses, and ignores all others. Returns nil if the body is not
/// a JSON object, or the member is missing or of another type.
enum AnswerBody {
  /// Whether the body is empty or only JSON's white space (RFC 8259 §2).
  static func isBlank(_ body: [UInt8]) -> Bool { body.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }

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
      case .string: value.string.flatMap { $0.isEmpty ? nil : $0 }
      case .number: String(decoding: value.source, as: UTF8.self)
      default: nil
      }
    }
  }

  private static func member<Value>(
    _ name: StaticString, of body: [UInt8], _ read: (JSONView) -> Value?
  ) -> Value? {
    var tape = JSONTape()
    let value = body.withUnsafeBytes { bytes in
      try? JSONDocument.read(bytes, tape: &tape) { $0.member(name).flatMap(read) }
    }
    return value ?? nil
  }
}
