internal import CSimulation
internal import Registration
internal import Synchronization

/// One regd's connection to the store that several share. An operation takes time, and the connection may be cut before
/// or after the operation is done. If a change's outcome is unknown to the regd, the change is in doubt until the
/// connection finds the outcome out.
final class SimulatedConnection: StoreEngine {
  private struct InDoubtChange {
    let number: Int
    let scope: ChangeScope
  }

  private struct State {
    var doubts: [InDoubtChange] = []
    /// Entries that were not yet reported to the observer, because a change in doubt may still add one with an earlier
    /// number.
    var untold: [AuditEntry] = []
  }

  private let rows: SharedRows
  private let daemon: Int
  private let claimant: Claimant
  private let observer: AuditObserver
  private let state = Mutex(State())

  init(_ rows: SharedRows, daemon: Int, _ claimant: Claimant, observer: @escaping AuditObserver) {
    (self.rows, self.daemon, self.claimant, self.observer) = (rows, daemon, claimant, observer)
  }

  var keys: StoreKeys { rows.keys }
  var cryptography: any AuditCryptography { rows.cryptography }

  // MARK: Entrances

  func write<Value: Sendable>(
    _ scope: ChangeScope, for share: Share, evenIfLate isLate: Bool, _ body: @escaping StoreBody<Value>
  ) async throws(StoreFailure) -> Value {
    try await change(scope, evenIfLate: isLate, body)
  }

  private func change<Value: Sendable>(
    _ scope: ChangeScope, evenIfLate isLate: Bool = false,
    _ body: @escaping @Sendable (MemoryTransaction) throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    try await travel(isLate: isLate)
    guard settle(scope) else { throw .unavailable(detail: "a change is in doubt") }
    switch rows.course(of: daemon) {
    case .done:
      let (value, entries) = try rows.run(by: daemon, as: claimant, body)
      tell(entries)
      try? await Task.sleep(for: rows.delay(for: daemon))
      return value
    case .refused: throw .unavailable(detail: "the connection was cut")
    case .unanswered: throw leave(until: simulated_now(), scope, body)
    case .inFlight(let end, let isDone): throw leave(until: end, scope, isDone ? body : nil)
    case .killed(let isDone):
      if isDone { _ = try rows.run(by: daemon, as: claimant, body) }
      // the process is killed, so this call never returns
      return await withUnsafeContinuation { (_: UnsafeContinuation<Value, Never>) in }
    }
  }

  func read<Value: Sendable>(
    _ scope: ChangeScope, _ found: @Sendable (Value) -> ChangeScope, _ body: StoreBody<Value>
  ) async throws(StoreFailure) -> Value {
    try await travel(isLate: false)
    guard settle(scope) else { throw .unknown(detail: "a change is in doubt") }
    var value = try rows.run(by: daemon, as: claimant, body).0
    while state.withLock({ $0.doubts.contains { $0.scope.overlaps(found(value)) } }) {
      guard settle(found(value)) else { throw .unknown(detail: "a change is in doubt") }
      value = try rows.run(by: daemon, as: claimant, body).0
    }
    return value
  }

  func scan<Value: Sendable>(_ body: StoreBody<Value>) async throws(StoreFailure) -> Value {
    try await travel(isLate: false)
    guard settle(nil) else { throw .unavailable(detail: "a change is in doubt") }
    return try rows.run(by: daemon, as: claimant, body).0
  }

  func sweep(at now: Timestamp, addressesBefore: Timestamp, limit: Int) async throws(StoreFailure) -> Bool {
    try await change(.anyClaim) {
      $0.sweep(at: now, addressesBefore: addressesBefore, limit: limit)
    }
  }

  func check() async throws(StoreFailure) {
    try await travel(isLate: false)
    _ = settle(nil)
  }

  func awaitCommit(of request: RequestKey) async throws(StoreFailure) {
    let before = Set(rows.inFlight(for: request))
    while !before.isDisjoint(with: rows.inFlight(for: request)) {
      try await travel(isLate: false)
      do { try await Task.sleep(for: .milliseconds(20)) } catch { throw .cancelled }
    }
  }

  // MARK: On the way

  /// Waits while a request is on its way to the store.
  ///
  /// - Parameter isLate: Whether the operation ignores cancellation.
  /// - Throws: `.cancelled`, or `.unavailable` if the store does not answer.
  private func travel(isLate: Bool) async throws(StoreFailure) {
    let isCancelled: Bool
    do {
      try await Task.sleep(for: rows.delay(for: daemon))
      isCancelled = false
    } catch {
      isCancelled = true
    }
    guard isLate || !isCancelled else { throw .cancelled }
    guard rows.answers(daemon) else { throw .unavailable(detail: "there is no connection") }
  }

  /// Lets the store continue with a change after the connection was cut, and records that the change is in doubt.
  ///
  /// - Parameter body: The change, or nil if the store never does it.
  private func leave<Value: Sendable>(
    until end: Int64, _ scope: ChangeScope, _ body: (@Sendable (MemoryTransaction) throws(StoreFailure) -> Value)?
  ) -> StoreFailure {
    let number = rows.begin(until: end, by: daemon, as: claimant, for: scope.requests) { rows in
      // no regd gets the answer
      if let body { _ = try? body(rows) }
    }
    state.withLock { $0.doubts.append(InDoubtChange(number: number, scope: scope)) }
    return .unknown(detail: "the connection was cut while it waited for a commit")
  }

  /// Finds out the outcome of changes in doubt.
  ///
  /// - Parameter scope: Limits this to changes that overlap it. Nil means all changes.
  /// - Returns: Whether no such change is in doubt any more.
  private func settle(_ scope: ChangeScope?) -> Bool {
    let doubts = state.withLock { state in
      state.doubts.filter { doubt in scope.map(doubt.scope.overlaps) ?? true }
    }
    for doubt in doubts {
      guard let entries = rows.outcome(of: doubt.number) else { return false }
      state.withLock { $0.doubts.removeAll { $0.number == doubt.number } }
      tell(entries)
    }
    return true
  }

  /// Reports entries to the observer in the order of the audit, and keeps them back while any change is in doubt.
  private func tell(_ entries: [AuditEntry]) {
    let told = state.withLock { state in
      state.untold += entries
      guard state.doubts.isEmpty else { return [AuditEntry]() }
      defer { state.untold = [] }
      return state.untold.sorted { $0.number < $1.number }
    }
    for entry in told { observer(entry) }
  }
}
