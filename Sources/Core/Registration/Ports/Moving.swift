/// An installation that is moved away from a store, while a regd may go on changing it.
///
/// All operations block. None changes an account. After a failure each may be repeated.
package protocol MoveSource {
  /// Names this move: who finds it in a target knows whose copy that is.
  var move: String { get }

  /// The key of codes (`ClaimStore.codeKey`): what is asked for before the move is proven after it.
  var codeKey: CodeKey { get }

  /// What was changed, and a page of what there is, both as of one and the same moment.
  ///
  /// A change is seen here by the time that whoever made it has its answer, whichever process that is. A unit that was
  /// changed more than once is given once, as it is now.
  ///
  /// - Parameters:
  ///   - position: `MoveView.position` of the look before; 0 for the first.
  ///   - page: Where the page begins.
  ///   - limit: At most as many changes, and units of the page; 1 or more.
  func look(changesAfter position: Int, _ page: MovePage, limit: Int) throws(MoveFailure) -> MoveView

  /// How many units there are behind a key, for showing how far the move is.
  func count(_ page: MovePage) throws(MoveFailure) -> Int
}

/// A store that is filled by a move. No regd opens it until the move has arrived.
///
/// All operations block, and each is done as a whole and durably, or not at all.
package protocol MoveTarget {
  /// Begins with a store that has nothing of its own, or goes on with one that this very move has begun to fill.
  ///
  /// What was said by `complete` is taken back.
  ///
  /// - Parameter codeKey: The source's, which the target has from here on.
  /// - Throws: `refused` if the store has accounts or an audit of its own, or belongs to another move.
  func begin(_ move: String, codeKey: CodeKey) throws(MoveFailure) -> MoveProgress

  /// Adds units of a page. Those that are there already, of the same keys, are replaced.
  ///
  /// - Parameter progress: Noted with it: from here the move goes on if it is interrupted.
  func add(_ units: [MovedUnit], _ progress: MoveProgress) throws(MoveFailure)

  /// Removes the units of `keys`, and those that stand in the way of `units` by what two rows cannot share; then adds `units`.
  ///
  /// - Returns: What was removed, as it was.
  func replace(
    _ keys: [MoveKey], by units: [MovedUnit], _ progress: MoveProgress
  ) throws(MoveFailure) -> [MovedUnit]

  /// The units of these keys, in any order; those that are not there are left out.
  func units(_ keys: [MoveKey]) throws(MoveFailure) -> [MovedUnit]

  /// Units in the order of their keys, beginning behind `page.after`.
  func page(_ page: MovePage, limit: Int) throws(MoveFailure) -> [MovedUnit]

  /// Notes that all is there, for as long as `hold` holds up changes of the source: a regd that has given that hold may
  /// open it.
  func complete(for hold: String) throws(MoveFailure)

  /// Makes it a store that every regd may open. Done again, it does nothing.
  func arrive(_ move: String) throws(MoveFailure)

  /// Removes all that this move has brought, and its traces. Done again, it does nothing.
  ///
  /// - Throws: `refused` if the move has arrived, or it is another's.
  func abandon(_ move: String) throws(MoveFailure)
}

package struct MovePage: Equatable, Sendable {
  package let strand: MoveStrand
  /// The key that the page begins behind.
  package let after: String

  package init(_ strand: MoveStrand, after: String) {
    self.strand = strand
    self.after = after
  }
}

/// A store as of one moment, in part.
package struct MoveView: Sendable {
  /// Up to where `changed` goes.
  package let position: Int
  /// Whose units were changed, in the order of their last change.
  package let changed: [MoveKey]
  /// Those of `changed` that are there.
  package let units: [MovedUnit]
  /// In the order of the keys; nil if there are more changes than were asked for, which come first.
  package let page: [MovedUnit]?

  package init(position: Int, changed: [MoveKey], units: [MovedUnit], page: [MovedUnit]?) {
    self.position = position
    self.changed = changed
    self.units = units
    self.page = page
  }
}

/// How far a copy is. The target keeps it with what it is about.
package struct MoveProgress: Equatable, Sendable {
  /// Up to where changes of the source are in the target.
  package var position: Int
  /// What is being copied; nil if all was.
  package var copying: MoveStrand?
  /// The last key of it that was copied.
  package var after: String
  /// The last entry of the audit that was copied.
  package var audited: Int

  package init(position: Int, copying: MoveStrand?, after: String, audited: Int) {
    self.position = position
    self.copying = copying
    self.after = after
    self.audited = audited
  }

  package static let beginning = MoveProgress(
    position: 0, copying: .accounts, after: MoveStrand.accounts.beginning, audited: 0)
}

/// Up to where a move has brought what its source had.
package struct MoveArrival: Equatable, Sendable {
  /// As `MoveSource.move`.
  package let move: String
  /// As `MoveProgress.position`.
  package let position: Int
  /// As `MoveProgress.audited`.
  package let audited: Int

  package init(_ move: String, position: Int, audited: Int) {
    (self.move, self.position, self.audited) = (move, position, audited)
  }
}

/// Why a move cannot go on. Nothing is lost then: the source is as it was, and the target is where its progress says.
package enum MoveFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// A store cannot be read or written; may pass. Says which, and why.
  case unavailable(String)
  /// It is not as it must be for a move. Says what is wrong, and what would be right.
  case refused(String)
  /// What is in the target is not what is in the source.
  case differs(String)

  package var description: String {
    switch self {
    case .unavailable(let text), .refused(let text), .differs(let text): text
    }
  }
}

/// A store whose place a move can take without a stop, as source or as target.
package protocol MovableBackend: StoreBackend {
  /// Opens a store that a move has completed for this very hold, and that no one may open yet.
  ///
  /// - Throws: `unavailable` also if it is not so; `detail` says what is the case.
  func open(completedFor hold: String, _ surroundings: StoreSurroundings) throws(StoreFailure) -> OpenStore

  /// Up to where a store that a move has completed for this very hold has what its source had.
  ///
  /// - Throws: `unavailable` also if it is not so.
  func arrival(for hold: String) throws(StoreFailure) -> MoveArrival

  /// Makes the store one that every regd may open. Done again, it does nothing.
  func arrive(for hold: String) throws(StoreFailure)

  /// Marks the store as one that was moved away, in a transaction that finds nothing in it that the move has not brought: from
  /// here on no regd opens it, and no program changes an account in it.
  ///
  /// - Parameters:
  ///   - target: Where its accounts are, for whoever tries.
  ///   - arrival: What the target has.
  /// - Returns: Whether it was marked; false if another program has changed something since, and the store is as it was.
  /// - Throws: `unavailable` also if it was marked before, or the move was ended.
  func leave(for target: String, at time: Timestamp, after arrival: MoveArrival) throws(StoreFailure) -> Bool
}
