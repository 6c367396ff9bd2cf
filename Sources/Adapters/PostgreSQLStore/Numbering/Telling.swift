internal import Registration
internal import Synchronization

/// Passes this regd's audit entries to the observer, in the order of their numbers. A change's entries are *owed*, and
/// kept here, from before the COMMIT is sent until the observer has received them.
final class Telling: Sendable {
  struct Owed: Sendable {
    let turn: Int
    /// The account or invitation that the entries are about.
    let subject: AccountID
    fileprivate let entries: @Sendable (_ first: Int) -> [AuditEntry]
  }

  private let observer: AuditObserver
  /// The owed entries, by the turns of their changes (`Numbering`).
  private let open = Mutex<[Int: Owed]>([:])

  init(_ observer: @escaping AuditObserver) { self.observer = observer }

  var owed: [Owed] { open.withLock { Array($0.values) } }
  var isOwing: Bool { open.withLock { !$0.isEmpty } }

  /// Notes a change's entries as owed to the observer. Must be called before the COMMIT is sent, so that every entry
  /// that gets a number is known here.
  func owe(_ turn: Int, _ entries: NewEntries, _ regd: String) {
    guard let subject = entries.subject else { return }
    let owed = Owed(turn: turn, subject: subject) { first in entries.entries(from: first, regd) }
    open.withLock { $0[turn] = owed }
  }

  /// Forgets the entries of a change that was not made.
  func forget(_ turn: Int) { open.withLock { _ = $0.removeValue(forKey: turn) } }

  /// Forgets all owed entries. The observer does not get them, even if their changes were made.
  func forgetAll() { open.withLock { $0 = [:] } }

  /// Must be called when a change is committed. Passes the entries to the observer at once, unless entries of other
  /// changes are also owed, because these might have earlier numbers.
  ///
  /// - Parameter first: The number of the change's first entry, or nil if it has none yet.
  /// - Returns: Whether entries are still owed, whose numbers must be looked up.
  func done(_ turn: Int, first: Int?) -> Bool {
    open.withLock { open in
      guard let owed = open[turn] else { return !open.isEmpty }
      guard let first, open.count == 1 else { return true }
      open = [:]
      for entry in owed.entries(first) { observer(entry) }
      return false
    }
  }

  /// Passes to the observer the entries of the changes with these turns, unless it has already received them.
  func tell(_ found: [(turn: Int, first: Int)]) {
    open.withLock { open in
      for (turn, first) in found.sorted(by: { $0.first < $1.first }) {
        guard let owed = open.removeValue(forKey: turn) else { continue }
        for entry in owed.entries(first) { observer(entry) }
      }
    }
  }
}
