internal import Linux
internal import RegdClient
internal import RehearsedNetworks
internal import RehearsedUpstream

/// Conditions that hold after every cell, of any flow.
struct Invariants {
  let stage: Stage
  let fixture: Fixture

  func check() throws {
    try checkRetries()
    if fixture.upstream?.canChange ?? false {
      try stage.playSuccess()
      try stage.deliverAll()
    }
    let accounts = try accounts()
    try check(accounts)
    try checkLedger(accounts)
    if let system = fixture.mailSystem { try MailInvariants(stage: stage, system: system).check() }
    try stage.caller.checkNothingMore()
  }

  /// Repeats registrations, and checks that each gets the same answer, or one of a higher `rank`. In environments of
  /// admission, repeats only those with a requestId, because regd recognizes no others there.
  private func checkRetries() throws {
    let isKnown = stage.environment.admission == nil
    for before in stage.attempts.suffix(2)
    where before.observation.word != "validation.failed" && (isKnown || before.request != nil) {
      let after = try stage.register(
        before.email, before.password, as: before.request, invitation: before.invitation)
      guard rank(after, of: before) >= rank(before.observation, of: before) else {
        throw Mismatch(
          description:
            "the registration of \(before.email) was answered \(before.observation.word) and, asked again, \(after.word)"
        )
      }
    }
  }

  /// The answer's place in this order: no account, perhaps one (pending), accepted for delivery or for approval, registered.
  private func rank(_ observation: Observation, of attempt: Stage.Attempt) -> Int {
    switch observation.word {
    case "registered": 3
    // taken by an earlier registration of the same caller
    case "email.taken"
    where stage.attempts.contains {
      $0.email.lowercased() == attempt.email.lowercased() && $0.observation.word == "registered"
    }: 3
    case "deferred", "waiting": 2
    case _ where observation.isPending: 1
    default: 0
    }
  }

  /// Checks that an answer announced each account or left it open, and that each registered address has an active account.
  private func check(_ accounts: [Account]) throws {
    let registered = Set(stage.attempts.filter { $0.observation.word == "registered" }.map { $0.email.lowercased() })
    let open = Set(stage.attempts.filter { $0.observation.isPending }.map { $0.email.lowercased() })
    let waiting = Set(stage.attempts.filter { $0.observation.word == "waiting" }.map { $0.email.lowercased() })
    // If the upstream could be made to work, regd has settled the pending registrations. Otherwise it is enough that
    // their accounts exist.
    let isSettled = fixture.upstream?.canChange ?? false
    // a failed commit may have left no account
    for email in open where stage.condition != .storeCommitFails {
      let state = accounts.first { $0.email == email }?.state
      guard let state, state == "active" || !isSettled else {
        throw Mismatch(description: "the registration of \(email) was left open, and its account is \(state ?? "gone")")
      }
    }
    for account in accounts {
      let isTold =
        open.contains(account.email) || account.state == "active" && registered.contains(account.email)
        || account.state == "waiting" && waiting.contains(account.email)
      guard isTold else {
        throw Mismatch(description: "an account of \(account.email) is \(account.state), and no answer said so")
      }
    }
    for email in registered where !accounts.contains(where: { $0.email == email && $0.state == "active" }) {
      throw Mismatch(description: "\(email) was told that it is registered, and there is no active account")
    }
  }

  private struct Account {
    let id: String
    /// The address in lower case.
    let email: String
    let state: String
  }

  /// All accounts except those that `StoreFault` made to fill the store.
  private func accounts() throws -> [Account] {
    let listed = try stage.observe("account.list", ["limit": .number("1000")]) { _ in "listed" }
    return (listed.detail["accounts"]?.array ?? []).compactMap { account in
      guard let id = account["id"]?.string, let email = account["email"]?.string, let state = account["state"]?.string,
        !email.hasPrefix(StoreFault.filling)
      else { return nil }
      return Account(id: id, email: email.lowercased(), state: state)
    }
  }

  /// Checks that the upstream has exactly the store's active accounts, each once, and no complaint.
  private func checkLedger(_ accounts: [Account]) throws {
    guard let ledger = fixture.upstream?.ledger else { return }
    guard ledger.complaints.isEmpty else {
      throw Mismatch(description: "the upstream complains: \(ledger.complaints.joined(separator: "; "))")
    }
    let here = Set(accounts.filter { $0.state == "active" }.map(\.id))
    let there = Set(ledger.registrations.map(\.id))
    guard there.count == ledger.registrations.count,
      Set(ledger.registrations.map(\.email)).count == ledger.registrations.count
    else { throw Mismatch(description: "the upstream has an account twice: \(ledger.registrations)") }
    // after a hidden success only the upstream has the account, until the caller repeats the request with its
    // requestId
    let isAgreed = stage.condition == .hiddenSuccess ? here.isSubset(of: there) : here == there
    guard isAgreed else {
      throw Mismatch(
        description:
          "the upstream has \(there.sorted().joined(separator: " ")), and the store \(here.sorted().joined(separator: " "))"
      )
    }
  }

  /// Checks that regd exits with status 0, and that nothing that it sent or wrote contains a password or a code. Only
  /// the answer to `invitation.create` may contain the code of an invitation.
  static func checkEnd(_ stage: Stage, _ fixture: Fixture) throws {
    let status = fixture.end()
    guard status == 0 else { throw Mismatch(description: "regd ended with status \(status): \(fixture.log)") }
    let written = try FileSystem.names(in: fixture.directory).compactMap { name in
      // sockets cannot be read
      (try? FileReading.bytes("\(fixture.directory)/\(name)", atMost: .max)).map {
        (name, String(decoding: $0, as: UTF8.self))
      }
    }
    let said = stage.caller.received.map { ("a reply", $0) }
    for (place, text) in written + said {
      guard !Stage.passwords.contains(where: text.contains) else {
        throw Mismatch(description: "\(place) has a password in it")
      }
    }
    for (place, text) in written + said {
      guard !stage.codes.contains(where: { text.contains($0.code) }) else {
        throw Mismatch(description: "\(place) has a code in it")
      }
    }
    for code in stage.invitationCodes {
      let isWritten = written.contains { $0.1.contains(code) }
      guard !isWritten, said.count(where: { $0.1.contains(code) }) == 1 else {
        throw Mismatch(description: "the code of an invitation is in more than the answer to its administrator")
      }
    }
    for (place, text) in said + [("the log", fixture.log)] {
      guard !text.contains("$argon2id$") else { throw Mismatch(description: "\(place) has a password's hash in it") }
    }
  }
}
