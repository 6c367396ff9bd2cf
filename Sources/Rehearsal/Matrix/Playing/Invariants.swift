internal import RegdClient
internal import RegdProcesses
internal import RehearsedNetworks
internal import RehearsedUpstream

/// What holds after every cell, whatever its flow was about.
struct Invariants {
  private let stage: Stage
  private let world: World

  init(_ stage: Stage, _ world: World) {
    self.stage = stage
    self.world = world
  }

  func check() throws {
    try checkRetries()
    if world.upstream?.canChange ?? false {
      try stage.becomesWell()
      try stage.deliverAll()
    }
    let accounts = try accounts()
    try check(accounts)
    try checkLedger(accounts)
    try stage.caller.checkNothingMore()
  }

  /// Who asks again hears the same, or better.
  private func checkRetries() throws {
    for before in stage.told.suffix(2) where before.sight.word != "validation.failed" {
      let after = try stage.register(before.email, before.password, as: before.request)
      guard rank(after, of: before) >= rank(before.sight, of: before) else {
        throw Mismatch(
          description:
            "the registration of \(before.email) was answered \(before.sight.word) and, asked again, \(after.word)")
      }
    }
  }

  /// Nothing known, perhaps there, waiting to be delivered, there.
  private func rank(_ sight: Sight, of told: Stage.Told) -> Int {
    switch sight.word {
    case "registered": 3
    // what the same caller has registered before
    case "email.taken"
    where stage.told.contains { $0.email.lowercased() == told.email.lowercased() && $0.sight.word == "registered" }: 3
    case "deferred": 2
    case _ where sight.isPending: 1
    default: 0
    }
  }

  /// An account is there exactly where somebody was told so, and none is half there.
  private func check(_ accounts: [Account]) throws {
    let registered = Set(stage.told.filter { $0.sight.word == "registered" }.map { $0.email.lowercased() })
    let open = Set(stage.told.filter { $0.sight.isPending }.map { $0.email.lowercased() })
    // what was left open is settled by now, where the upstream can be had; and in any case it is there
    let isSettled = world.upstream?.canChange ?? false
    // a commit that has failed may have left nothing
    for email in open where stage.condition != .storeCommitFails {
      let state = accounts.first { $0.email == email }?.state
      guard let state, state == "active" || !isSettled else {
        throw Mismatch(description: "the registration of \(email) was left open, and its account is \(state ?? "gone")")
      }
    }
    for account in accounts {
      let isTold = open.contains(account.email) || account.state == "active" && registered.contains(account.email)
      guard isTold else {
        throw Mismatch(description: "an account of \(account.email) is \(account.state), and nobody was told so")
      }
    }
    for email in registered where !accounts.contains(where: { $0.email == email && $0.state == "active" }) {
      throw Mismatch(description: "\(email) was told that it is registered, and there is no active account")
    }
  }

  private struct Account {
    let id: String
    /// In small letters.
    let email: String
    let state: String
  }

  /// All that regd lists, without what was there to fill the store.
  private func accounts() throws -> [Account] {
    let listed = try stage.see("account.list", ["limit": .number("1000")]) { _ in "listed" }
    return (listed.detail["accounts"]?.array ?? []).compactMap { account in
      guard let id = account["id"]?.string, let email = account["email"]?.string, let state = account["state"]?.string,
        !email.hasPrefix(StoreFault.filling)
      else { return nil }
      return Account(id: id, email: email.lowercased(), state: state)
    }
  }

  /// The upstream has what the store has, each once, and nothing to complain of.
  private func checkLedger(_ accounts: [Account]) throws {
    guard let ledger = world.upstream?.ledger else { return }
    guard ledger.complaints.isEmpty else {
      throw Mismatch(description: "the upstream complains: \(ledger.complaints.joined(separator: "; "))")
    }
    let here = Set(accounts.filter { $0.state == "active" }.map(\.id))
    let there = Set(ledger.registrations.map(\.id))
    guard there.count == ledger.registrations.count,
      Set(ledger.registrations.map(\.email)).count == ledger.registrations.count
    else { throw Mismatch(description: "the upstream has an account twice: \(ledger.registrations)") }
    // what a 503 has hidden is the upstream's alone, until it is asked for again under the same requestId
    let isAgreed = stage.condition == .hiddenSuccess ? here.isSubset(of: there) : here == there
    guard isAgreed else {
      throw Mismatch(
        description:
          "the upstream has \(there.sorted().joined(separator: " ")), and the store \(here.sorted().joined(separator: " "))"
      )
    }
  }

  /// A clean stop, and no password in anything that was said or written.
  static func checkEnd(_ stage: Stage, _ world: World) throws {
    let status = world.end()
    guard status == 0 else { throw Mismatch(description: "regd ended with status \(status): \(world.log)") }
    let written = TemporaryDirectory.names(in: world.directory).compactMap { name in
      TextFile.read("\(world.directory)/\(name)").map { (name, $0) }
    }
    let said = stage.caller.heard.map { ("a reply", $0) }
    for (place, text) in written + said {
      guard !Stage.passwords.contains(where: text.contains) else {
        throw Mismatch(description: "\(place) has a password in it")
      }
    }
    for (place, text) in said + [("the log", world.log)] {
      guard !text.contains("$argon2id$") else { throw Mismatch(description: "\(place) has a password's hash in it") }
    }
  }
}
