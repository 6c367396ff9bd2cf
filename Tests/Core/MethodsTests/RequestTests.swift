import RegdClient
import Registration
import RehearsedNetworks
import TestDoubles
import Testing

@Suite("requestId")
struct RequestTests {
  private func entry(_ email: String = "name@example.com", _ password: String = "a fine phrase", _ id: String) -> String
  {
    "[\"\(email)\",\"\(password)\",\"\(password)\",\(id)]"
  }

  @Test("an invalid requestId is a params error, and nothing is registered")
  func refused() async throws {
    let subject = Subject()
    let long = String(repeating: "x", count: 256)
    for id in ["\"\"", "\"\(long)\"", "\"a\\u0000b\"", "\"\\n\"", "5", "true", "[]"] {
      for (method, params) in [
        ("registration.register", entry("a@example.com", "a fine phrase", id)), ("registration.status", "[\(id)]"),
      ] {
        let reply = await subject.call(method, params)
        #expect(reply.contains("-32602"), "\(method) \(id): \(reply)")
        #expect(reply.contains("\"field\":\"requestId\""), "\(method) \(id): \(reply)")
      }
    }
    #expect(try await subject.store.list(after: nil, limit: 9).isEmpty)
  }

  @Test("another address or another password with the same requestId is a conflict that names the member")
  func conflict() async throws {
    let subject = Subject()
    _ = await subject.call("registration.register", entry("\"one\""))
    for params in [
      entry("other@example.com", "a fine phrase", "\"one\""), entry("name@example.com", "other phrase", "\"one\""),
    ] {
      let reply = await subject.call("registration.register", params)
      #expect(reply.contains("\"code\":1006"), "\(reply)")
      #expect(reply.contains("\"field\":\"requestId\""), "\(reply)")
    }
    #expect(try await subject.store.list(after: nil, limit: 9).count == 1)
  }

  @Test("the same request gets the same reply, to the byte; without its id, or from another user, it gets email.taken")
  func again() async throws {
    let subject = Subject()
    let first = await subject.call("registration.register", entry("\"one\""))
    #expect(first.contains("\"account\""))
    #expect(await subject.call("registration.register", entry("NAME@example.com", "a fine phrase", "\"one\"")) == first)
    for (params, uid) in [(entry("null"), 0), (entry("\"two\""), 0), (entry("\"one\""), 7)] as [(String, UInt32)] {
      #expect(await subject.call("registration.register", params, uid: uid).contains("email.taken"), "\(params)")
    }
    #expect(try await subject.store.audit(after: 0, limit: 9).count == 1)
  }

  @Test("registration.status shows only a user's own requests: unknown, pending, active")
  func status() async throws {
    let script = Script(checkEmail: [.init(.accept)], register: [.init(.fault(.timeout)), .init(.accept)])
    let subject = Subject(network: ScriptedNetwork(script))
    let unknown = try JSONValue.outcome(await subject.call("registration.status", "[\"one\"]"))
    #expect(unknown == ["state": "unknown"])
    let first = await subject.call("registration.register", entry("\"one\""))
    #expect(first.contains("\"pending\":true"))
    let pending = try JSONValue.outcome(await subject.call("registration.status", "[\"one\"]"))
    #expect(pending["state"]?.string == "pending")
    #expect(pending["account"]?["state"]?.string == "pending")
    let second = try JSONValue.outcome(await subject.call("registration.register", entry("\"one\"")))
    let active = try JSONValue.outcome(await subject.call("registration.status", "[\"one\"]"))
    #expect(active["state"]?.string == "active")
    #expect(active["account"] == second["account"])
    #expect(active["account"]?["id"] == pending["account"]?["id"])
    #expect(try JSONValue.outcome(await subject.call("registration.status", "[\"one\"]", uid: 7)) == unknown)
  }

  @Test("a refused registration leaves its requestId free, and so does a deleted account")
  func free() async throws {
    let subject = Subject()
    _ = await subject.call("registration.register", entry("null"))
    #expect(await subject.call("registration.register", entry("\"one\"")).contains("email.taken"))
    #expect(
      await subject.call("registration.register", entry("new@example.com", "a fine phrase", "\"one\"")).contains(
        "account"))
    _ = await subject.call("account.delete", "{\"email\":\"new@example.com\"}")
    #expect(await subject.call("registration.status", "[\"one\"]").contains("unknown"))
    #expect(
      await subject.call("registration.register", entry("third@example.com", "a fine phrase", "\"one\"")).contains(
        "account"))
  }

  private func entry(_ id: String) -> String { entry("name@example.com", "a fine phrase", id) }
}
