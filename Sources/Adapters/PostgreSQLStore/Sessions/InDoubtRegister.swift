internal import Registration
internal import Synchronization

/// A change whose commit got no valid answer. Compared by identity.
final class InDoubtChange: Sendable {
  let scope: ChangeScope
  /// The process id of the server's backend that holds the change's mark (`Locks`).
  let backend: Int
  /// The change's turn (`AuditSequencer`), or nil if the change has no entries.
  let turn: Int?

  init(_ scope: ChangeScope, backend: Int, turn: Int?) {
    (self.scope, self.backend, self.turn) = (scope, backend, turn)
  }
}

/// The changes in doubt that are not settled yet.
final class InDoubtRegister: Sendable {
  private let doubts = Mutex<[InDoubtChange]>([])

  var open: [InDoubtChange] { doubts.withLock { $0 } }

  func add(_ doubt: InDoubtChange) { doubts.withLock { $0.append(doubt) } }

  func remove(_ settled: [InDoubtChange]) {
    doubts.withLock { doubts in doubts.removeAll { doubt in settled.contains { $0 === doubt } } }
  }

  /// Whether at least one of these changes is not settled yet.
  func has(anyOf meant: [InDoubtChange]) -> Bool {
    doubts.withLock { doubts in doubts.contains { doubt in meant.contains { $0 === doubt } } }
  }

  /// Whether the scope of a change in doubt meets the condition.
  func concerns(_ isConcerned: (ChangeScope) -> Bool) -> Bool {
    doubts.withLock { $0.contains { isConcerned($0.scope) } }
  }
}
