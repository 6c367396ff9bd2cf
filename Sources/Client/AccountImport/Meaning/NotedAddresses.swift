internal import CMessageDigest
package import Registration

/// The addresses of all accounts of an import, each as the first 16 bytes of a digest of its key, by which regd
/// compares addresses. Records with the same key were several accounts in the other system, but can be only one account
/// in regd. All of them are refused, and the operator decides.
struct NotedAddresses {
  private struct Note: Comparable {
    let digest: KeyDigest
    /// The number of the record in its file.
    let index: UInt32
    let line: UInt32
    let file: UInt32

    static func < (one: Note, other: Note) -> Bool {
      one.digest == other.digest ? one.index < other.index : one.digest < other.digest
    }
  }

  private var notes: [Note] = []
  private var shared: [KeyDigest: [RecordPlace]] = [:]

  mutating func note(_ key: EmailKey, at place: RecordPlace) {
    notes.append(
      Note(
        digest: KeyDigest(key.value), index: UInt32(clamping: place.number), line: UInt32(clamping: place.line),
        file: UInt32(clamping: place.file)))
  }

  /// Keeps the addresses that occur more than once, and drops the others. To be called after `note` has read all files.
  mutating func settle() {
    notes.sort()
    var start = notes.startIndex
    while start < notes.endIndex {
      let digest = notes[start].digest
      let end = notes[start...].firstIndex { $0.digest != digest } ?? notes.endIndex
      if end - start > 1 {
        shared[digest] = notes[start..<end].map {
          RecordPlace(file: Int($0.file), line: Int($0.line), number: Int($0.index))
        }
      }
      start = end
    }
    notes = []
  }

  /// The refusal of a record that shares its key with other records, or nil if no other record has the key.
  func refusal(of key: EmailKey, at place: RecordPlace) -> RecordRefusal? {
    guard !shared.isEmpty, let places = shared[KeyDigest(key.value)] else { return nil }
    // copy a few places only: all records of a file may have the same address, and this runs for each of them
    let others = places.prefix(Self.named + 1).filter { $0 != place }.prefix(Self.named)
    return .duplicate(others: Array(others), more: max(0, places.count - 1 - others.count))
  }

  /// How many other records a refusal names at most.
  private static let named = 5
}

/// The first 16 bytes of the digest of a key, which are kept instead of the key.
struct KeyDigest: Hashable, Comparable {
  private let high: UInt64
  private let low: UInt64

  init(_ key: String) {
    let bytes = NamedIDs.digest(Array(key.utf8))
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  static func < (one: KeyDigest, other: KeyDigest) -> Bool { (one.high, one.low) < (other.high, other.low) }
}

/// Makes ids for accounts that have no UUID in their system: UUIDs of version 5 (RFC 9562 §5.5), which anyone can
/// recompute from the other system's id.
package struct NamedIDs: Sendable {
  private let namespace: [UInt8]

  /// The namespace if the operator names none.
  package static let usualNamespace = "5d2f7a0c-93f4-4f0e-8f6b-0c6f2a7b41d8"

  package init(namespace: AccountID) {
    let digits = namespace.description.utf8.filter { $0 != UInt8(ascii: "-") }
    self.namespace = stride(from: 0, to: 32, by: 2).map { index in
      UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) ?? 0
    }
  }

  /// The name itself in lower case, if it is a UUID, otherwise the UUID of `system:name`.
  func id(_ name: String, of system: ForeignSystem) -> String {
    if AccountID(name) != nil { return name.lowercased() }
    var digest = Self.digest(namespace + Array("\(system.rawValue):\(name)".utf8)).prefix(16).map { $0 }
    digest[6] = digest[6] & 0x0F | 0x50
    digest[8] = digest[8] & 0x3F | 0x80
    var text = ""
    for (index, byte) in digest.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
    }
    return text
  }

  /// The SHA-1 digest, 20 bytes.
  static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var context = SHA1_CTX()
    var digest = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_LENGTH))
    SHA1Init(&context)
    SHA1Update(&context, bytes, bytes.count)
    SHA1Final(&digest, &context)
    return digest
  }
}
