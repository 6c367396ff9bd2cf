/// A valid email address. Only `EmailRules` makes new ones.
package struct EmailAddress: Hashable, Sendable {
  /// The address as the person typed it, for display and as the recipient of mails.
  package let typed: String
  /// The key by which accounts are compared.
  package let key: EmailKey

  /// Makes an address without checking it, for stores, which read back an address that was valid when it was written.
  /// All other code uses `EmailRules`.
  package init(stored typed: String, key: EmailKey) {
    self.typed = typed
    self.key = key
  }
}

/// The comparison key of an address: its local part in NFKC and case-folded, its domain as lower-case A-labels.
///
/// Two addresses with the same key are the same address. The key is computed once, by `EmailRules`, so that no store's collation
/// matters.
package struct EmailKey: Hashable, Sendable, CustomStringConvertible {
  package let value: String

  package init(_ value: String) { self.value = value }

  package var description: String { value }

  /// The part after the @, in lower-case A-labels.
  package var domain: String {
    value.lastIndex(of: "@").map { String(value[value.index(after: $0)...]) } ?? ""
  }

  // Compares bytes: String's own equality would use canonical equivalence, which a store's index does not.
  package static func == (one: EmailKey, other: EmailKey) -> Bool { one.value.utf8.elementsEqual(other.value.utf8) }

  package func hash(into hasher: inout Hasher) {
    for byte in value.utf8 { hasher.combine(byte) }
  }
}
