package import Registration
internal import Synchronization
import TestDoubles

/// Simulated callers that each change their own accounts while something goes wrong, and a record of the answers.
///
/// A caller waits for each answer, and repeats a call without one. Afterwards the audit must contain each acknowledged
/// change once and in order, and must agree with the accounts. A reader that pages through it meanwhile must have seen
/// each entry once.
package final class ChangeLedger: Sendable {
  /// An entry of the audit.
  package struct Entry: Hashable, Sendable {
    package let number: Int
    package let change: AuditEntry.Change
    package let email: String

    package init(_ number: Int, _ change: AuditEntry.Change, _ email: String) {
      (self.number, self.change, self.email) = (number, change, email)
    }
  }

  /// The answer to a change, as a caller gets it.
  package enum Answer: Sendable {
    case done
    /// The change was in place already, so an earlier try must have made it.
    case wasDone
    /// This try had no effect.
    case unavailable
    case unknown
    /// A look-up shows that no try had an effect.
    case undone
    case impossible(String)
  }

  /// - Parameter chance: A random number from 0 to 3, for decisions of the caller.
  package typealias Make =
    @Sendable (
      _ change: AuditEntry.Change, _ account: StoredAccount, _ caller: Int, _ chance: Int
    ) async throws -> Answer
  /// Reads the audit's entries after this number, in order, or nil without an answer.
  package typealias Read = @Sendable (_ after: Int) async throws -> [Entry]?

  private struct Line {
    let account: StoredAccount
    /// The number of changes that the caller will make to the account.
    let planned: Int
    var made = 0
    /// Whether an earlier try may have made the next change.
    var isOpen = false

    var email: String { account.account.email.typed }
  }

  private struct State {
    var random: [SeededGenerator]
    /// The accounts of each caller, with their progress.
    var lines: [[Line]]
    var acknowledged = 0
    var problems: [String] = []
    var pages: [Entry] = []
    var hasTrouble = false
    var calling = 0
  }

  private let changes: [AuditEntry.Change]
  /// The number of accounts of each caller, or nil if a caller continues until it gets no answer.
  private let accounts: Int?
  private let make: Make
  private let read: Read
  private let state: Mutex<State>

  /// - Parameters:
  ///   - changes: The longest series of changes to an account. Each account gets the first few of them, in this order.
  ///   - accounts: The number of accounts of each caller, which then repeats a call until it gets an answer. Nil if a
  ///     caller continues until it gets no answer.
  package init(
    _ changes: [AuditEntry.Change], callers: Int, accounts: Int?, seed: Int, make: @escaping Make, read: @escaping Read
  ) {
    (self.changes, self.accounts, self.make, self.read) = (changes, accounts, make, read)
    let random = (0..<callers).map { SeededGenerator(seed: UInt64(1000 * seed + $0)) }
    state = Mutex(State(random: random, lines: Array(repeating: [], count: callers)))
  }

  package var acknowledged: Int { state.withLock(\.acknowledged) }

  /// - Parameter trouble: Runs while the callers continue, once this many more changes are acknowledged.
  package func run(whenAcknowledged few: Int, _ trouble: @escaping @Sendable () async throws -> Void) async throws {
    let callers = state.withLock { state in
      state.calling = state.lines.count
      state.hasTrouble = false
      return state.calling
    }
    let wanted = acknowledged + few
    try await withThrowingTaskGroup(of: Void.self) { group in
      for caller in 0..<callers {
        group.addTask { [self] in
          defer { state.withLock { $0.calling -= 1 } }
          while try await goOn(caller) {
            let isTime = state.withLock { state in
              guard state.acknowledged >= wanted, !state.hasTrouble else { return false }
              state.hasTrouble = true
              return true
            }
            if isTime { try await trouble() }
          }
        }
      }
      group.addTask { [self] in try await readPages() }
      try await group.waitForAll()
    }
  }

  /// Makes the caller's next change.
  ///
  /// - Returns: Whether the caller continues.
  private func goOn(_ caller: Int) async throws -> Bool {
    guard let (line, chance) = state.withLock({ Self.next(&$0, caller, accounts, changes.count) }) else { return false }
    let change = changes[line.made]
    let answer = try await make(change, line.account, caller, chance)
    let hasEnded = state.withLock { state in
      let last = state.lines[caller].count - 1
      switch answer {
      case .done, .wasDone:
        if case .wasDone = answer, !line.isOpen { state.problems.append("\(line.email): \(change) was done before") }
        state.lines[caller][last].made += 1
        state.lines[caller][last].isOpen = false
        state.acknowledged += 1
        return true
      case .unavailable: break
      case .unknown: state.lines[caller][last].isOpen = true
      case .undone: state.lines[caller][last].isOpen = false
      case .impossible(let what):
        state.problems.append("\(line.email): \(change): \(what)")
        return true
      }
      return false
    }
    if hasEnded { return state.withLock { $0.problems.isEmpty } }
    guard accounts != nil else { return false }
    try await letOthersWork()
    return true
  }

  /// The caller's present account, or a new one after the account's last change, or nil after the last account.
  private static func next(_ state: inout State, _ caller: Int, _ accounts: Int?, _ most: Int) -> (Line, chance: Int)? {
    if state.lines[caller].last.map({ $0.made == $0.planned }) ?? true {
      let count = state.lines[caller].count
      guard count < accounts ?? .max else { return nil }
      let account = Fixtures.account("c\(caller)-\(count)@example.com", state: .pending)
      state.lines[caller].append(
        Line(account: account, planned: Int.random(in: 1...most, using: &state.random[caller])))
    }
    return state.lines[caller].last.map { ($0, Int.random(in: 0...3, using: &state.random[caller])) }
  }

  private func readPages() async throws {
    while true {
      let (after, isLast) = state.withLock { ($0.pages.last?.number ?? 0, $0.calling == 0) }
      guard let page = try await read(after) else {
        if isLast, accounts == nil { return }
        try await letOthersWork()
        continue
      }
      state.withLock { $0.pages += page }
      if isLast, page.isEmpty { return }
    }
  }
}

extension ChangeLedger {
  /// Checks that the audit has each acknowledged change once, and nothing else. Also looks changes without an answer up
  /// in the audit, so that callers can continue.
  ///
  /// - Parameters:
  ///   - entries: The whole audit.
  ///   - found: The existing accounts, by address.
  /// - Returns: The problems that were found.
  package func problems(_ entries: [Entry], _ found: [String: Account.State]) -> [String] {
    state.withLock { state in
      var problems = state.problems
      if entries.map(\.number) != Array(entries.indices.map { $0 + 1 }) {
        problems.append("the audit's numbers have gaps")
      }
      let isWhole = accounts == nil ? entries.starts(with: state.pages) : entries == state.pages
      if !isWhole { problems.append("paging returned \(state.pages.count) of \(entries.count) entries, or others") }
      let made = Dictionary(grouping: entries, by: \.email).mapValues { $0.map(\.change) }
      var known: Set<String> = []
      for caller in state.lines.indices {
        for index in state.lines[caller].indices {
          let line = state.lines[caller][index]
          known.insert(line.email)
          let there = made[line.email] ?? []
          let isPossible = there.count == line.made || line.isOpen && there.count == line.made + 1
          guard isPossible, changes.starts(with: there), found[line.email] == there.last.flatMap(Self.state) else {
            problems.append(
              "\(line.email): acknowledged \(line.made)\(line.isOpen ? " and perhaps one" : ""), the audit has \(there), the account is \(String(describing: found[line.email]))"
            )
            continue
          }
          (state.lines[caller][index].made, state.lines[caller][index].isOpen) = (there.count, false)
        }
      }
      problems += Set(made.keys).union(found.keys).subtracting(known).sorted().map { "\($0) was never requested" }
      return problems
    }
  }

  /// The account's state after a change, or nil if the account is gone.
  package static func state(after change: AuditEntry.Change) -> Account.State? {
    switch change {
    case .reserved: .pending
    case .disabled: .disabled
    case .deleted: nil
    case _: .active
    }
  }
}
