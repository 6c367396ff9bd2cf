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
