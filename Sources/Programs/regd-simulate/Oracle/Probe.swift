internal import CSimulation
internal import RegdClient
internal import Synchronization

/// An administrator who inspects everything while no other caller sends requests, and compares it with the oracle's
/// knowledge.
final class Probe: Checking {
  struct Listed: Equatable {
    let id: String
    let key: String
    let state: String
    let groups: [String]
  }

  unowned let cluster: Cluster
  var oracle: Oracle { cluster.oracle }
  private var callers: Callers { cluster.callers }
  private let ended: () -> Void
  private var chance: Chance
  private var caller: SimulatedCaller?
  /// The number of the regd that the administrator asks, or nil before the first request.
  var daemon: Int? { caller?.daemon }
  private(set) var accounts: [[Listed]] = []
  private(set) var events: [JSONValue] = []
  private(set) var eventsAtOnce: [JSONValue] = []

  /// - Parameter ended: Called when the administrator has seen everything, or could not.
  init(seed: UInt64, _ cluster: Cluster, _ ended: @escaping () -> Void) {
    self.cluster = cluster
    self.ended = ended
    chance = Chance(seed: seed, purpose: UInt64(100 + cluster.callers.numbers))
  }

  func begin() {
    oracle.listing = nil
    caller = callers.connect(&chance, uid: 0, pace: .whole, isFramed: false)
    guard caller != nil else { return ended() }
    list("account.list", "accounts", limit: 3) { [self] first in
      accounts.append(first.map(Self.listed))
      listEvents()
    }
  }

  private func listEvents() {
    list("events.list", "events", limit: 4) { [self] entries in
      events = entries
      askHead()
    }
  }

  /// Asks for the head before it lists the entries, so that the list has all entries of the head's tree.
  private func askHead() {
    guard let caller else { return }
    callers.ask("audit.head", "null", caller, &chance) { [self] end in
      guard let head = end.result else { return failed(end, "audit.head") }
      list("events.list", "events", limit: 1000) { [self] all in
        eventsAtOnce = all
        auditChecks.judge(all, head)
        list("account.list", "accounts", limit: 100) { [self] second in
          accounts.append(second.map(Self.listed))
          list("outbox.list", nil, limit: nil) { [self] _ in listMails() }
        }
      }
    }
  }

  private func listMails() {
    guard scenario.admission.hasMail else { return checkStamps(stamps()[...]) }
    list("mail.list", "waiting", limit: 3) { [self] waiting in
      mailChecks.judge(waiting, hasSettled: cluster.schedule.hasSettled && !cluster.schedule.isClosing)
      guard scenario.admission.isInvited else { return checkStamps(stamps()[...]) }
      list("invitation.list", "invitations", limit: 2) { [self] invitations in
        admissionChecks.judgeInvitations(invitations)
        checkStamps(stamps()[...])
      }
    }
  }

  private static func listed(_ account: JSONValue) -> Listed {
    Listed(
      id: account["id"]?.string ?? "", key: account["email"]?.string?.lowercased() ?? "",
      state: account["state"]?.string ?? "", groups: (account["groups"]?.array ?? []).compactMap(\.string))
  }

  /// Reads a list page by page.
  private func list(
    _ method: String, _ member: String?, limit: Int?, after: JSONValue? = nil, so: [JSONValue] = [],
    _ done: @escaping ([JSONValue]) -> Void
  ) {
    guard let caller else { return }
    let members = [limit.map { "\"limit\":\($0)" }, after.map { "\"after\":\($0.text)" }].compactMap { $0 }
    callers.ask(method, "{\(members.joined(separator: ","))}", caller, &chance) { [self] end in
      guard let result = end.result else { return failed(end, method) }
      let all = so + (member.flatMap { result[$0]?.array } ?? [])
      if member != nil, let next = result["next"], next != .null {
        list(method, member, limit: limit, after: next, so: all, done)
      } else {
        done(all)
      }
    }
  }

  /// The session stamps of which it is known whether they have ended.
  private func stamps() -> [(account: KnownAccount, stamp: String, isOver: Bool)] {
    requests.accounts.flatMap { account in
      let present = account.stamp.map { [(account, $0, false)] } ?? []
      return account.oldStamps.suffix(2).map { (account, $0, true) } + present
    }
  }

  private func checkStamps(_ left: ArraySlice<(account: KnownAccount, stamp: String, isOver: Bool)>) {
    guard let caller, let next = left.first else { return askStatus() }
    let params = "{\"account\":\"\(next.account.id)\",\"stamp\":\"\(next.stamp)\"}"
    callers.ask("session.check", params, caller, &chance) { [self] end in
      guard case .reply = end else { return }
      if end.result != nil || end.reason == "session.ended" {
        hold(
          .stamps, next.isOver == (end.reason == "session.ended"),
          "\(next.account.key): \(end.reason ?? "a result"), over: \(next.isOver)")
      }
      checkStamps(left.dropFirst())
    }
  }

  private func askStatus() {
    guard let caller else { return }
    callers.ask("daemon.status", "null", caller, &chance) { [self] end in
      guard let status = end.result else { return failed(end, "daemon.status") }
      judge(status)
      callers.lose(caller)
      ended()
    }
  }

  private func failed(_ end: Request.End, _ method: String) {
    guard case .reply = end else { return }
    let isFault = end.reason?.hasPrefix("store.") ?? false
    hold(
      .comesUp, isFault || end.reason == "server.draining", "\(method): \(end.reason ?? "") for an administrator")
    if let caller { callers.lose(caller) }
    ended()
  }
}
