/// An e-mail address that regd accepts; valid because it exists. Made by `EmailRules`.
package struct EmailAddress: Hashable, Sendable {
  /// What the person typed, for display and for sending mail to.
  package let typed: String
  /// What accounts are compared by.
  package let key: EmailKey

  /// For stores, which read back what was valid when it was written. All other code asks `EmailRules`.
  package init(stored typed: String, key: EmailKey) {
    self.typed = typed
    self.key = key
  }
}

/// The comparison key of an address: its local part in NFKC and case-folded, its domain as lower-case A-labels.
///
/// Two addresses with one key are one address. The key is computed here, once, so that no store's collation has a say.
package struct EmailKey: Hashable, Sendable, CustomStringConvertible {
  package let value: String

  package init(_ value: String) { self.value = value }

  package var description: String { value }

  // By bytes: String's own equality would compare by canonical equivalence, which a store's index does not.
  package static func == (one: EmailKey, other: EmailKey) -> Bool { one.value.utf8.elementsEqual(other.value.utf8) }

  package func hash(into hasher: inout Hasher) {
    for byte in value.utf8 { hasher.combine(byte) }
  }
}
