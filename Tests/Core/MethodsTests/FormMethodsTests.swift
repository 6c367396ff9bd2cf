import JSONRPC
import RegdClient
import Registration
import RehearsedNetworks
import TestDoubles
import Testing
import WireProtocols

@Suite("Forms over the wire")
struct FormMethodsTests {
  @Test("regd refuses unknown forms, unknown kinds and overlong fields")
  func refused() async throws {
    let talk = Subject().talk()
    for method in ["form.set", "form.submit", "form.close"] {
      let reply = await talk.call(method, "{\"form\":1}").last ?? ""
      #expect(reply.contains("\"code\":1007"), "\(method): \(reply)")
    }
    #expect(await talk.call("form.open", "[\"other\"]").last?.contains("-32602") == true)
    _ = await talk.call("form.open", "[\"signIn\"]")
    let long = String(repeating: "x", count: 70_000)
    let reply = await talk.call("form.set", "[1,null,\"\(long)\"]").last ?? ""
    #expect(reply.contains("\"field\":\"password\""))
    // The longest password that the configuration may allow.
    let allowed = String(repeating: "\\uD83D\\uDE00", count: 4096)
    #expect(await talk.call("form.set", "[1,null,\"\(allowed)\"]").contains { $0.contains("\"state\"") })
  }

  @Test("a connection may have 64 forms open at once, and another connection has its own forms")
  func many() async throws {
    let subject = Subject()
    let talk = subject.talk()
    for number in 1...64 {
      let reply = await talk.call("form.open", "[\"signIn\"]").last ?? ""
      #expect(reply.contains("\"form\":\(number)"))
    }
    #expect(await talk.call("form.open", "[\"signIn\"]").last?.contains("\"code\":-32009") == true)
    #expect(await subject.talk().call("form.open", "[\"signIn\"]").last?.contains("\"form\":1") == true)
    #expect(await talk.call("form.close", "[7]").last?.contains("\"result\":{}") == true)
    #expect(await talk.call("form.close", "[7]").last?.contains("form.notFound") == true)
    #expect(await talk.call("form.open", "[\"signIn\"]").last?.contains("\"form\":65") == true)
  }

  @Test("the data of open forms counts toward the user's limit for held data until the forms are closed")
  func held() async throws {
    let talk = Talk(
      Subject().dispatcher, limits: Limits(), caller: Peer(uid: 7, gid: 8, pid: 9), heldBytesLimit: 40_000)
    let text = String(repeating: "x", count: 16_000)
    for _ in 1...2 { _ = await talk.call("form.open", "[\"registration\"]") }
    #expect(await talk.call("form.set", "[1,\"\(text)\",\"\(text)\"]").first?.contains("\"state\"") == true)
    // The same data again adds nothing, another form exceeds the limit, and a short entry is always accepted.
    #expect(await talk.call("form.set", "[1,\"\(text)\"]").first?.contains("\"state\"") == true)
    #expect(await talk.call("form.set", "[2,\"\(text)\"]").first?.contains("server.busy") == true)
    #expect(await talk.call("form.set", "[2,\"a@example.com\"]").first?.contains("\"state\"") == true)
    _ = await talk.call("form.close", "[1]")
    #expect(await talk.call("form.set", "[2,\"\(text)\"]").first?.contains("\"state\"") == true)
  }

  @Test("form.open returns the initial states, to the byte")
  func opened() async throws {
    let talk = Subject().talk()
    let problems =
      #"[{"field":"email","reason":"email.missing","message":"Enter an email address, for example name@example.com."},{"field":"password","reason":"password.missing","message":"Enter a password."}"#
    #expect(
      await talk.call("form.open", "{\"kind\":\"registration\"}") == [
        #"{"jsonrpc":"2.0","id":1,"result":{"form":1,"state":{"email":"","emailValid":false,"passwordValid":false,"registrationEnabled":false,"problems":"#
          + problems
          + #",{"field":"passwordConfirmation","reason":"password.confirmationMissing","message":"Enter the password again to confirm it."}],"errorMessage":null,"registered":false}}}"#
      ])
    #expect(
      await talk.call("form.open", "{\"kind\":\"signIn\"}") == [
        #"{"jsonrpc":"2.0","id":1,"result":{"form":2,"state":{"email":"","signInEnabled":false,"problems":"#
          + problems + #"],"errorMessage":null,"signedIn":false}}}"#
      ])
  }

  @Test("form.set replies and then sends form.changed with the same state, if the state has changed")
  func set() async throws {
    let talk = Subject().talk()
    _ = await talk.call("form.open", "[\"registration\"]")
    let lines = await talk.call("form.set", "{\"form\":1,\"email\":\"new@example.com\"}")
    #expect(try Talk.kinds(lines) == ["reply", "changed"])
    let state = try #require(JSONValue(Array(lines[0].utf8))?["result"]?["state"])
    #expect(state["emailValid"]?.bool == true)
    let told = try #require(JSONValue(Array(lines[1].utf8))?["params"])
    #expect(told == .object([.init("form", .number("1")), .init("state", state)]))
    for params in ["{\"form\":1,\"email\":\"new@example.com\"}", "{\"form\":1}", "{\"form\":1,\"email\":null}"] {
      #expect(try Talk.kinds(await talk.call("form.set", params)) == ["reply"], "\(params)")
    }
  }

  @Test("no state contains a password")
  func noPassword() async throws {
    let talk = Subject().talk()
    _ = await talk.call("form.open", "[\"registration\"]")
    let lines = await talk.call("form.set", "[1,\"new@example.com\",\"hunter2-secret\",\"hunter2-secre\"]")
    #expect(!lines.joined().contains("hunter2"))
  }

  @Test("in a batch, regd sends notifications outside the array of replies")
  func batch() async throws {
    let talk = Subject().talk()
    _ = await talk.call("form.open", "[\"registration\"]")
    talk.send(
      #"[{"jsonrpc":"2.0","id":2,"method":"form.set","params":[1,"new@example.com"]},{"jsonrpc":"2.0","id":3,"method":"rpc.ping"}]"#
    )
    let lines = talk.receive().split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("[{") && lines[0].hasSuffix("}]"))
    #expect(lines[1].contains("form.changed"))
  }

  @Test("in a batch, a form that changes 100 times is reported once, in its final state")
  func toldOnce() async throws {
    let talk = Subject().talk()
    _ = await talk.call("form.open", "[\"registration\"]")
    let sets = (1...100).map { #"{"jsonrpc":"2.0","method":"form.set","params":[1,"new\#($0)@example.com"]}"# }
    talk.send("[" + sets.joined(separator: ",") + "]")
    let lines = talk.receive().split(separator: "\n").map(String.init)
    #expect(try Talk.kinds(lines) == ["changed"])
    #expect(lines.first?.contains("new100@example.com") == true)
  }

  @Test("a form with a costly password is checked outside the loop after every change, until the password is replaced")
  func costly() async throws {
    let talk = Subject().talk()
    _ = await talk.call("form.open", "[\"registration\"]")
    talk.answersCostlyTexts = false
    let phrase = String(repeating: "\u{FDFA}", count: 30)
    talk.send(#"{"jsonrpc":"2.0","id":2,"method":"form.set","params":[1,null,"\#(phrase)","\#(phrase)"]}"#)
    let first = try #require(talk.takeCostlyText())
    talk.comeBack(first)
    talk.send(#"{"jsonrpc":"2.0","id":3,"method":"form.set","params":[1,"new@example.com"]}"#)
    let second = try #require(talk.takeCostlyText())
    talk.comeBack(second)
    let lines = talk.receive().split(separator: "\n").map(String.init)
    #expect(try Talk.kinds(lines) == ["reply", "changed", "reply", "changed"])
    #expect(lines.last?.contains(#""registrationEnabled":true"#) == true)
    // A cheap password makes the form cheap again.
    talk.send(#"{"jsonrpc":"2.0","id":4,"method":"form.set","params":[1,null,"a fine phrase","a fine phrase"]}"#)
    #expect(talk.takeCostlyText() == nil && talk.receive().contains(#""id":4,"result""#))
  }
}
