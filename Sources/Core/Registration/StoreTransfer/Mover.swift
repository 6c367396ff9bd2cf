/// Moves an installation from one store to another in steps, while a regd may continue to serve and change the source.
///
/// - It copies the units page by page. The source records which units change meanwhile, and every step copies those
///   too.
/// - It verifies: it reads both stores again, page by page, and compares row by row. One look reads a page and the
///   changes so far at the same moment, and nothing else writes to the target, so a difference means an error.
/// - It follows: it copies each change, reads it back and compares it, and keeps both tallies up to date. So when regd
///   holds up changes for the switch, only the last few are left to copy, however large the installation is.
///
/// An interrupted move continues copying at the progress that the target has stored, and verifies everything again.
package struct Mover<Source: MoveSource, Target: MoveTarget> {
  package enum Phase: Equatable, Sendable {
    case copying(MoveStrand)
    case verifying(MoveStrand)
    case following
  }

  package struct Step: Equatable, Sendable {
    /// The number of units that the step copied or compared.
    package let units: Int
    /// Whether the target has everything that the source had at the moment of the step, and all of it was compared.
    package let isCaughtUp: Bool
  }

  private let source: Source
  private let target: Target
  private let limit: Int
  private var progress: MoveProgress
  package private(set) var phase: Phase
  /// The last compared key of the strand that is being verified, or "" if no unit of the strand was compared yet.
  private var compared = ""
  /// The tally of the compared rows in the source.
  package private(set) var inSource = MoveTally()
  package private(set) var inTarget = MoveTally()

  /// Begins a move, or continues it.
  ///
  /// - Parameter limit: The most units of a step, which bounds the step's memory and the length of the target's
  ///   transaction.
  package init(from source: Source, to target: Target, limit: Int = 2000) throws(MoveFailure) {
    (self.source, self.target, self.limit) = (source, target, limit)
    progress = try target.begin(source.move, source.keys)
    phase = progress.copying.map { .copying($0) } ?? .verifying(.accounts)
  }

  /// How many of the source's changes and audit entries the target has.
  package var caughtUp: MoveArrival {
    MoveArrival(source.move, position: progress.position, audited: progress.audited)
  }

  /// How many units are left to copy or compare if nothing changes meanwhile. A unit that needs both counts twice.
  package func unitsLeft() throws(MoveFailure) -> Int {
    var left = 0
    for strand in MoveStrand.allCases {
      let all = try source.count(MovePage(strand, after: strand.beginning))
      switch phase {
      case .copying(let now) where now == strand: left += try source.count(page) + all
      case .copying(let now): left += MoveStrand.allCases.prefix { $0 != now }.contains(strand) ? all : 2 * all
      case .verifying(let now) where now == strand: left += try source.count(page)
      case .verifying(let now): left += MoveStrand.allCases.prefix { $0 != now }.contains(strand) ? 0 : all
      case .following: break
      }
    }
    return left
  }

  /// Copies the source's changes since the last step, and then copies or compares the next page.
  package mutating func step() throws(MoveFailure) -> Step {
    let view = try source.look(changesAfter: progress.position, page, limit: limit)
    try takeChanges(view)
    guard let units = view.page else { return Step(units: view.changed.count, isCaughtUp: false) }
    switch phase {
    case .copying(let strand): try copy(strand, units)
    case .verifying(let strand): try verify(strand, units)
    case .following:
      try takeAudit(units)
      guard view.changed.isEmpty, units.isEmpty else { break }
      guard inSource == inTarget else {
        throw .differs("the checksums of the two stores differ, though every row was compared: abandon this move")
      }
      return Step(units: 0, isCaughtUp: true)
    }
    return Step(units: view.changed.count + units.count, isCaughtUp: false)
  }

  private var page: MovePage {
    switch phase {
    case .copying(let strand): MovePage(strand, after: progress.after)
    case .verifying(let strand): MovePage(strand, after: compared.isEmpty ? strand.beginning : compared)
    case .following: MovePage(.audit, after: "\(progress.audited)")
    }
  }

  // MARK: Copying

  private mutating func copy(_ strand: MoveStrand, _ units: [MovedUnit]) throws(MoveFailure) {
    if strand == .audit { try Self.requireOrder(units) }
    var next = progress
    if let last = units.last?.key.text {
      next.after = last
      if strand == .audit { next.audited = Int(last) ?? next.audited }
    }
    let isLast = units.count < limit
    if isLast {
      next.copying = strand.next
      next.after = strand.next?.beginning ?? ""
    }
    try target.add(units, next)
    progress = next
    if isLast { phase = strand.next.map { .copying($0) } ?? .verifying(.accounts) }
  }

  // MARK: Changes meanwhile

  private mutating func takeChanges(_ view: MoveView) throws(MoveFailure) {
    guard !view.changed.isEmpty else { return }
    var next = progress
    next.position = view.position
    let removed = try target.replace(view.changed, by: view.units, next)
    progress = next
    let gone = removed.filter { isCompared($0.key) }
    inSource.remove(gone)
    inTarget.remove(gone)
    guard view.changed.contains(where: isCompared) else { return }
    let there = try target.units(view.changed)
    try compare(Self.ordered(view.units), Self.ordered(there))
    inSource.add(view.units.filter { isCompared($0.key) })
    inTarget.add(there.filter { isCompared($0.key) })
  }

  /// Whether the tallies include the unit with this key.
  private func isCompared(_ key: MoveKey) -> Bool {
    switch phase {
    case .copying: return false
    case .following: return true
    case .verifying(let strand):
      if key.strand == strand { return !compared.isEmpty && strand.isOrdered(key.text, compared) }
      return MoveStrand.allCases.prefix { $0 != strand }.contains(key.strand)
    }
  }

  private mutating func takeAudit(_ units: [MovedUnit]) throws(MoveFailure) {
    guard let last = units.last.flatMap({ Int($0.key.text) }) else { return }
    try Self.requireOrder(units)
    var next = progress
    next.audited = last
    try target.add(units, next)
    let page = page
    progress = next
    let there = try target.page(page, limit: limit)
    try compare(units, there)
    inSource.add(units)
    inTarget.add(there)
  }

  /// Throws if another program has added an entry that regd may ignore when it gives the next number. After such an entry was copied,
  /// the move would not find regd's later entries. No store ignores a number up to 2^52, half of the numbers that all readers of
  /// JSON read alike.
  private static func requireOrder(_ units: [MovedUnit]) throws(MoveFailure) {
    for unit in units where (Int(unit.key.text) ?? 0) > 1 << 52 {
      guard unit.rows.allSatisfy({ $0.value("leaf").isEmpty }) else { continue }
      throw .refused(
        """
        another program has added \(unit.key), whose number is too high for a move: delete its row from the table audit, and repeat \
        the command
        """)
    }
  }

  // MARK: Verifying

  private mutating func verify(_ strand: MoveStrand, _ units: [MovedUnit]) throws(MoveFailure) {
    // the phase `following` copies and compares the audit entries that were added after the copy
    let copied = strand == .audit ? units.filter { strand.isOrdered($0.key.text, "\(progress.audited)") } : units
    let there = try target.page(page, limit: limit)
    try compare(copied, there)
    inSource.add(copied)
    inTarget.add(there)
    if let last = copied.last { compared = last.key.text }
    guard copied.count < limit else { return }
    compared = ""
    phase = strand.next.map { .verifying($0) } ?? .following
  }

  private func compare(_ units: [MovedUnit], _ there: [MovedUnit]) throws(MoveFailure) {
    guard units != there else { return }
    for (unit, copy) in zip(units, there) where unit != copy {
      if unit.key != copy.key {
        let isMissing = unit.key.strand.isOrdered(unit.key.text, copy.key.text)
        throw .differs(
          isMissing
            ? "\(unit.key) is in the source, and not in the target"
            : "\(copy.key) is in the target, and not in the source")
      }
      let table = zip(unit.rows, copy.rows).first { $0 != $1 }?.0.table ?? unit.key.strand.tables.last
      throw .differs("\(unit.key) is not the same in the source and in the target (table \(table?.rawValue ?? "?"))")
    }
    if units.count > there.count { throw .differs("\(units[there.count].key) is in the source, and not in the target") }
    throw .differs("\(there[units.count].key) is in the target, and not in the source")
  }

  private static func ordered(_ units: [MovedUnit]) -> [MovedUnit] {
    units.sorted { one, other in
      guard one.key.strand == other.key.strand else { return one.key.strand.rawValue < other.key.strand.rawValue }
      return one.key != other.key && one.key.strand.isOrdered(one.key.text, other.key.text)
    }
  }
}
