internal import Registration

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
