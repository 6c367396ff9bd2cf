import RegdClient
import Synchronization
import TestDoubles
import Testing

@testable import Registration

@Suite("Registrations of a user whose quota of the outbox is full")
struct OutboxQuotaMethodsTests {
  private static let entry = #"["a@example.com","a fine phrase","a fine phrase","r"]"#

  /// Leaves as many registrations of user 7 in the outbox as it admits of a user without origins.
  ///
  /// - Returns: The id of the last one.
  private func fill(_ subject: Subject) -> AccountID {
    let deliverer = subject.outbox.deliverer
    var last = AccountID(at: Fixtures.time)
    for _ in 0...PendingBounds.all / 3 {
      last = AccountID(at: Fixtures.time)
      deliverer.inbox.add(.init(id: last, share: Share(uid: 7), failure: .offline))
    }
    deliverer.plan.withLock { _ = deliverer.take(&$0, at: .now) }
    return last
  }

  @Test("a registration fails with server.busy, and may be repeated once there is room")
  func crowded() async throws {
    let subject = Subject(network: StagedNetwork(.fails(.offline)), defersWhenUnreachable: true)
    let last = fill(subject)
    let reply = await subject.call("registration.register", Self.entry, uid: 7)
    let data = JSONValue(reply.utf8)?["error"]?["data"]
    #expect(data?["reason"]?.string == "server.busy" && data?["retryable"]?.bool == true, "\(reply)")
    #expect(data?["retryAfter"]?.integer == 60 && data?["pending"] == nil, "\(reply)")
    let status = try JSONValue.outcome(await subject.call("registration.status", #"["r"]"#, uid: 7))
    #expect(status["state"]?.string == "unknown")
    subject.outbox.deliverer.forget(last)
    let again = try JSONValue.outcome(await subject.call("registration.register", Self.entry, uid: 7))
    #expect(again["account"]?["state"]?.string == "pending")
  }

  @Test("approved accounts that wait for the upstream use up no user's room")
  func approved() async throws {
    let subject = Subject(
      network: StagedNetwork(.fails(.offline)), admission: AdmissionTerms(approval: .administrator),
      defersWhenUnreachable: true)
    let made = try JSONValue.outcome(await subject.call("registration.register", Self.entry, uid: 7))
    #expect(made["account"]?["state"]?.string == "waiting")
    let approved = try JSONValue.outcome(await subject.call("account.approve", #"{"email":"a@example.com"}"#))
    #expect(approved["account"]?["state"]?.string == "pending")
    let deliverer = subject.outbox.deliverer
    deliverer.plan.withLock { _ = deliverer.take(&$0, at: .now) }
    #expect(subject.outbox.waiting == 1)
    for uid: UInt32 in [0, 7] {
      #expect(deliverer.inbox.tally.counts(of: Share(uid: uid)) == .init(ofAll: 0, ofUser: 0, ofOrigin: 0))
    }
  }

  @Test("a correct code is not lost: it verifies the claim once there is room, and a repeat then needs none")
  func crowdedProof() async throws {
    let subject = Subject(
      network: StagedNetwork(.fails(.offline)), mail: StagedMail(),
      verification: VerificationTerms(isRequired: true, hasMail: true), defersWhenUnreachable: true)
    let talk = subject.talk(uid: 7)
    let made = try JSONValue.outcome(await talk.call("registration.register", Self.entry).last ?? "")
    let id = try #require(made["claim"]?["id"]?.string.flatMap { ClaimID($0) })
    let code = subject.codes.code(of: try #require(try await subject.store.find(id, at: Fixtures.time)))
    let proof = "{\"claim\":\"\(id)\",\"code\":\"\(code)\"}"
    let last = fill(subject)
    for _ in 0..<9 {
      #expect(try JSONValue.outcome(await talk.call("claim.prove", proof).last ?? "").string == "server.busy")
    }
    subject.outbox.deliverer.forget(last)
    for _ in 0..<2 {
      let proven = try JSONValue.outcome(await talk.call("claim.prove", proof).last ?? "")
      #expect(proven["account"]?["state"]?.string == "pending")
      _ = fill(subject)
    }
  }
}
