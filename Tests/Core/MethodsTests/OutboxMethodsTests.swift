import RegdClient
import Registration
import RehearsedNetworks
import TestDoubles
import Testing

@Suite("outbox.*")
struct OutboxMethodsTests {
  private let unknown = "0192d3a4-7c1e-7b32-9f00-0123456789ab"

  private func reason(_ reply: String) throws -> String? { try JSONValue.outcome(reply).string }

  private func register(_ subject: Subject, _ email: String) async -> String {
    await subject.call("registration.register", "[\"\(email)\",\"a fine phrase\",\"a fine phrase\"]")
  }

  /// A subject with registrations that the upstream has left open.
  private func waiting(_ names: [String]) async -> Subject {
    let subject = Subject(network: ScriptedNetwork(Script(register: [.init(.fault(.timeout))])))
    for name in names { _ = await register(subject, "\(name)@example.com") }
    return subject
  }

  @Test("only administrators may call outbox.*")
  func access() async throws {
    let subject = await waiting(["a"])
    for method in ["outbox.list", "outbox.retry", "outbox.discard"] {
      #expect(try reason(await subject.call(method, "null", uid: 7)) == "access.denied")
    }
  }

  @Test("a malformed id is a params error, and the id of no pending account is account.notFound")
  func ids() async throws {
    let subject = await waiting([])
    for method in ["outbox.retry", "outbox.discard"] {
      #expect(try reason(await subject.call(method, #"{"id":"x"}"#)) == "rpc.invalidParams")
      #expect(try reason(await subject.call(method, "{\"id\":\"\(unknown)\"}")) == "account.notFound")
    }
    #expect(try reason(await subject.call("outbox.discard", "{}")) == "rpc.invalidParams")
    #expect(try reason(await subject.call("outbox.list", #"{"after":"x"}"#)) == "rpc.invalidParams")
    #expect(try reason(await subject.call("outbox.list", #"{"limit":0}"#)) == "rpc.invalidParams")
  }

  @Test("each method reports a failing store", arguments: ["outbox.list", "outbox.retry", "outbox.discard"])
  func store(_ method: String) async throws {
    let subject = Subject(failing: 1)
    let params = method == "outbox.list" ? "null" : "{\"id\":\"\(unknown)\"}"
    #expect(try reason(await subject.call(method, params)) == "store.readOnly")
  }

  @Test("outbox.list returns the pending accounts with attempts, reason and times, in pages")
  func list() async throws {
    let subject = await waiting(["a", "b", "c"])
    let first = try JSONValue.outcome(await subject.call("outbox.list", #"{"limit":2}"#))
    let page = try #require(first["waiting"]?.array)
    #expect(page.count == 2)
    for entry in page {
      #expect(entry["attempts"]?.integer == 1)
      #expect(entry["reason"]?.string == "network.timeout")
      #expect(entry["since"]?.string == Fixtures.time.rfc3339)
      #expect(Timestamp(rfc3339: entry["nextAttemptAt"]?.string ?? "") ?? Fixtures.time > Fixtures.time)
    }
    let next = try #require(first["next"])
    let second = try JSONValue.outcome(await subject.call("outbox.list", JSONValue.object([.init("after", next)]).text))
    #expect(second["waiting"]?.array?.count == 1)
    #expect(second["next"] == nil)
    let emails = (page + (second["waiting"]?.array ?? [])).compactMap { $0["email"]?.string }
    #expect(Set(emails) == ["a@example.com", "b@example.com", "c@example.com"])
  }

  @Test("outbox.retry makes an account due, and outbox.discard gives it up")
  func retryAndDiscard() async throws {
    let subject = await waiting(["a", "b"])
    let entries = try JSONValue.outcome(await subject.call("outbox.list", "null"))["waiting"]?.array ?? []
    let ids = entries.compactMap { $0["id"]?.string }
    try #require(ids.count == 2)
    #expect(try JSONValue.outcome(await subject.call("outbox.retry", "{\"id\":\"\(ids[0])\"}")) == [:])
    _ = await subject.outbox.round()
    let after = try JSONValue.outcome(await subject.call("outbox.list", "null"))["waiting"]?.array ?? []
    #expect(after.compactMap { $0["attempts"]?.integer } == [2, 1])
    #expect(try JSONValue.outcome(await subject.call("outbox.discard", "{\"id\":\"\(ids[1])\"}")) == [:])
    #expect(try reason(await subject.call("outbox.discard", "{\"id\":\"\(ids[1])\"}")) == "account.notFound")
    #expect(try await subject.store.pendingCount() == 1)
  }

  @Test(
    "an administrator cannot change a pending account's password, so that the request to the upstream stays the same")
  func password() async throws {
    let subject = await waiting(["a"])
    let before = try await subject.store.find(EmailKey("a@example.com"))
    let reply = await subject.call(
      "account.setPassword",
      #"{"email":"a@example.com","password":"another phrase","passwordConfirmation":"another phrase"}"#)
    #expect(try reason(reply) == "account.pending")
    #expect(try await subject.store.find(EmailKey("a@example.com")) == before)
  }
}
