/// A search filter (RFC 4511 §4.5.1.7). A filter that no entry of regd's can satisfy is `undefined`.
indirect enum Filter: Sendable {
  case and([Filter])
  case or([Filter])
  case not(Filter)
  /// An equality. The value of `member` and `memberOf` is a name (DN), until `Directory.resolved` replaces it.
  case equal(AttributeType, String)
  case present(AttributeType)
  case substrings(AttributeType, Substrings)
  /// A filter with an unknown attribute, a comparison that the attribute lacks, an unknown rule or invalid text.
  case undefined

  struct Substrings: Sendable {
    var initial = ""
    var any: [String] = []
    var final = ""
  }

  /// The most parts of a filter, which limits the memory of a search that waits for its answer.
  static let mostParts = 256
  /// The deepest nesting of parts.
  static let deepest = 32
}

extension Filter {
  private enum Choice {
    static let and: UInt = 0xA0
    static let or: UInt = 0xA1
    static let not: UInt = 0xA2
    static let equal: UInt = 0xA3
    static let substrings: UInt = 0xA4
    static let present: UInt = 0x87
    static let similar: UInt = 0xA8
    static let extensible: UInt = 0xA9
    static let initial: UInt = 0x80
    static let any: UInt = 0x81
    static let final: UInt = 0x82
    static let rule: UInt = 0x81
    static let ruleType: UInt = 0x82
    static let ruleValue: UInt = 0x83
  }

  /// Decodes a filter.
  ///
  /// - Parameters:
  ///   - room: How many more parts the search may have. Each decoded part lowers it.
  ///   - depth: The number of parts that enclose this one.
  /// - Returns: Nil if it has too many parts, or is nested too deep.
  init?(_ element: BERElement, _ room: inout Int, depth: Int = 0) throws(Malformed) {
    room -= 1
    guard room >= 0, depth < Self.deepest else { return nil }
    switch element.tag {
    case Choice.and, Choice.or:
      guard let parts = try Self.parts(element, &room, depth: depth + 1) else { return nil }
      self = element.tag == Choice.and ? .and(parts) : .or(parts)
    case Choice.not:
      var elements = try element.elements()
      guard let part = try Filter(elements.take(), &room, depth: depth + 1) else { return nil }
      self = .not(part)
    case Choice.equal, Choice.similar: self = try Self.equality(element)
    case Choice.present: self = AttributeType(element.contents).map { .present($0) } ?? .undefined
    case Choice.substrings:
      guard let substrings = try Self.substrings(element, &room) else { return nil }
      self = substrings
    case Choice.extensible: self = try Self.extensible(element)
    // greater-or-equal and less-or-equal, because no attribute here has an order, and unknown filters, as in RFC 4511
    default: self = .undefined
    }
  }

  private static func parts(
    _ element: BERElement, _ room: inout Int, depth: Int
  ) throws(Malformed) -> [Filter]? {
    var elements = try element.elements()
    var parts: [Filter] = []
    while !elements.isAtEnd {
      guard let part = try Filter(elements.take(), &room, depth: depth) else { return nil }
      parts.append(part)
    }
    return parts
  }

  private static func equality(_ element: BERElement) throws(Malformed) -> Filter {
    var elements = try element.elements()
    let type = AttributeType(try elements.take(Tag.octetString).contents)
    let value = String(validating: try elements.take(Tag.octetString).contents, as: UTF8.self)
    guard let type, let value else { return .undefined }
    return .equal(type, value)
  }

  private static func substrings(_ element: BERElement, _ room: inout Int) throws(Malformed) -> Filter? {
    var elements = try element.elements()
    let type = AttributeType(try elements.take(Tag.octetString).contents)
    var pieces = try elements.take(Tag.sequence).elements()
    var substrings = Substrings()
    var isText = true
    while !pieces.isAtEnd {
      room -= 1
      guard room >= 0 else { return nil }
      let piece = try pieces.take()
      let text = String(validating: piece.contents, as: UTF8.self)
      if text == nil { isText = false }
      switch piece.tag {
      case Choice.initial: substrings.initial = text ?? ""
      case Choice.any: substrings.any.append(text ?? "")
      case Choice.final: substrings.final = text ?? ""
      default: throw Malformed()
      }
    }
    guard isText, let type, type.hasSubstrings else { return .undefined }
    return .substrings(type, substrings)
  }

  /// Reads an extensible match, which without a rule is an equality, because regd knows no named rule.
  private static func extensible(_ element: BERElement) throws(Malformed) -> Filter {
    var elements = try element.elements()
    var (type, value): (AttributeType?, String?) = (nil, nil)
    var hasRule = false
    while !elements.isAtEnd {
      let part = try elements.take()
      switch part.tag {
      case Choice.rule: hasRule = true
      case Choice.ruleType: type = AttributeType(part.contents)
      case Choice.ruleValue: value = String(validating: part.contents, as: UTF8.self)
      default: continue
      }
    }
    guard !hasRule, let type, let value else { return .undefined }
    return .equal(type, value)
  }
}
