/// A store from which an installation is moved away, while a regd may continue to change it.
///
/// All operations block, and none of them changes an account. The caller may repeat each after a failure.
package protocol MoveSource {
  /// The name of this move. It is stored in the target too, so that every program can see which move fills the target.
  var move: String { get }

  /// The store's keys. Codes and sign-ins from before the move remain valid after it only with the same keys.
  var keys: StoreKeys { get }

  /// Reads the changed units (`MovedUnit`: rows that move together), and one page of all units, both as of the same
  /// moment.
  ///
  /// The source returns a change as soon as the process that made the change has the store's answer. A unit that was
  /// changed more than once is returned once, in its present state.
  ///
  /// - Parameters:
  ///   - position: `MoveView.position` of the previous look, or 0 for the first one.
  ///   - page: Where the page starts.
  ///   - limit: The most changes, and the most units of the page. At least 1.
  func look(changesAfter position: Int, _ page: MovePage, limit: Int) throws(MoveFailure) -> MoveView

  /// The number of units of the page's strand that come after the page's key, for showing progress.
  func count(_ page: MovePage) throws(MoveFailure) -> Int
}

/// A store that a move fills. Until `arrive`, no regd opens it, except the source's regd after `complete`.
///
/// All operations block. Each is done completely and durably, or not at all.
package protocol MoveTarget {
  /// Begins the move into a store without other data, or continues it in a store that this move has begun to fill.
  ///
  /// Revokes an earlier `complete`.
  ///
  /// - Parameter keys: The source's keys, which become the target's.
  /// - Throws: `refused` if the store already has accounts or an audit, or belongs to another move.
  func begin(_ move: String, _ keys: StoreKeys) throws(MoveFailure) -> MoveProgress

  /// Adds units of a page. Existing units with the same keys are replaced.
  ///
  /// - Parameter progress: The progress of the move, stored with the units, so that an interrupted move continues from here.
  func add(_ units: [MovedUnit], _ progress: MoveProgress) throws(MoveFailure)

  /// Removes the units of `keys`, and all units that conflict with `units` in a value that two rows cannot share, and then
  /// adds `units`.
  ///
  /// - Returns: The removed units, as they were.
  func replace(
    _ keys: [MoveKey], by units: [MovedUnit], _ progress: MoveProgress
  ) throws(MoveFailure) -> [MovedUnit]

  /// The units of these keys, in any order. Missing units are left out.
  func units(_ keys: [MoveKey]) throws(MoveFailure) -> [MovedUnit]

  /// Units in the order of their keys, starting after `page.after`.
  func page(_ page: MovePage, limit: Int) throws(MoveFailure) -> [MovedUnit]

  /// Marks the copy as complete, while the source's regd holds up all changes for a moment. That regd may then open the
  /// target.
  ///
  /// - Parameter hold: The name that the regd gave to this hold of its changes.
  func complete(for hold: String) throws(MoveFailure)

  /// Turns the target into a store that every regd may open. A repeat is a no-op.
  func arrive(_ move: String) throws(MoveFailure)

  /// Removes everything that this move has brought, and its traces. A repeat is a no-op.
  ///
  /// - Throws: `refused` if the move has arrived, or if the copy belongs to another move.
  func abandon(_ move: String) throws(MoveFailure)
}

package struct MovePage: Equatable, Sendable {
  package let strand: MoveStrand
  /// The page starts after this key.
  package let after: String

  package init(_ strand: MoveStrand, after: String) {
    self.strand = strand
    self.after = after
  }
}

/// The answer of `MoveSource.look`: a part of the store, as of one moment.
package struct MoveView: Sendable {
  /// The position up to which `changed` reports changes.
  package let position: Int
  /// The keys of the changed units, in the order of their last change.
  package let changed: [MoveKey]
  /// The units of `changed` that still exist.
  package let units: [MovedUnit]
  /// The units of the page in the order of their keys, or nil if there are more changes than the limit, because changes come
  /// first.
  package let page: [MovedUnit]?

  package init(position: Int, changed: [MoveKey], units: [MovedUnit], page: [MovedUnit]?) {
    self.position = position
    self.changed = changed
    self.units = units
    self.page = page
  }
}

/// The progress of a copy. The target stores it together with the copied data.
package struct MoveProgress: Equatable, Sendable {
  /// The position up to which the target has the changes of the source.
  package var position: Int
  /// The strand (the kind of units) that is being copied, or nil if all are copied.
  package var copying: MoveStrand?
  /// The last copied key of that strand.
  package var after: String
  /// The number of the last copied audit entry.
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

/// How much of the source's data a move has brought.
package struct MoveArrival: Equatable, Sendable {
  /// The name of the move (`MoveSource.move`).
  package let move: String
  /// The position up to which the target has the changes of the source.
  package let position: Int
  /// The number of the last copied audit entry.
  package let audited: Int

  package init(_ move: String, position: Int, audited: Int) {
    (self.move, self.position, self.audited) = (move, position, audited)
  }
}

/// Why a move cannot continue. Nothing is lost: the source is unchanged, and the target has the data up to its
/// `MoveProgress`.
package enum MoveFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// A store cannot be read or written, perhaps only for now. The text names the store and the reason.
  case unavailable(String)
  /// A store is not in the state that a move needs. The text names what is wrong, and which state would be right.
  case refused(String)
  /// The target's content differs from the source's.
  case differs(String)

  package var description: String {
    switch self {
    case .unavailable(let text), .refused(let text), .differs(let text): text
    }
  }
}

/// A store that a running regd can leave for another store, or change to from another store, when a move ends.
package protocol MovableBackend: StoreBackend {
  /// Opens a store that a move has completed for this hold (`MoveTarget.complete`), and that no other regd may open
  /// yet.
  ///
  /// - Throws: `unavailable` also if the store is not in that state. `detail` names its state.
  func open(completedFor hold: String, _ context: StoreContext) throws(StoreFailure) -> OpenStore

  /// How much of the source's data is in this store. A move must have completed the copy for this hold.
  ///
  /// - Throws: `unavailable` also if the store is not in that state.
  func arrival(for hold: String) throws(StoreFailure) -> MoveArrival

  /// Turns the store into one that every regd may open. A repeat is a no-op.
  func arrive(for hold: String) throws(StoreFailure)

  /// Marks the store as moved away, in a transaction that also checks that the target has everything. Afterwards no
  /// regd opens the store, and no program changes an account in it.
  ///
  /// - Parameters:
  ///   - target: Where the accounts are now, for a program that tries to open the store.
  ///   - arrival: How much of this store's data the target has.
  /// - Returns: Whether the store was marked. False if it was changed after the `arrival`.
  /// - Throws: `unavailable` also if the store was marked before, or if the move was ended.
  func leave(for target: String, at time: Timestamp, after arrival: MoveArrival) throws(StoreFailure) -> Bool
}

/// The steps that bring a store's schema up to date.
package struct SchemaMigrationPlan: Equatable, Sendable {
  /// The version of the present schema, or 0 if there is no schema yet.
  package let from: Int
  /// The version that this regd needs.
  package let to: Int
  /// The statements in order, in the store's own language. Empty if the schema is up to date.
  package let statements: [String]

  package init(from: Int, to: Int, statements: [String]) {
    self.from = from
    self.to = to
    self.statements = statements
  }
}
