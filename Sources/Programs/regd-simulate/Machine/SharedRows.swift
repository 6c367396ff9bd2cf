internal import CSimulation
internal import PasswordHashing
internal import Registration
internal import Synchronization

/// The store that several regd processes share. It outlives each regd. As with a database server, a change may still be
/// under way after its regd has lost the connection.
final class SharedRows: Sendable {
  enum Condition: CaseIterable, Sendable { case works, slow, flaky, away }

  /// How a change ends.
  enum Course: Sendable {
    case done
    /// The connection is cut before the change is done.
    case refused
    /// The change is done, and its answer lost.
    case unanswered
    /// The connection is cut. The store does the change at this time, or, if not `isDone`, never.
    case inFlight(until: Int64, isDone: Bool)
    /// regd is killed at the change. The store does the change if `isDone`.
    case killed(isDone: Bool)
  }

  /// An audit entry. Its change was begun at `time` and done at `done`. The change was in doubt if its regd lost the
  /// connection meanwhile.
  struct Made: Sendable {
    let entry: AuditEntry
    let daemon: Int
    let time: Int64
    let done = simulated_now()
    let isInDoubt: Bool

    func isOf(_ key: String) -> Bool { entry.email?.lowercased() == key }
  }

  private struct State {
    var rows: MemoryTransaction
    var chance: Chance
    var conditions: [Int: Condition] = [:]
    /// Changes that continue after their regd has lost the connection, in the order of their ends.
    var inFlight: [(number: Int, end: Int64, daemon: Int, began: Int64, requests: Set<RequestKey>, run: Change)] = []
    var numbers = 0
    /// The entries of changes that were under way, by the change's number.
    var outcomes: [Int: [AuditEntry]] = [:]
    var made: [Made] = []
    /// Until when each regd may get an error because of a fault.
    var troubles: [Int: Int64] = [:]
    var cut: (daemon: Int, left: Int)?
    var isCut: Int?
    var met: [Fault] = []

    mutating func meet(_ fault: Fault, _ daemon: Int, until end: Int64 = simulated_now()) {
      met.append(fault)
      troubles[daemon] = max(troubles[daemon] ?? 0, end)
    }

    mutating func note(_ entries: [AuditEntry], _ daemon: Int, _ time: Int64, isInDoubt: Bool) {
      made += entries.map { Made(entry: $0, daemon: daemon, time: time, isInDoubt: isInDoubt) }
    }
  }

  typealias Change = @Sendable (MemoryTransaction) -> Void

  let keys = StoreKeys.random()
  let cryptography: any AuditCryptography = SodiumAuditCryptography()
  private let state: Mutex<State>
  /// The audit entries of the change that is being done.
  private let noted: Noted

  private final class Noted: Sendable {
    let entries = Mutex<[AuditEntry]>([])

    func take() -> [AuditEntry] {
      entries.withLock { entries in
        defer { entries = [] }
        return entries
      }
    }
  }

  init(seed: UInt64) {
    let noted = Noted()
    self.noted = noted
    state = Mutex(
      State(
        rows: MemoryTransaction(
          Claimant(), keys.codes, cryptography,
          observer: { entry in noted.entries.withLock { $0.append(entry) } }, now: { .now }),
        chance: Chance(seed: seed, purpose: 8)))
  }

  // MARK: Faults

  func set(_ condition: Condition, for daemon: Int) { state.withLock { $0.conditions[daemon] = condition } }

  /// Kills a regd at its n-th change from now on.
  func cut(_ daemon: Int, at operation: Int) { state.withLock { $0.cut = (daemon, operation) } }

  /// Ends all faults: from now on every operation works, and no process is killed.
  func calm() { state.withLock { ($0.conditions, $0.cut) = ([:], nil) } }

  /// The regd that was killed at a change since the last call, or nil if no regd was killed.
  func takeCut() -> Int? { state.withLock { $0.isCut.take() } }

  func takeMet() -> [Fault] {
    state.withLock { state in
      defer { state.met = [] }
      return state.met
    }
  }

  /// Whether a regd may have got an error because of a fault at `time` or later.
  func hadTrouble(_ daemon: Int, since time: Int64) -> Bool { state.withLock { ($0.troubles[daemon] ?? -1) >= time } }

  /// All audit entries so far, in the order of the audit.
  var made: [Made] {
    state.withLock { state in
      finish(&state)
      return state.made
    }
  }

  /// The accounts that wait for the upstream, by their ids.
  var pending: [String] {
    state.withLock { $0.rows.accounts(.pending, after: nil, limit: .max).map { "\($0.account.id)" } }
  }

  // MARK: Operations

  /// The latency between a regd and the store, in one direction.
  func delay(for daemon: Int) -> Duration {
    state.withLock { state in
      let isSlow = state.conditions[daemon] == .slow && state.chance.once(in: 3)
      if isSlow { state.met.append(.storeSlow) }
      return .nanoseconds(isSlow ? state.chance.below(3_000_000_000) : state.chance.below(400_000))
    }
  }

  /// Whether the store answers a regd now.
  func answers(_ daemon: Int) -> Bool {
    state.withLock { state in
      let condition = state.conditions[daemon]
      guard condition == .away || (condition == .flaky && state.chance.once(in: 10)) else { return true }
      state.meet(.storeAway, daemon)
      return false
    }
  }

  func course(of daemon: Int) -> Course {
    state.withLock { state in
      if let cut = state.cut, cut.daemon == daemon {
        state.cut?.left -= 1
        if cut.left <= 1 {
          (state.cut, state.isCut) = (nil, daemon)
          state.meet(.killAtStore, daemon)
          return .killed(isDone: state.chance.once(in: 2))
        }
      }
      guard state.conditions[daemon] == .flaky, state.chance.once(in: 4) else { return .done }
      let end = simulated_now() + Int64(state.chance.below(6_000_000_000))
      let (fault, course) = state.chance.one(
        of: [
          (.storeCut, .refused), (.answerLost, .unanswered), (.commitLate, .inFlight(until: end, isDone: true)),
          (.commitLost, .inFlight(until: end, isDone: false)),
        ] as [(Fault, Course)])
      let isInFlight = fault == .commitLate || fault == .commitLost
      state.meet(fault, daemon, until: isInFlight ? end : simulated_now())
      return course
    }
  }

  /// Runs an operation on the rows.
  ///
  /// - Returns: The value of `body`, and the audit entries that it has made.
  func run<Value: Sendable>(
    by daemon: Int, as claimant: Claimant, _ body: @Sendable (MemoryTransaction) throws(StoreFailure) -> Value
  ) throws(StoreFailure) -> (Value, [AuditEntry]) {
    try state.withLock { (state) throws(StoreFailure) in
      finish(&state)
      state.rows.claimant = claimant
      let value = try body(state.rows)
      let entries = noted.take()
      state.note(entries, daemon, simulated_now(), isInDoubt: false)
      return (value, entries)
    }
  }

  /// Begins a change whose regd has lost the connection. The store does it at `end`.
  ///
  /// - Parameter requests: The requests whose registration or claim the change may make.
  /// - Returns: The change's number, for `outcome`.
  func begin(
    until end: Int64, by daemon: Int, as claimant: Claimant, for requests: Set<RequestKey>, _ change: @escaping Change
  ) -> Int {
    state.withLock { state in
      state.numbers += 1
      let place = state.inFlight.firstIndex { $0.end > end } ?? state.inFlight.count
      state.inFlight.insert(
        (
          state.numbers, end, daemon, simulated_now(), requests,
          { rows in
            rows.claimant = claimant
            change(rows)
          }
        ), at: place)
      return state.numbers
    }
  }

  /// The entries of a change that was begun, or nil while it is under way.
  func outcome(of number: Int) -> [AuditEntry]? {
    state.withLock { state in
      finish(&state)
      return state.outcomes[number]
    }
  }

  /// The changes under way, of any regd, that may make the request's registration or claim.
  func inFlight(for request: RequestKey) -> [Int] {
    state.withLock { state in
      finish(&state)
      return state.inFlight.filter { $0.requests.contains(request) }.map(\.number)
    }
  }

  private func finish(_ state: inout State) {
    while let first = state.inFlight.first, first.end <= simulated_now() {
      state.inFlight.removeFirst()
      first.run(state.rows)
      let entries = noted.take()
      state.note(entries, first.daemon, first.began, isInDoubt: true)
      state.outcomes[first.number] = entries
    }
  }
}
