internal import Registration

/// The addresses of all accounts of an import, by the beginning of a digest of regd's own key for them: two records with one key were
/// two accounts there and can only be one here. Which of them it should be, nobody but the operator knows.
package struct NotedAddresses {
  private struct Note: Comparable {
    let digest: Digest
    /// In the order of reading.
    let index: UInt32
    let line: UInt32
    let file: UInt32

    static func < (one: Note, other: Note) -> Bool {
      (one.digest.high, one.digest.low, one.index) < (other.digest.high, other.digest.low, other.index)
    }
  }

  private struct Digest: Hashable {
    let high: UInt64
    let low: UInt64

    init(_ key: EmailKey) {
      let bytes = NamedIDs.digest(Array(key.value.utf8))
      high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
      low = bytes.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  private var notes: [Note] = []
  private var shared: [Digest: [RecordPlace]] = [:]

  package init() {}

  mutating func note(_ key: EmailKey, at place: RecordPlace) {
    notes.append(
      Note(
        digest: Digest(key), index: UInt32(clamping: place.number), line: UInt32(clamping: place.line),
        file: UInt32(clamping: place.file)))
  }

  /// Finds what is there more than once, and forgets the others. To be called when all files were read once.
  package mutating func settle() {
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

  /// - Returns: Nil where the key is that of this record alone.
  func refusal(of key: EmailKey, at place: RecordPlace) -> RecordRefusal? {
    guard !shared.isEmpty, let places = shared[Digest(key)] else { return nil }
    // all the records of a file may have one address, and each of them is asked for
    let others = places.prefix(Self.named + 1).filter { $0 != place }.prefix(Self.named)
    return .duplicate(others: Array(others), more: max(0, places.count - 1 - others.count))
  }

  /// How many others a refusal names.
  private static let named = 5
}
