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

/// Makes the numbers under which a store keeps its counts. They are keyed hashes, so that a count that outlives an
/// account reveals nothing about the account's owner.
package struct CountingHash: Sendable {
  private let hash: SipHash

  /// - Parameters:
  ///   - key: The store's key.
  ///   - purpose: The subject of the counts. Two purposes get unrelated numbers.
  package init(_ key: CodeKey, for purpose: String) {
    let words = key.bytes.withUnsafeBytes { bytes in
      (0..<4).map { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self)) }
    }
    // derives a separate key, because the store's key is also used for the HMAC of the codes
    let own = (0..<2).map { number in
      let first = Self.number(SipHash(key: (words[2], words[3])), "\(purpose) \(number)")
      return Self.number(SipHash(key: (words[0], words[1])), "\(purpose) \(number)", after: first)
    }
    hash = SipHash(key: (own[0], own[1]))
  }

  /// - Parameter word: A number that is hashed before the text, or nil for none.
  package func number(_ text: String, after word: UInt64? = nil) -> Int64 {
    Int64(bitPattern: Self.number(hash, text, after: word))
  }

  private static func number(_ hash: SipHash, _ text: String, after word: UInt64? = nil) -> UInt64 {
    Array(text.utf8).withUnsafeBytes { hash.hash($0, after: word) }
  }
}

/// The number under which wrong codes for an address are counted.
package struct GuessedAddress: Hashable, Sendable {
  package let number: Int64

  /// - Parameter codes: The store's key.
  package init(_ key: EmailKey, _ codes: CodeKey) {
    number = CountingHash(codes, for: "wrong codes").number(key.value)
  }
}
