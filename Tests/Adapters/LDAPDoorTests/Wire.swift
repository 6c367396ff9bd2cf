import Doors
import Registration

@testable import LDAPDoor

/// Messages as clients write them. They are composed by hand, because the door reads them with liblber.
enum Wire {
  static func element(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
    let contents = contents.flatMap { $0 }
    switch contents.count {
    case ..<128: return [tag, UInt8(contents.count)] + contents
    case ..<65_536: return [tag, 0x82, UInt8(contents.count >> 8), UInt8(contents.count & 0xFF)] + contents
    default: return [tag, 0x83] + [16, 8, 0].map { UInt8(truncatingIfNeeded: contents.count >> $0) } + contents
    }
  }

  static func text(_ text: String, _ tag: UInt8 = 0x04) -> [UInt8] { element(tag, Array(text.utf8)) }
  static func number(_ number: UInt8, _ tag: UInt8 = 0x02) -> [UInt8] { [tag, 1, number] }

  static func message(_ id: UInt8, _ operation: [UInt8], _ controls: [UInt8] = []) -> [UInt8] {
    element(0x30, number(id), operation, controls)
  }

  static func bind(_ name: String, _ password: String, version: UInt8 = 3, id: UInt8 = 1) -> [UInt8] {
    message(id, element(0x60, number(version), text(name), text(password, 0x80)))
  }

  static func search(
    _ base: String, scope: UInt8 = 2, _ filter: [UInt8], _ attributes: [String] = [], isTypesOnly: Bool = false,
    most entries: UInt8 = 0, id: UInt8 = 2, controls: [UInt8] = []
  ) -> [UInt8] {
    message(
      id,
      element(
        0x63, text(base), number(scope, 0x0A), number(0, 0x0A), number(entries), number(0),
        number(isTypesOnly ? 0xFF : 0, 0x01),
        filter, element(0x30, attributes.flatMap { text($0) })), controls)
  }

  static func control(_ name: String, isCritical: Bool) -> [UInt8] {
    element(0xA0, element(0x30, text(name), isCritical ? [0x01, 0x01, 0xFF] : [], text("value")))
  }

  static func extended(_ name: String, _ value: String? = nil, id: UInt8 = 3) -> [UInt8] {
    message(id, element(0x77, text(name, 0x80), value.map { text($0, 0x81) } ?? []))
  }

  static func compare(_ name: String, _ type: String, _ value: String) -> [UInt8] {
    message(4, element(0x6E, text(name), element(0x30, text(type), text(value))))
  }

  static func equal(_ type: String, _ value: String) -> [UInt8] { element(0xA3, text(type), text(value)) }
  static func present(_ type: String) -> [UInt8] { text(type, 0x87) }
  static func and(_ parts: [UInt8]...) -> [UInt8] { element(0xA0, parts.flatMap { $0 }) }
  static func or(_ parts: [UInt8]...) -> [UInt8] { element(0xA1, parts.flatMap { $0 }) }
  static func not(_ part: [UInt8]) -> [UInt8] { element(0xA2, part) }

  static let whoAmI = "1.3.6.1.4.1.4203.1.11.3"
  static let unbind = message(9, [0x42, 0])

  /// Responses for comparisons: `ID TAG CODE TEXT MORE`, or `ID entry NAME` and each attribute with its values.
  static func described(_ bytes: [UInt8]) throws -> [String] {
    try bytes.withUnsafeBytes { bytes in
      var (rest, lines): (Slice<UnsafeRawBufferPointer>, [String]) = (bytes[...], [])
      while !rest.isEmpty {
        let message = UnsafeRawBufferPointer(rebasing: rest)
        let length = try BER.messageLength(message, longest: .max / 2) ?? 0
        guard length > 0, length <= rest.count else { return lines + ["no whole message"] }
        lines.append(try line(UnsafeRawBufferPointer(rebasing: rest.prefix(length))))
        rest = rest.dropFirst(length)
      }
      return lines
    }
  }

  private static func line(_ message: UnsafeRawBufferPointer) throws -> String {
    try BER.message(message) { (elements: inout BERElements) throws(Malformed) in
      let id = try elements.take(Tag.integer).number()
      let operation = try elements.take()
      var parts = try operation.elements()
      if operation.tag == Tag.searchResultEntry {
        var line = "\(id) entry " + string(try parts.take(Tag.octetString))
        var attributes = try parts.take(Tag.sequence).elements()
        while !attributes.isAtEnd {
          var attribute = try attributes.take(Tag.sequence).elements()
          line += " " + string(try attribute.take(Tag.octetString)) + "="
          var values = try attribute.take(Tag.set).elements()
          var texts: [String] = []
          while !values.isAtEnd { texts.append(string(try values.take(Tag.octetString))) }
          line += texts.joined(separator: "|")
        }
        return line
      }
      var words = ["\(id)", "\(names[operation.tag] ?? "\(operation.tag)")"]
      words.append("\(try parts.take(Tag.enumerated).number())")
      while !parts.isAtEnd {
        let part = try parts.take()
        if !part.contents.isEmpty { words.append(string(part)) }
      }
      return words.joined(separator: " ")
    }
  }

  private static func string(_ element: BERElement) -> String { String(decoding: element.contents, as: UTF8.self) }
  private static let names: [UInt: String] = [0x61: "bind", 0x65: "done", 0x78: "extended", 0x6F: "compare"]
}

/// A door's protocol on a connection in memory.
struct LDAPStage {
  private var stage: LoginProtocolStage<LDAPLoginProtocol>
  private var told = 0

  init(
    base: String = "", domain: String = "example.org", searchers: Set<String> = [], mayAlwaysSearch: Bool = false
  ) {
    stage = LoginProtocolStage(
      Self.machine(base: base, domain: domain, searchers: searchers, mayAlwaysSearch: mayAlwaysSearch))
  }

  static func machine(
    base: String = "", domain: String = "example.org", searchers: Set<String> = [], mayAlwaysSearch: Bool = false
  ) -> LDAPLoginProtocol {
    LDAPLoginProtocol(
      Directory(base: base, domain: domain) ?? Directory(), searchers: searchers, mayAlwaysSearch: mayAlwaysSearch)
  }

  var asked: [String] { stage.asked.map(\.described) }
  var hasEnded: Bool { stage.hasEnded }

  /// Sends a message and returns the responses.
  mutating func send(_ message: [UInt8], _ answer: DoorAnswer = .wrong) throws -> [String] {
    stage.send(message) { _ in answer }
    defer { told = stage.output.count }
    return try Wire.described(Array(stage.output[told...]))
  }

  /// A stage after a correct bind with this address.
  static func bound(as address: String = "you@example.org", searchers: Set<String> = []) throws -> LDAPStage {
    var stage = LDAPStage(searchers: searchers)
    _ = try stage.send(Wire.bind(address, "secret"), .right(.named(address)))
    return stage
  }
}

extension DoorAccount {
  static func named(_ name: String, groups: [String] = [], displayName: String? = nil) -> DoorAccount {
    DoorAccount(
      id: AccountID("01234567-89ab-7def-8123-456789abcdef") ?? AccountID(at: Timestamp(microseconds: 1)), name: name,
      groups: Groups(groups.compactMap { GroupName($0) }) ?? .none,
      displayName: displayName.map { DisplayName(stored: $0) })
  }
}
