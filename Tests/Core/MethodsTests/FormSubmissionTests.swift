import JSONRPC
import RegdClient
import Registration
import RehearsedNetworks
import TestDoubles
import Testing

@Suite("Submitting forms over the wire")
struct FormSubmissionTests {
  @Test("submitting an invalid form only shows an alert; regd asks neither the network nor the store")
  func invalid() async throws {
    let subject = Subject(network: FailingNetwork(.offline), failing: 1)
    let talk = subject.talk()
    _ = await talk.call("form.open", "[\"registration\"]")
    let lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == ["alert", "reply", "changed"])
    #expect(lines[0].contains("\"reason\":\"validation.failed\""))
    #expect(lines[1].contains("\"errorMessage\":\"Enter an email address"))
  }

  @Test("a submission starts and ends an activity, then sends the alert or the navigation, and then the reply")
  func submit() async throws {
    let subject = Subject()
    var talk = await subject.filledForm()
    var lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == ["activityStarted", "activityEnded", "navigate", "reply", "changed"])
    #expect(lines[0] == #"{"jsonrpc":"2.0","method":"form.event","params":{"form":1,"event":"activityStarted"}}"#)
    #expect(
      lines[2] == #"{"jsonrpc":"2.0","method":"form.event","params":{"form":1,"event":"navigate","to":"welcome"}}"#)
    #expect(lines[3].contains("\"registered\":true"))
    #expect(try await subject.store.find(EmailKey("new@example.com")) != nil)
    talk = await subject.filledForm()
    lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == ["activityStarted", "activityEnded", "alert", "reply", "changed"])
    #expect(
      lines[2].contains(#""reason":"email.taken","message":"Sorry, provided email address is already taken""#))
    #expect(lines[3].contains(#""registrationEnabled":false,"problems":[]"#))
  }

  @Test("an unreachable upstream causes an alert, and the form may be submitted again")
  func offline() async throws {
    let script = Script(checkEmail: [.init(.accept)], register: [.init(.fault(.offline)), .init(.accept)])
    let talk = await Subject(network: ScriptedNetwork(script)).filledForm()
    let lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == ["activityStarted", "activityEnded", "alert", "reply", "changed"])
    #expect(lines[2].contains("network.offline"))
    #expect(lines[3].contains("\"registrationEnabled\":true"))
    #expect(try Talk.kinds(await talk.call("form.submit", "[1]")).contains("navigate"))
  }

  @Test("a change after form.submit does not affect the submitted entry")
  func typedBehind() async throws {
    let subject = Subject()
    let talk = await subject.filledForm()
    talk.send(
      #"{"jsonrpc":"2.0","id":2,"method":"form.submit","params":[1]}{"jsonrpc":"2.0","id":3,"method":"form.set","params":[1,"other@example.com"]}"#
    )
    await talk.settle()
    #expect(try await subject.store.find(EmailKey("new@example.com")) != nil)
    #expect(try await subject.store.find(EmailKey("other@example.com")) == nil)
  }

  @Test("two submits at once are one: one activity, and both replies at its end")
  func twice() async throws {
    let subject = Subject()
    let talk = await subject.filledForm()
    let submit = #"{"jsonrpc":"2.0","id":2,"method":"form.submit","params":[1]}"#
    talk.send(submit + submit.replacing("\"id\":2", with: "\"id\":3"))
    await talk.settle()
    let lines = talk.receive().split(separator: "\n").map(String.init)
    let seen = try Talk.kinds(lines).filter { $0 != "changed" }
    #expect(seen == ["activityStarted", "activityEnded", "navigate", "reply", "reply"])
    #expect(try await subject.store.audit(after: 0, limit: 9).count == 1)
  }

  @Test("after a submission is cancelled before its turn, the form is idle and can be submitted again")
  func cancelled() async throws {
    let subject = Subject()
    let talk = await subject.filledForm()
    talk.send(
      #"{"jsonrpc":"2.0","id":2,"method":"form.submit","params":[1]}{"jsonrpc":"2.0","method":"rpc.cancel","params":[2]}"#
    )
    await talk.settle()
    talk.sendNotifications()
    let lines = talk.receive().split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.contains("-32800") })
    #expect(
      try Talk.kinds(lines).filter { $0 != "changed" && $0 != "reply" } == [
        "activityStarted", "activityEnded", "alert",
      ])
    #expect(try Talk.kinds(await talk.call("form.submit", "[1]")).contains("navigate"))
  }

  @Test(
    "a submission that is cancelled within its batch ends at once, and a later one of the batch runs without waiting",
    .timeLimit(.minutes(1)))
  func cancelledInBatch() async throws {
    let subject = Subject()
    let talk = await subject.filledForm()
    func submit(_ id: Int) -> String { "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"form.submit\",\"params\":[1]}" }
    let cancel = #"{"jsonrpc":"2.0","id":3,"method":"rpc.cancel","params":[2]}"#
    talk.send("[\(submit(2)),\(cancel),\(submit(4))]")
    await talk.settle()
    let lines = talk.receive().split(separator: "\n").map(String.init)
    let reply = try #require(lines.last { $0.hasPrefix("[") })
    #expect(reply.hasPrefix(#"[{"jsonrpc":"2.0","id":2,"error":{"code":-32800"#))
    #expect(reply.contains(#""id":4,"result":{"state":"#) && reply.contains(#""registered":true"#))
    #expect(
      try Talk.kinds(lines.filter { !$0.hasPrefix("[") }).filter { $0 != "changed" } == [
        "activityStarted", "activityEnded", "alert", "activityStarted", "activityEnded", "navigate",
      ])
  }

  @Test("if the entry changes during a submission, no later notification shows the old entry")
  func fresh() async throws {
    let subject = Subject(network: FailingNetwork(.offline))
    let talk = await subject.filledForm()
    _ = talk.receive()
    talk.send(#"{"jsonrpc":"2.0","id":2,"method":"form.submit","params":[1]}"#)
    let work = talk.pending
    #expect(work.count == 1)
    talk.send(#"{"jsonrpc":"2.0","id":3,"method":"form.set","params":[1,"other@example.com"]}"#)
    await talk.settle()
    talk.sendNotifications()
    let changed = talk.receive().split(separator: "\n").filter { $0.contains("form.changed") }
    #expect(changed.allSatisfy { $0.contains("other@example.com") })
    #expect(changed.last?.contains("cannot be reached") == true)
  }

  @Test("a sign-in form alerts after a wrong password and navigates after the correct one")
  func signIn() async throws {
    let subject = Subject()
    _ = try await subject.store.insert(
      Fixtures.account("name@example.com", hash: "plain:a fine phrase"), request: nil, Stamp(Fixtures.time))
    let talk = subject.talk()
    _ = await talk.call("form.open", "[\"signIn\"]")
    _ = await talk.call("form.set", "[1,\"name@example.com\",\"wrong\"]")
    let wrong = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(wrong) == ["activityStarted", "activityEnded", "alert", "reply", "changed"])
    #expect(wrong[2].contains("credentials.rejected"))
    _ = await talk.call("form.set", "{\"form\":1,\"password\":\"a fine phrase\"}")
    let right = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(right) == ["activityStarted", "activityEnded", "navigate", "reply", "changed"])
    #expect(right[3].contains("\"signedIn\":true"))
  }
}

extension Talk {
  /// The kind of each line: "reply", "changed", or the event of a form.event.
  static func kinds(_ lines: [String]) throws -> [String] {
    try lines.map { line in
      let text = try #require(JSONValue(Array(line.utf8)))
      switch text["method"]?.string {
      case nil: return "reply"
      case "form.changed": return "changed"
      case "form.event": return text["params"]?["event"]?.string ?? "?"
      case .some(let other): return other
      }
    }
  }
}

extension Subject {
  /// A conversation with a registration form that is valid.
  func filledForm() async -> Talk {
    let talk = talk()
    _ = await talk.call("form.open", "[\"registration\"]")
    _ = await talk.call("form.set", "[1,\"new@example.com\",\"a fine phrase\",\"a fine phrase\"]")
    return talk
  }
}
