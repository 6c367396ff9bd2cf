import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "Plans of the statements about claims and mails, in PostgreSQL",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct ClaimPlanTests {
  private static let claim = ClaimCase.claim("name@example.com", request: "r")
  private static let account = ClaimCase.account(claim).account
  private static let stored = StoredMail(ClaimCase.mail(claim))

  private static var statements: [Statement] {
    let (id, key, now) = (claim.id, claim.email.key, Clocks(Fixtures.time))
    let (mail, codeKey) = (stored.intent, CodeKey.random())
    let sweeps = Sweep.all(now, addresses: .zero)
    var statements = [
      ClaimRow.look(id, now), ClaimRow.insertion(claim, mail, codeKey),
      ClaimRow.makingRoom(at: key, now), ClaimRow.renewal(claim, seen: claim, mail, codeKey, now),
      ClaimRow.ending(for: [account]), ClaimRow.givingWay([id.description]),
      ClaimRow.endingRest(of: account.id), ClaimRow.endingRegistration(of: account.id), ClaimRow.isOpen(id, now),
      ClaimRow.proving(id, now),
      WrongCodeRow.counting(at: GuessedAddress(key, .random()), limit: 50, now), WrongCodeRow.forgetting,
      MailRow.insertion(stored.intent), MailRow.leasing(stored.intent.id, Claimant()),
      MailRow.puttingOff(stored, Claimant()), MailRow.ending(stored.intent.id, .sent, nil),
      AuditSequencer.looking, ClaimRow.lock(id, now),
    ]
    if let request = claim.request {
      statements += [ClaimRow.look(request, now), ClaimRow.removal(ended: request, now)]
    }
    statements += sweeps.flatMap { [$0.counting(10), $0.removal(10) ?? $0.looking(10)] }
    statements.append(Statement(AuditAddressRow.erasure, ["{1}", "{NULL}"]))
    statements += Sweep.ahead(of: now).flatMap { [$0.counting(10), $0.settingBack(10)] }
    statements += [ClaimRow.forgetting(account), MailRow.forgetting(account)]
    return statements + MailRow.adding(mail, codeKey, now) + invitations
  }

  private static var invitations: [Statement] {
    let (invitation, now) = (InvitationCase.invitation("name@example.com", uses: 100_000), Clocks(Fixtures.time))
    let holders = [InvitationHolder.claim(claim), .account(account.id)]
    let free = [UseRow.Free(slot: 1, isLeft: false, claim: nil), UseRow.Free(slot: 1, isLeft: true, claim: nil)]
    var statements = [
      UseRow.looking(for: invitation, now), UseRow.looking(for: invitation, now, lock: 1),
      UseRow.oldest(invitation.id, claim.share, now), UseRow.look(of: claim.id),
      UseRow.invitation(heldBy: claim.id), UseRow.ending(claim.id.description, now), UseRow.keeping(claim.id),
      UseRow.moving(from: claim.id, to: claim), UseRow.passing(from: claim.id, to: account.id),
      InvitationRow.look(invitation.digest), InvitationRow.look(invitation.id),
      InvitationRow.counting(invitation.id, now), InvitationRow.page(AccountRow.beforeAll, 10, now),
      InvitationRow.insertion(invitation), InvitationRow.revocation(invitation.id, Fixtures.time),
      InvitationRow.isOpen(invitation.id), InvitationRow.forgetting(account.id),
      InvitationRow.using(by: account.id, at: Fixtures.time), InvitationRow.givingBack(account.id),
    ]
    for holder in holders { statements += free.map { UseRow.taking($0, of: invitation.id, for: holder) } }
    statements.append(UseRow.givingBack(account.id))
    return statements + MailRow.admitting(InvitationCase.mail(invitation), CodeKey.random(), now)
  }

  @Test("a list of pending, waiting or disabled accounts uses the index of the state")
  func states() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      await store.close()
      let states = [Account.State.pending, .waiting, .disabled]
      let plans = try await PostgreSQL.onItsThread {
        let connection = try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
        try connection.run("SET enable_seqscan = off")
        var plans: [String] = []
        for state in states {
          let listing = AccountRow.listing(state, after: AccountRow.beforeAll, limit: 10)
          let rows = try connection.answer(Statement("EXPLAIN \(listing.sql)", listing.parameters)).rows
          plans.append(rows.map { $0.text(0) }.joined(separator: "\n"))
        }
        return plans
      }
      for (state, plan) in zip(states, plans) { #expect(plan.contains("account_\(state.rawValue)"), "\(plan)") }
    }
  }

  @Test("each statement has an index for every table that it reads")
  func indexed() async throws {
    try await withDatabase { database in
      let store = try await opened(PostgreSQLStore.Settings(database))
      await store.close()
      let plans = try await PostgreSQL.onItsThread {
        let connection = try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
        // the tables are empty, so the planner would choose sequential scans
        try connection.run("SET enable_seqscan = off")
        var plans: [(sql: String, plan: String)] = []
        let tail = try #require(AuditTail("0 0 ", PlainCryptography()))
        let sequencer = store.sequencer.moving(WaitingEntries(nil, limit: 1), after: tail)
        let locking = Statement("SELECT \(AuditTail.columns) FROM numbering FOR NO KEY UPDATE")
        for statement in Self.statements + [sequencer, locking] {
          let rows = try connection.answer(Statement("EXPLAIN \(statement.sql)", statement.parameters)).rows
          plans.append((statement.sql, rows.map { $0.text(0) }.joined(separator: "\n")))
        }
        return plans
      }
      #expect(plans.count > 50)
      for (sql, plan) in plans {
        // the table numbering has a single row
        let others = plan.replacing("Seq Scan on numbering", with: "")
        #expect(!others.contains("Seq Scan on"), "\(sql)\n\(plan)")
      }
    }
  }
}
