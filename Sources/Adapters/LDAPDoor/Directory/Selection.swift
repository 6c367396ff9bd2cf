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
