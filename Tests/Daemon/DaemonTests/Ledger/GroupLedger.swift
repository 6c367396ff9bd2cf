import Linux
import RegdClient
import Synchronization
import TestDoubles
import TestKit
import WorkerThreads

/// Callers that add one account to groups and remove it again at several regd processes, and a record of the answers.
///
/// Each caller has its own groups, more than an account can be in for all callers together. A caller repeats a change
/// that got no answer, at the other regd processes in turn, until one of them answers.
final class GroupLedger: Sendable {
  private struct State {
    /// The groups that the account is in, according to the latest answers.
    var groups: Set<String> = []
    var answered = 0
    /// How many changes would have made more than 64 groups.
    var refused = 0
    var problems: [String] = []
  }

  private static let most = 64

  private let email: String
  private let state = Mutex(State())
  private let threads: WorkerThreads
  private let oneMore: EventCounter

  /// - Parameters:
  ///   - sockets: The sockets of the regd processes.
  ///   - email: The address of an account that is in no group.
  ///   - changes: How many changes each caller makes.
  init(sockets: [String], email: String, callers: Int, changes: Int, seed: Int) throws {
    self.email = email
    threads = try WorkerThreads(name: "groups", count: callers)
    oneMore = try EventCounter()
    for caller in 0..<callers {
      threads.submit { [self] in
        var random = SeededGenerator(seed: UInt64(1000 * seed + caller))
        let own = (0..<8).map { "c\(caller)-\($0)" }
        for _ in 0..<changes {
          // more additions than removals, so that the account gets into as many groups as possible
          let isAddition = Int.random(in: 0..<4, using: &random) > 0
          let names = Array(own.shuffled(using: &random).prefix(2))
          var place = Int.random(in: sockets.indices, using: &random)
          while !change(names, isAddition, at: sockets[place]) { place = (place + 1) % sockets.count }
          oneMore.signal()
        }
      }
    }
  }

  /// - Returns: Whether regd has answered.
  private func change(_ names: [String], _ isAddition: Bool, at socket: String) -> Bool {
    let method = isAddition ? "account.addGroups" : "account.removeGroups"
    let params: JSONValue = ["email": .string(email), "groups": .array(names.map { .string($0) })]
    guard let client = try? RegdClient(path: socket, timeoutSeconds: Patience.seconds),
      let answer = try? client.call(method, params)
    else { return false }
    return state.withLock { state in
      switch answer {
      case .success(let result):
        let groups = Self.groups(result["account"])
        let isRight = names.allSatisfy { groups.contains($0) == isAddition } && groups.count <= Self.most
        if !isRight { state.problems.append("\(method) \(names): \(groups)") }
        if isAddition { state.groups.formUnion(names) } else { state.groups.subtract(names) }
      case .failure(let error) where error.reason == "groups.tooMany" && isAddition: state.refused += 1
      case .failure(let error) where error.reason == "store.unavailable": return false
      case .failure(let error): state.problems.append("\(method) \(names): \(error.reason)")
      }
      state.answered += 1
      return true
    }
  }

  private static func groups(_ account: JSONValue?) -> [String] {
    (account?["groups"]?.array ?? []).compactMap(\.string)
  }

  /// The suite's time limit ends a wait that hangs.
  func wait(untilAnswered wanted: Int) { while state.withLock({ $0.answered < wanted }) { oneMore.wait() } }

  /// Waits until all callers have made their changes.
  ///
  /// - Returns: How many changes were refused, because there would have been too many groups.
  func end() -> Int {
    threads.stop()
    return state.withLock(\.refused)
  }

  /// Compares a regd's account, list of groups and audit with the answers.
  func problems(at socket: String) throws -> [String] {
    let client = try RegdClient(path: socket, timeoutSeconds: Patience.seconds)
    var (expected, problems) = state.withLock { ($0.groups.sorted(), $0.problems) }
    let seen = Self.groups(try client.call("account.get", ["email": .string(email)]).get()["account"])
    if seen != expected { problems.append("the account is in \(seen), and not in \(expected)") }
    let listed = try client.call("group.list", ["limit": .number("1000")]).get()["groups"]?.array ?? []
    let counted = listed.map { "\($0["name"]?.string ?? "") \($0["members"]?.integer ?? -1)" }
    if counted != seen.map({ "\($0) 1" }) { problems.append("the list of groups is \(counted)") }
    var replayed: Set<String> = []
    var after: Int? = 0
    while let from = after {
      let page = try client.call("events.list", ["after": .number("\(from)"), "limit": .number("1000")]).get()
      for entry in page["events"]?.array ?? [] where entry["event"] == .string("account.grouped") {
        let (added, removed) = (Self.names(entry["added"]), Self.names(entry["removed"]))
        let isRight = replayed.isDisjoint(with: added) && replayed.isSuperset(of: removed)
        if !isRight { problems.append("entry \(entry.text) comes after \(replayed.sorted())") }
        replayed = replayed.union(added).subtracting(removed)
        if replayed.count > Self.most { problems.append("entry \(entry.text) makes too many groups") }
      }
      after = page["next"]?.integer
    }
    expected = replayed.sorted()
    if seen != expected { problems.append("the account is in \(seen), and in \(expected) according to the audit") }
    return problems
  }

  private static func names(_ list: JSONValue?) -> Set<String> { Set((list?.array ?? []).compactMap(\.string)) }
}
