internal import JSONRPC
package import Localization

/// A JSON value (RFC 8259). Numbers keep their digits.
public enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  /// The digits as they were written.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// The members in the order of the text.
  case object([Member])

  public struct Member: Equatable, Sendable {
    public let name: String
    public let value: JSONValue

    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Parses a text. Returns nil if it is not JSON.
  public init?(_ text: some Sequence<UInt8>) {
    var tape = JSONTape()
    let read = Array(text).withUnsafeBytes { bytes in
      try? JSONDocument.read(bytes, maximumDepth: 1000, tape: &tape) { JSONValue($0) }
    }
    guard let read else { return nil }
    self = read
  }

  /// Why a text is not JSON, and at which byte, or nil if it is JSON.
  package static func problem(of text: [UInt8]) -> LocalizedMessage? {
    var tape = JSONTape()
    return text.withUnsafeBytes { bytes in
      do throws(JSONReadError) {
        try JSONDocument.read(bytes, maximumDepth: 1000, tape: &tape) { _ in }
        return nil
      } catch {
        return RPCError(error).sentence
      }
    }
  }

  private init(_ view: JSONView) {
    switch view.kind {
    case .null: self = .null
    case .true: self = .bool(true)
    case .false: self = .bool(false)
    case .number: self = .number(String(decoding: view.source, as: UTF8.self))
    case .string: self = .string(view.string ?? "")
    case .array:
      var elements: [JSONValue] = []
      view.forEachElement { elements.append(JSONValue($0)) }
      self = .array(elements)
    case .object:
      var members: [Member] = []
      view.forEachMember { members.append(Member($0.string ?? "", JSONValue($1))) }
      self = .object(members)
    }
  }

  /// The value of a member, or nil if there is no such member, or if this is not an object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  public var string: String? { if case .string(let value) = self { value } else { nil } }
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  /// The value of an integer of at most 64 bits, or nil for any other value.
  public var integer: Int? { if case .number(let digits) = self { Int(digits) } else { nil } }

  /// The value as one compact line.
  public var text: String {
    var writer = JSONWriter()
    write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let flag): writer.value(flag)
    case .number(let digits): writer.raw(digits.utf8)
    case .string(let string): writer.value(string)
    case .array(let elements):
      writer.array { writer in
        for element in elements { element.write(to: &writer) }
      }
    case .object(let members):
      writer.object { writer in
        for member in members {
          writer.name(member.name)
          member.value.write(to: &writer)
        }
      }
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral {
  public init(stringLiteral value: String) { self = .string(value) }

  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0, $1) })
  }

  public init(nilLiteral: ()) { self = .null }
}
