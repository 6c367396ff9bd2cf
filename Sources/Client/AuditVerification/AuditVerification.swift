package import Localization
package import RegdClient

/// Verifies an audit: recomputes the tree from the entries, and compares it with the present head and with heads of the past.
package struct AuditVerification {
  private let source: any AuditSource
  private let heads: [HeadsFile.Line]

  /// - Parameter heads: The heads to compare with, in the order of their file.
  package init(_ source: any AuditSource, heads: [HeadsFile.Line] = []) {
    self.source = source
    self.heads = heads
  }

  /// Reads all entries once. If they do not fit, reads some of them again, to find the first that differs.
  ///
  /// - Parameter progress: Gets the number of entries that were read, now and then.
  package func run(_ progress: (Int) -> Void = { _ in }) throws(AuditFailure) -> AuditReport {
    var walk = AuditWalk(sizes: heads.map(\.head.size))
    let pages = EntryPages(source)
    try pages.forEach(after: 0) { (entry) throws(AuditFailure) in
      try walk.append(entry)
      if walk.tree.size % AuditWalk.stride == 0 { progress(walk.tree.size) }
    }
    // after the entries, so that a head without one of them proves that regd does not have it in its tree
    let head = try source.head()
    let left = head.size - walk.tree.size
    try pages.forEach(after: walk.last, atMost: left) { (entry) throws(AuditFailure) in try walk.append(entry) }
    var differences = compare(walk, with: head)
    differences += walk.misfits.map { AuditDifference.commitment(entry: $0) }
    differences += wrongSignatures(head)
    return AuditReport(
      entries: walk.tree.size, root: walk.tree.root, head: head, differences: differences,
      keyChanges: keyChanges(head))
  }

  private func compare(_ walk: AuditWalk, with head: AuditHead) -> [AuditDifference] {
    var differences: [AuditDifference] = []
    var first = walk.tree.size
    if walk.tree.size != head.size || walk.tree.root != head.root {
      do throws(AuditFailure) {
        let (index, difference) = try DifferenceSearch(source: source, head: head).first(walk.marks)
        first = index
        differences.append(difference)
      } catch { differences.append(.notLocated(error.sentence)) }
    }
    // if a head fits the entries beyond the difference, only regd's hashes differ there
    let isOfHashes = heads.contains { line in
      line.head.size > first && walk.moments[line.head.size]?.root == line.head.root
    }
    if isOfHashes { first = walk.tree.size }
    // heads of larger trees contain the difference that was found
    if let earlier = rewritten(walk, upTo: first) { differences.insert(earlier, at: 0) }
    let entries = max(walk.tree.size, head.size)
    if let line = heads.first(where: { $0.head.size > entries }) {
      differences.append(.cutOff(line: line.number, size: line.head.size, entries: entries))
    }
    return differences
  }

  /// The first head that does not fit the entries, with the last smaller one that does.
  ///
  /// - Parameter size: The largest size of a head to compare.
  private func rewritten(_ walk: AuditWalk, upTo size: Int) -> AuditDifference? {
    let wrong = heads.filter { line in
      line.head.size <= size && walk.moments[line.head.size]?.root != line.head.root
    }
    guard let first = wrong.min(by: { $0.head.size < $1.head.size }) else { return nil }
    let good = heads.map(\.head.size).filter { $0 < first.head.size }.max()
    return .rewritten(
      after: good.flatMap { walk.moments[$0]?.last } ?? 0, through: walk.moments[first.head.size]?.last ?? 0,
      line: first.number)
  }

  private func wrongSignatures(_ head: AuditHead) -> [AuditDifference] {
    var wrong = heads.filter { !$0.head.isSigned }.map { AuditDifference.signature(line: $0.number) }
    if !head.isSigned { wrong.append(.signature(line: nil)) }
    return wrong
  }

  private func keyChanges(_ head: AuditHead) -> [AuditReport.KeyChange] {
    var all = heads.map { AuditReport.KeyChange(line: $0.number, head: $0.head) }
    all.append(AuditReport.KeyChange(line: nil, head: head))
    return zip(all, all.dropFirst()).filter { $0.head.key != $1.head.key }.map { $0.1 }
  }
}

/// Why an audit cannot be verified.
package enum AuditFailure: Error, Equatable, Sendable {
  case noAnswer(RegdClientFailure)
  case refused(RegdError)
  /// The result of this method has an unexpected form.
  case unexpected(method: String)
  /// `events.list` returned an entry after another one that has the same or a higher number.
  case outOfOrder(entry: Int, after: Int)

  package var sentence: LocalizedMessage {
    switch self {
    case .noAnswer(let failure): failure.sentence
    case .refused(let error):
      LocalizedMessage(RefusalMessageKey.withReason, ["message": .text(error.message), "reason": .text(error.reason)])
    case .unexpected(let method): LocalizedMessage(AuditMessageKey.unexpected, ["method": .text(method)])
    case .outOfOrder(let entry, let after):
      LocalizedMessage(AuditMessageKey.outOfOrder, ["entry": .text("\(entry)"), "other": .text("\(after)")])
    }
  }

  /// The result in the text of a reply.
  ///
  /// - Throws: `.refused` or `.noAnswer`.
  static func result(in text: [UInt8]) throws(AuditFailure) -> JSONValue {
    let incoming: RegdConversation.Incoming
    do throws(RegdClientFailure) { incoming = try RegdConversation.read(text) } catch { throw .noAnswer(error) }
    switch incoming {
    case .reply(_, .success(let result)): return result
    case .reply(_, .failure(let error)): throw .refused(error)
    case .notification: throw .noAnswer(.notAReply(String(decoding: text, as: UTF8.self)))
    }
  }
}

/// The tree over the entries that were read so far, and what later checks need to know about it: a little for every 1024
/// entries, and the roots at the sizes of heads.
struct AuditWalk {
  /// A place between two entries.
  struct Mark {
    /// The tree before the entry.
    let tree: MerkleTree
    /// The number of the entry that follows.
    let next: Int
  }

  /// The tree when it had the size of a head.
  struct Moment {
    let root: AuditHash
    /// The number of its last entry, or 0 if it had none.
    let last: Int
  }

  private(set) var tree = MerkleTree()
  /// The number of the last entry, or 0 if there is none.
  private(set) var last = 0
  private(set) var marks: [Mark] = []
  private(set) var moments: [Int: Moment] = [:]
  /// The entries whose addresses or origins do not fit, at most `mostMisfits`.
  private(set) var misfits: [Int] = []
  /// The sizes of heads that the tree has not reached, the largest first.
  private var sizes: [Int]

  static let stride = 1024
  /// More entries are not named, because then the reason is hardly in the entries.
  static let mostMisfits = 20

  init(sizes: [Int]) {
    self.sizes = Set(sizes).sorted(by: >)
    noteSize()
  }

  mutating func append(_ entry: HashedEntry) throws(AuditFailure) {
    guard entry.number > last else { throw .outOfOrder(entry: entry.number, after: last) }
    if tree.size % Self.stride == 0 { marks.append(Mark(tree: tree, next: entry.number)) }
    last = entry.number
    tree.append(entry.leaf)
    if !entry.fitsCommitment, misfits.count < Self.mostMisfits { misfits.append(entry.number) }
    noteSize()
  }

  private mutating func noteSize() {
    guard sizes.last == tree.size else { return }
    sizes.removeLast()
    moments[tree.size] = Moment(root: tree.root, last: last)
  }
}
