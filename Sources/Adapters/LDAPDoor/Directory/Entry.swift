/// An entry of the directory, which a search can find.
struct Entry {
  let name: String
  /// In the order of the response.
  let attributes: [(type: AttributeType, values: [String])]
  /// Further texts, folded, that count as equal to the entry's `mail`, `uid` and `cn`.
  var alsoKnownAs: Set<String> = []
  /// Brings the address in an equality filter into the compared form (`Directory.key`).
  var key: @Sendable (String) -> String = { $0.folded }
  /// For attributes whose values are names (DNs): the known values as `Directory.resolved` makes them.
  var resolved: [AttributeType: Set<String>] = [:]
  /// Whether `member` has further values, which are not known.
  var isCut = false

  /// Encodes the response (SearchResultEntry) with the entry's selected attributes.
  func message(_ id: Int32, _ selection: Selection) -> [UInt8] {
    let writer = BERWriter()
    writer.sequence { writer in
      writer.number(id)
      writer.sequence(Tag.searchResultEntry) { writer in
        writer.text(name)
        writer.sequence { writer in
          for (type, values) in attributes where selection.has(type) {
            writer.sequence { writer in
              writer.text(type.rawValue)
              writer.set { writer in
                if !selection.isTypesOnly { for value in values { writer.text(value) } }
              }
            }
          }
        }
      }
    }
    return writer.bytes
  }

  /// Whether the entry satisfies a filter, or nil for undefined, the third truth value of RFC 4511 §4.5.1.7.
  func satisfies(_ filter: Filter) -> Bool? {
    switch filter {
    case .and(let parts):
      let results = parts.map { satisfies($0) }
      return results.contains(false) ? false : results.contains(nil) ? nil : true
    case .or(let parts):
      let results = parts.map { satisfies($0) }
      return results.contains(true) ? true : results.contains(nil) ? nil : false
    case .not(let part): return satisfies(part).map { !$0 }
    case .present(let type): return values(type) != nil
    case .equal(let type, let value): return isEqual(type, value)
    case .substrings(let type, let substrings):
      return values(type)?.contains { substrings.match($0.folded) } ?? false
    case .undefined: return nil
    }
  }

  private func values(_ type: AttributeType) -> [String]? { attributes.first { $0.type == type }?.values }

  private func isEqual(_ type: AttributeType, _ value: String) -> Bool? {
    guard let values = values(type) else { return false }
    if let known = resolved[type] { return known.contains(value) ? true : isCut ? nil : false }
    let key = type.isNaming ? key(value) : value.folded
    return values.contains { $0.folded == key } || type.isNaming && alsoKnownAs.contains(key)
  }
}

extension Filter.Substrings {
  /// Whether the pieces occur in a folded text in this order, without overlap.
  func match(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    let initial = Array(initial.folded.utf8)
    guard rest.starts(with: initial) else { return false }
    rest = rest.dropFirst(initial.count)
    for piece in any {
      let piece = Array(piece.folded.utf8)
      guard
        let start = rest.indices.first(where: { rest[$0...].starts(with: piece) })
          ?? (piece.isEmpty ? rest.endIndex : nil)
      else { return false }
      rest = rest[(start + piece.count)...]
    }
    let final = Array(final.folded.utf8)
    return rest.count >= final.count && rest.suffix(final.count).elementsEqual(final)
  }
}

/// The attributes that a search asks for (RFC 4511 §4.5.1.8).
struct Selection: Sendable {
  private var types: Set<AttributeType> = []
  private var hasUsual = false
  private var hasOperational = false
  /// How many attribute names the search gave. 0 selects all that are not operational.
  private(set) var count = 0
  /// Whether the search asks for the types alone, without values.
  let isTypesOnly: Bool

  init(isTypesOnly: Bool = false) { self.isTypesOnly = isTypesOnly }

  mutating func add(_ name: some Collection<UInt8>) {
    count += 1
    if name.elementsEqual("*".utf8) {
      hasUsual = true
    } else if name.elementsEqual("+".utf8) {
      hasOperational = true
    } else if let type = AttributeType(name) {
      // "1.1" and types that no entry has select nothing
      types.insert(type)
    }
  }

  func has(_ type: AttributeType) -> Bool {
    if types.contains(type) { return true }
    return type.isOperational ? hasOperational : count == 0 || hasUsual
  }

  func hasValues(of type: AttributeType) -> Bool { !isTypesOnly && has(type) }
}
