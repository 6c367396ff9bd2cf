internal import Registration
internal import Synchronization

/// Passes this regd's audit entries to the observer, in the order of their numbers. A change's entries are *owed*, and
/// kept here, from before the COMMIT is sent until their numbers are known. Then one thread passes them to the observer,
/// outside the lock that every change takes. The same thread also passes the entries that get their numbers meanwhile.
final class AuditPublisher: Sendable {
  struct Owed: Sendable {
    let turn: Int
    /// The account or invitation that the entries are about.
    let subject: AccountID
    fileprivate let entries: @Sendable (_ first: Int) -> [AuditEntry]
  }

  private struct State {
    /// The owed entries, by the turns of their changes (`AuditSequencer`).
    var open: [Int: Owed] = [:]
    /// The changes whose entries have numbers, in the order of the first numbers.
    var numbered: [Numbered] = []
    /// Whether a thread passes entries to the observer.
    var isPassing = false
  }

  private struct Numbered: Sendable {
    let owed: Owed
    let first: Int
  }

  private let observer: AuditObserver
  private let state = Mutex(State())

  init(_ observer: @escaping AuditObserver) { self.observer = observer }

  var owed: [Owed] { state.withLock { Array($0.open.values) } }
  /// Whether the observer has not received all entries.
  var isOwing: Bool { state.withLock { !$0.open.isEmpty || !$0.numbered.isEmpty || $0.isPassing } }

  /// Notes a change's entries as owed to the observer. Must be called before the COMMIT is sent, so that every entry
  /// that gets a number is known here.
  func owe(_ turn: Int, _ entries: NewEntries, _ regd: String) {
    guard let subject = entries.subject else { return }
    let owed = Owed(turn: turn, subject: subject) { first in entries.entries(from: first, regd) }
    state.withLock { $0.open[turn] = owed }
  }

  /// Forgets the entries of a change that was not made.
  func forget(_ turn: Int) { state.withLock { _ = $0.open.removeValue(forKey: turn) } }

  /// Forgets all entries whose numbers are not known. The observer does not get them, even if their changes were made.
  func forgetAll() { state.withLock { $0.open = [:] } }

  /// Must be called when a change is committed. Passes the entries to the observer, or leaves this to the thread that is
  /// passing others, unless entries of other changes are also owed, because these might have earlier numbers.
  ///
  /// - Parameter first: The number of the change's first entry, or nil if it has none yet.
  /// - Returns: Whether entries are still owed, whose numbers must be looked up.
  func done(_ turn: Int, first: Int?) -> Bool {
    let isOwing = state.withLock { state in
      guard let owed = state.open[turn] else { return !state.open.isEmpty }
      guard let first, state.open.count == 1 else { return true }
      state.open = [:]
      state.numbered.append(Numbered(owed: owed, first: first))
      return false
    }
    pass()
    return isOwing
  }

  /// Passes to the observer the entries of the changes with these turns, unless it has already received them.
  func publish(_ found: [(turn: Int, first: Int)]) {
    state.withLock { state in
      for (turn, first) in found.sorted(by: { $0.first < $1.first }) {
        guard let owed = state.open.removeValue(forKey: turn) else { continue }
        state.numbered.append(Numbered(owed: owed, first: first))
      }
    }
    pass()
  }

  /// Passes all entries that have numbers to the observer, unless another thread does it.
  private func pass() {
    guard var batch = begin() else { return }
    while !batch.isEmpty {
      for change in batch {
        for entry in change.owed.entries(change.first) { observer(entry) }
      }
      batch = goOn()
    }
  }

  /// - Returns: The changes to pass, or nil if there are none or another thread passes them.
  private func begin() -> [Numbered]? {
    state.withLock { state in
      guard !state.isPassing, !state.numbered.isEmpty else { return nil }
      state.isPassing = true
      defer { state.numbered = [] }
      return state.numbered
    }
  }

  /// - Returns: The changes that have got numbers meanwhile. If there are none, the thread has ended its passing.
  private func goOn() -> [Numbered] {
    state.withLock { state in
      state.isPassing = !state.numbered.isEmpty
      defer { state.numbered = [] }
      return state.numbered
    }
  }
}
