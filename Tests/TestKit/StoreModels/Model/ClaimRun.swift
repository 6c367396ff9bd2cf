package import Registration
import StoreConformance
import TestDoubles

/// A random run of claims, proofs, mails and deletions on a store and on the memory store. Both must answer each
/// operation the same, and have the same content after it.
package struct ClaimRun {
  private let open: () async throws -> Accounts
  var store: Accounts
  let reference: Accounts = MemoryStore().accounts
  var random: SeededGenerator
  var now = 0
  var claims: [AddressClaim] = []
  var mails: [MailIntent] = []
  var accounts: [AccountID] = []
  var invitations: [Invitation] = []
  var steps: [String] = []

  private static let addresses = (0..<4).map { "n\($0)@example.com" }

  /// - Parameter open: Opens the store, at later calls with its earlier content.
  package init(seed: UInt64, open: @escaping () async throws -> Accounts) async throws {
    self.open = open
    random = SeededGenerator(seed: seed)
    store = try await open()
  }

  /// - Throws: The mismatch, with all steps that led to it.
  package mutating func go(steps count: Int) async throws {
    do {
      for _ in 0..<count {
        try await step()
        try await compare()
      }
    } catch {
      throw Broken(description: "\(error)\nafter:\n\(steps.joined(separator: "\n"))")
    }
  }

  /// Opens the store again, and checks that its content is the same.
  package mutating func reopen() async throws {
    steps.append("opened again")
    store = try await open()
    try await compare()
  }

  private mutating func step() async throws {
    switch number(34) {
    case 0..<5: try await add()
    case 5..<8: try await guess()
    case 8: try await renew()
    case 9: try await end()
    case 10..<13: try await prove()
    case 13: try await recover()
    case 14: try await changePassword()
    case 15: try await changeEmail()
    case 16: try await insert()
    case 17: try await settle()
    case 18: try await delete()
    case 19..<21: try await send()
    case 21: try await sweep()
    case 22: now += number(1500)
    case 23, 24: try await invite()
    case 25: try await revoke()
    case 26: try await lookUpInvitation()
    case 27...29: try await decide()
    case 30: try await acceptTerms()
    case 31, 32: try await endSessions()
    default: try await reopen()
    }
  }

  // MARK: Choosing

  mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[number(elements.count)]
  }

  mutating func address() -> String {
    let address = Self.addresses[number(Self.addresses.count)]
    return number(3) == 0 ? address.uppercased() : address
  }

  mutating func uid() -> UInt32 { UInt32(7 + number(3)) }

  mutating func stamp() -> Stamp {
    now += 1
    return ClaimScene.stamp(now, uid: uid(), origin: number(3) == 0 ? "o" : nil)
  }

  mutating func hash() -> PasswordHash { PasswordHash(phc: "hash \(number(3))") }

  mutating func notice(_ kind: MailKind, of account: AccountID?) -> MailIntent {
    let mail = ClaimScene.notice(kind, address(), of: account, uid: uid(), at: now, isProven: number(2) == 0)
    mails.append(mail)
    return mail
  }

  /// Performs an operation on both stores, and compares the answers.
  mutating func both<Answer: Equatable>(
    _ name: String, _ body: (Accounts) async throws -> Answer
  ) async throws {
    steps.append("\(now) \(name)")
    let expected = try await body(reference)
    try same(try await body(store), expected, name)
  }

  // MARK: Claims

  private mutating func add() async throws {
    guard let kind = pick(AddressClaim.Kind.allCases) else { return }
    let (email, stamp) = (address(), stamp())
    let owner = try await reference.find(EmailKey(email.lowercased()))?.account.id
    let claim = ClaimScene.claim(
      kind, email, of: kind == .registration ? nil : owner, uid: uid(), origin: number(3) == 0 ? "o" : nil,
      request: kind == .registration && number(2) == 0 ? "r\(number(3))" : nil, at: now, seconds: 600 + number(4000),
      state: number(8) == 0 ? .decoy : .open)
    let mail = ClaimScene.mail(claim)
    claims.append(claim)
    mails.append(mail)
    let invitation = kind == .registration && number(2) == 0 ? pick(invitations)?.id : nil
    try await both("add \(kind) \(email) \(claim.id) with \(invitation.map { "\($0)" } ?? "-")") {
      try await $0.add(claim, mail, invitation: invitation, stamp)
    }
  }

  private mutating func guess() async throws {
    guard let claim = pick(claims) else { return }
    let guess = ClaimScene.guess(number(3) == 0, generation: 1 + number(8) / 7, attempts: 2)
    let stamp = stamp()
    try await both("guess \(guess) \(claim.id)") { try await $0.guess(claim.id, guess, stamp) }
    let limit = 1 + number(9)
    try await both("incorrect codes, up to \(limit)") {
      try await $0.wrongCodes(at: claim.email.key, limit: limit, stamp.time)
    }
  }

  private mutating func renew() async throws {
    guard let claim = pick(claims) else { return }
    let stamp = stamp()
    let seen = number(3) == 0 ? claim : try await reference.find(claim.id, at: stamp.time) ?? claim
    var next = seen
    next.generation += number(2)
    next.digits = 6 * (1 + number(2))
    next.resendAt = stamp.time.advanced(by: .seconds(60))
    let mail = number(2) == 0 ? notice(.registrationCode, of: nil) : nil
    try await both("renew \(claim.id)") { [next] in try await $0.renew(next, seen: seen, mail, stamp) }
  }

  private mutating func end() async throws {
    guard let claim = pick(claims) else { return }
    steps.append("\(now) end \(claim.id)")
    try await reference.end(claim.id)
    try await store.end(claim.id)
  }

  private mutating func prove() async throws {
    guard let claim = pick(claims.filter { $0.kind == .registration }) else { return }
    let stamp = stamp()
    let account = ClaimScene.account(claim, [.active, .active, .pending, .waiting][number(4)], at: now)
    accounts.append(claim.account)
    try await both("prove \(claim.id) \(account.account.state)") { try await $0.prove(claim.id, account, stamp) }
  }

  // MARK: Mails, and expired data

  private mutating func send() async throws {
    guard number(4) > 0, let mail = pick(mails) else {
      let mail = notice(.registrationTried, of: pick(accounts))
      steps.append("\(now) add \(mail.id)")
      try await reference.add(mail)
      try await store.add(mail)
      return
    }
    let states: [StoredMail.State] = [.sent, .refused, .outdated]
    let (state, noted) = (
      states[number(3)], StoredMail(mail, attempts: number(5), reason: "451", next: ClaimScene.time(now + 9))
    )
    switch number(3) {
    case 0: try await both("lease \(mail.id)") { try await $0.lease(mail: mail.id) }
    case 1: try await both("putOff \(mail.id)") { try await $0.putOff(mail: noted) }
    default: try await both("\(state) \(mail.id)") { try await $0.end(mail: mail.id, state, reason: "why") }
    }
  }

  private mutating func sweep() async throws {
    let (time, before) = (ClaimScene.time(now), ClaimScene.time(now - number(2000)))
    steps.append("\(now) sweep")
    for each in [store, reference] as [Accounts] {
      while try await each.sweep(at: time, addressesBefore: before, limit: 3) {}
    }
  }

  // MARK: Everything visible

  private func compare() async throws {
    let (seen, expected) = (try await sight(store), try await sight(reference))
    for (one, other) in zip(seen, expected) { try same(one, other, "content") }
    try same(seen.count, expected.count, "amount of content")
  }

  private func sight(_ store: Accounts) async throws -> [String] {
    let time = ClaimScene.time(now)
    var sight = try await store.list(after: nil, limit: 1000).map { "\($0) \($0.account.epoch.text ?? "-")" }
    sight += try await store.invitations(after: nil, limit: 1000, at: time).map { "\($0)" }
    sight += try await store.claims(after: nil, limit: 1000, at: time).map { "\($0) \($0.epoch.text ?? "-")" }
    sight += try await store.mails(after: nil, limit: 1000).map { "\($0)" }
    sight += StoreConformance.anonymous(try await store.audit(after: 0, limit: 1000)).map { "\($0)" }
    for mail in mails { sight.append("\(String(describing: try await store.find(mail: mail.id)))") }
    for uid in UInt32(7)...9 {
      for number in 0..<3 {
        guard let request = RequestKey(uid: uid, id: "r\(number)") else { continue }
        sight.append("\(String(describing: try await store.find(request)))")
        sight.append("\(String(describing: try await store.find(claimOf: request, at: time)))")
      }
    }
    return sight
  }
}
