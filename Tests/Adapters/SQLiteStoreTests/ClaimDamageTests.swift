import Registration
import StoreConformance
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite claims and mails that cannot be read", .timeLimit(.minutes(10)))
struct ClaimDamageTests {
  @Test(
    "an unreadable claim is reported once, omitted from the list, and never reported as missing",
    arguments: [
      "kind = 'wish'", "state = 'odd'", "account_id = 'me'", "uid = -1", "origin = ''", "request_id = ''",
      "digits = -6",
      "generation = -1", "attempts = -1", "code_until = 'soon'", "resend_at = ''", "created_at = 'once'",
    ])
  func claim(_ damage: String) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let told = DamageTold()
      let store = try SQLiteStore(path: path, damaged: { told.note($0) })
      let (claim, other) = (ClaimScene.claim(origin: "o", request: "one"), ClaimScene.claim(uid: 8))
      for each in [claim, other] { _ = try await store.add(each, ClaimScene.mail(each), ClaimScene.stamp(0)) }
      try Connection(path: path, busyMilliseconds: 1000).execute("UPDATE claim SET \(damage) WHERE id = '\(claim.id)'")
      let now = ClaimScene.stamp(1)
      for _ in 0..<2 { #expect(try await store.claims(after: nil, limit: 1, at: now.time).map(\.id) == [other.id]) }
      await Self.unavailable { _ = try await store.find(claim.id, at: now.time) }
      await Self.unavailable { _ = try await store.guess(claim.id, ClaimScene.guess(true), now) }
      await Self.unavailable { _ = try await store.prove(claim.id, ClaimScene.account(claim, at: 1), now) }
      #expect(told.rows.map(\.name) == ["claim \(claim.id)"])
      // it can still be ended
      try await store.end(claim.id)
      #expect(try await store.find(claim.id, at: now.time) == nil)
    }
  }

  @Test(
    "an unreadable mail is reported once, omitted from the list, and never reported as missing",
    arguments: [
      "kind = 'card'", "claim_id = 'x'", "account_id = 'me'", "uid = -1", "origin = ''", "created_at = 'once'",
      "attempts = -1", "next_at = 'soon'",
    ])
  func mail(_ damage: String) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/regd.db"
      let told = DamageTold()
      let store = try SQLiteStore(path: path, damaged: { told.note($0) })
      let (mail, other) = (ClaimScene.notice(), ClaimScene.notice(at: 1))
      for each in [mail, other] { try await store.add(each) }
      try Connection(path: path, busyMilliseconds: 1000).execute("UPDATE mail SET \(damage) WHERE id = '\(mail.id)'")
      for _ in 0..<2 { #expect(try await store.mails(after: nil, limit: 1).map(\.intent.id) == [other.id]) }
      await Self.unavailable { _ = try await store.find(mail: mail.id) }
      await Self.unavailable { _ = try await store.lease(mail: mail.id) }
      #expect(told.rows.map(\.name) == ["mail \(mail.id)"])
    }
  }

  @Test("the store does not open, and makes no new key, if the code key is damaged or missing")
  func key() async throws {
    for damage in ["UPDATE installation SET code_key = 'abc'", "DELETE FROM installation"] {
      try await withTemporaryDirectory { directory in
        let path = "\(directory)/regd.db"
        await (try SQLiteStore(path: path)).close()
        try Connection(path: path, busyMilliseconds: 1000).execute(damage)
        do throws(StoreFailure) {
          _ = try SQLiteStore(path: path)
          Issue.record("opened: \(damage)")
        } catch {
          guard case .unavailable(let detail) = error else { throw error }
          #expect(detail.contains("code_key"), "\(damage)")
        }
      }
    }
  }

  private static func unavailable(_ body: () async throws -> Void) async {
    do {
      try await body()
      Issue.record("it was read")
    } catch {
      guard case StoreFailure.unavailable? = error as? StoreFailure else {
        Issue.record("\(error)")
        return
      }
    }
  }
}
