internal import Registration
internal import Synchronization

/// Keeps the entries of changes whose commit was sent until it has told the observer, in the order of their numbers.
final class Telling: Sendable {
  struct Owed: Sendable {
    let turn: Int
    /// The account or invitation that the entries are about.
    let subject: AccountID
    fileprivate let entries: @Sendable (_ first: Int) -> [AuditEntry]
  }

  private let observer: AuditObserver
  /// The owed entries by their turns.
  private let open = Mutex<[Int: Owed]>([:])

  init(_ observer: @escaping AuditObserver) { self.observer = observer }

  var owed: [Owed] { open.withLock { Array($0.values) } }
  var isOwing: Bool { open.withLock { !$0.isEmpty } }

  /// Notes entries of which the observer is to hear. Must be called before the commit is sent, so that no entry gets a
  /// number without being known here.
  func owe(_ turn: Int, _ entries: NewEntries, _ regd: String) {
    guard let subject = entries.subject else { return }
    let owed = Owed(turn: turn, subject: subject) { first in entries.entries(from: first, regd) }
    open.withLock { $0[turn] = owed }
  }

  /// Forgets the entries of a change that was not made.
  func forget(_ turn: Int) { open.withLock { _ = $0.removeValue(forKey: turn) } }

  /// Notes that the change was made. Tells the observer at once, unless other entries are owed, which might have an
  /// earlier number.
  ///
  /// - Parameter first: The first number; nil if there is none yet.
  /// - Returns: Whether numbers must still be looked up.
  func done(_ turn: Int, first: Int?) -> Bool {
    open.withLock { open in
      guard let owed = open[turn] else { return !open.isEmpty }
      guard let first, open.count == 1 else { return true }
      open = [:]
      for entry in owed.entries(first) { observer(entry) }
      return false
    }
  }

  /// Tells the observer of those entries that are still owed.
  func tell(_ found: [(turn: Int, first: Int)]) {
    open.withLock { open in
      for (turn, first) in found.sorted(by: { $0.first < $1.first }) {
        guard let owed = open.removeValue(forKey: turn) else { continue }
        for entry in owed.entries(first) { observer(entry) }
      }
    }
  }
}
