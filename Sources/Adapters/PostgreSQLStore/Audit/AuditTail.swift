internal import Registration

/// The end of the audit: the last number, and the tree. A session that has locked the row of `numbering` reads it
/// there, adds entries, and writes it back with them.
struct AuditTail: Sendable {
  private(set) var last: Int
  private(set) var tree: AuditFrontier
  private let cryptography: any AuditCryptography

  /// SQL for what `init` reads.
  static let columns = "greatest(last, \(lastOfOthers)) || ' ' || leaves || ' ' || encode(peaks, 'hex')"

  /// From this number on, not all readers of JSON read numbers alike. regd gives such a number only if no smaller one is left.
  private static let end = 1 << 53
  /// The possible sizes of the tree.
  static let sizes = 0..<end

  /// SQL for the number of the last entry that another program has added after `last`. That number is not free, and a reader who has
  /// seen it looks only for later ones. A number in the upper half of those that are left up to `end` is ignored, so that no
  /// single entry uses up all numbers. If none is left, the numbers up to the last possible one are left. SQLite has the same rule.
  private static let lastOfOthers = """
    (SELECT max(number) FROM audit WHERE number > last
      AND number <= last / 2 + CASE WHEN last < \(end - 1) THEN \(end / 2) ELSE \(Int.max / 2) END)
    """

  /// - Returns: Nil if the text has another form.
  init?(_ text: String, _ cryptography: any AuditCryptography) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, let last = Int(parts[0]), let leaves = Int(parts[1]),
      Self.sizes.contains(leaves), last < Int.max - Self.end, let peaks = [UInt8](hexadecimal: parts[2])
    else { return nil }
    self.last = last
    self.cryptography = cryptography
    tree = AuditFrontier(size: leaves, stored: peaks)
  }

  /// What an entry of the audit gets together with its number. Empty for a line that is not an entry.
  struct Place: Sendable {
    var number: Int?
    /// Nil for an entry that cannot be read, and so is not in the tree.
    var leaf: Int?
    var hashes: [UInt8]?

    static let nowhere = Place()
  }

  /// Gives the next number.
  ///
  /// - Parameter entry: Returns the entry with this number, or nil if it cannot be read.
  mutating func add(_ entry: (_ number: Int) -> AuditEntry?) -> Place {
    last += 1
    guard let entry = entry(last) else { return Place(number: last) }
    let leaf = tree.size
    let hashes = tree.append(cryptography.leafHash(entry.leaf(cryptography)), cryptography)
    return Place(number: last, leaf: leaf, hashes: hashes)
  }
}

/// Entries that wait for numbers, and ends of addresses among them, as `AuditSequencer.waiting` has read them.
struct WaitingEntries: Sendable {
  struct Line: Sendable {
    /// The change's turn, and the line's place within the change.
    let turn: Int
    let place: Int
    let isEnd: Bool
    /// Nil for an end, and for an entry that cannot be read.
    let entry: AuditEntry?
  }

  private(set) var lines: [Line] = []
  /// All older transactions had ended when the entries were read, and all of their entries are here. Nil if that is unknown,
  /// because there may be more entries.
  private(set) var mark: String?
  /// Whether there may be more.
  let isCut: Bool

  /// - Parameter answer: The answer to `AuditSequencer.waiting(atMost: limit)`.
  init(_ answer: Answer?, limit: Int) {
    let count = Int32(AuditEntry.columns.count)
    let rows = answer?.rows ?? []
    isCut = rows.count >= limit
    lines = rows.map { row in
      let seal = AuditSeal(salt: row.bytes(count + 3), commitment: nil)
      let entry = try? row.read(.audit, Int(count)) { (columns) throws(DamagedRow) in try AuditEntry(columns, seal) }
      return Line(turn: row.integer(count), place: row.integer(count + 1), isEnd: row.isNull(2), entry: entry)
    }
    mark = isCut ? nil : rows.first?.text(count + 2)
  }
}
