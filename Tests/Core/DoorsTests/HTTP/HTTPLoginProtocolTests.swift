import Reasons
import Registration
import Testing

@testable import Doors

struct HTTPLoginProtocolTests {
  typealias Stage = LoginProtocolStage<HTTPLoginProtocol>

  private func answer(_ answer: DoorAnswer) -> String {
    var stage = Stage()
    stage.send(asking()) { _ in answer }
    return stage.text
  }

  @Test("`away` becomes 503 with Retry-After and a reason, never 401")
  func away() {
    #expect(
      answer(.away(reason: .storeUnavailable, retryAfter: 7))
        == "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nCache-Control: no-store\r\n"
        + "Retry-After: 7\r\nX-Regd-Reason: store.unavailable\r\n\r\n")
    #expect(answer(.away(reason: .busy, retryAfter: 0)).contains("\r\nRetry-After: 1\r\n"))
    #expect(answer(.away(reason: .requestTimeout)).contains("\r\nRetry-After: 1\r\n"))
  }

  @Test("`wrong` becomes 401 with the scheme, `refused` 403 with the reason, and `right` 200 with the account's name")
  func verdicts() {
    #expect(
      answer(.wrong)
        == "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nCache-Control: no-store\r\n"
        + "WWW-Authenticate: Basic realm=\"regd\", charset=\"UTF-8\"\r\n\r\n")
    #expect(
      answer(.refused(reason: .accountDisabled))
        == "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nCache-Control: no-store\r\n"
        + "X-Regd-Reason: account.disabled\r\n\r\n")
    #expect(
      answer(.right(.you))
        == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nCache-Control: no-store\r\nRemote-User: you@example.org\r\n"
        + "Remote-Email: you@example.org\r\n\r\n")
    #expect(answer(.refused(reason: .groupRequired)).contains("403 Forbidden\r\n"))
  }

  @Test("a typed address that contains a line end makes the answer 503 and adds no field")
  func unsafeAddress() {
    let account = DoorAccount(
      id: DoorAccount.you.id, name: "you@example.org", email: "you@example.org\r\nRemote-Groups: admins")
    let text = answer(.right(account))
    #expect(text.hasPrefix("HTTP/1.1 503 ") && !text.contains("Remote-"), "\(text)")
  }

  @Test("`right` sends the typed address, the groups with commas between, and the display name in ASCII")
  func account() {
    #expect(
      answer(.right(.member)).hasSuffix(
        "\r\nRemote-User: you@example.org\r\nRemote-Email: You@Example.org\r\nRemote-Groups: admins,staff\r\n"
          + "Remote-Name: Y%C3%B6u-1%20%22a.b_c~%22%09%25%F0%9F%98%80\r\n\r\n"))
    let typed = DoorAccount(id: DoorAccount.you.id, name: "yöu@example.org", email: "YÖU@example.org")
    #expect(answer(.right(typed)).contains("\r\nRemote-User: yöu@example.org\r\nRemote-Email: YÖU@example.org\r\n"))
  }

  @Test("in a display name, only the unreserved characters of RFC 3986 are sent as they are")
  func encoding() {
    let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    #expect(HTTPSyntax.percentEncoded(unreserved) == unreserved)
    for byte in UInt8(0)...0x7F where !unreserved.utf8.contains(byte) {
      let digits = (byte < 16 ? "0" : "") + String(byte, radix: 16).uppercased()
      #expect(HTTPSyntax.percentEncoded(String(UnicodeScalar(byte))) == "%\(digits)")
    }
  }

  @Test("the answer for an account with as many groups and as long names as possible fits into 8 KiB")
  func longest() {
    let names = (10..<74).map { String(repeating: "g", count: 30) + "\($0)" }
    let account = DoorAccount(
      id: DoorAccount.you.id, name: String(repeating: "a", count: 254),
      groups: Groups(names.compactMap { GroupName($0) }) ?? .none,
      displayName: DisplayName(stored: String(repeating: "\u{1F600}", count: DisplayName.longest)))
    #expect(account.groups.names.count == Groups.most)
    #expect((4096...8192).contains(answer(.right(account)).utf8.count))
  }

  @Test("the protocol sends nothing for an answer to another kind of question")
  func others() {
    #expect(answer(.found(.you)) == "" && answer(.none) == "")
  }

  @Test("a request without usable credentials gets 401 without a question, and the connection stays open")
  func noCredentials() {
    for lines in [
      request(), request("Authorization: Bearer abc"), request("Authorization: Basic !"), request("Authorization:"),
    ] {
      var stage = Stage()
      stage.send(lines + asking()) { _ in .right(.you) }
      #expect(stage.statuses == [401, 200] && stage.asked.count == 1, "\(lines)")
      #expect(stage.text.contains("WWW-Authenticate: Basic realm=\"regd\", charset=\"UTF-8\"\r\n"))
    }
  }

  @Test("the answer does not depend on method and path")
  func anyMethod() {
    for start in ["GET /", "HEAD /a?b#c", "POST http://example.org/x", "OPTIONS *", "BREW /ü", "M-SEARCH //../%00"] {
      #expect(
        Stage.played(asking(start: "\(start) HTTP/1.1"), .right(.you))
          == Played(statuses: [200], asked: 1, ends: false),
        "\(start)")
    }
  }

  @Test("CONNECT is answered like any other method, and the connection ends instead of becoming a tunnel")
  func connect() {
    for method in ["CONNECT", "connect"] {
      let played = Stage.played(asking(start: "\(method) a:1 HTTP/1.1") + asking(), .right(.you))
      #expect(played == Played(statuses: [200], asked: 1, ends: true))
    }
  }

  @Test("pipelined requests are answered in order, each before the next is read")
  func pipelined() {
    var stage = Stage()
    stage.send(asking() + request() + asking())
    #expect(stage.output.isEmpty && stage.asked.count == 1)
    stage.answer(.refused(reason: .accountDisabled))
    #expect(stage.statuses == [403, 401] && stage.asked.count == 2)
    stage.answer(.right(.you))
    #expect(stage.statuses == [403, 401, 200] && !stage.hasEnded)
  }

  @Test(
    "HTTP/1.1 keeps the connection open unless asked to close it, and HTTP/1.0 closes it unless asked to keep it",
    arguments: [
      ("HTTP/1.1", "", true, nil), ("HTTP/1.1", "Connection: close", false, "close"),
      ("HTTP/1.1", "connection: Upgrade , CLOSE", false, "close"), ("HTTP/1.1", "Connection: closed", true, nil),
      ("HTTP/1.1", "Connection: keep-alive", true, nil), ("HTTP/1.9", "", true, nil),
      ("HTTP/1.0", "", false, "close"), ("HTTP/1.0", "Connection: Keep-Alive", true, "keep-alive"),
      ("HTTP/1.0", "Connection: keep-alive, close", false, "close"), ("HTTP/1.0", "Connection: close", false, "close"),
    ] as [(String, String, Bool, String?)])
  func persistence(_ version: String, _ line: String, _ goesOn: Bool, _ told: String?) {
    for credentials in ["Authorization: Basic \(yours)", "Accept: */*"] {
      var stage = Stage()
      stage.send(
        (["GET / \(version)", "Host: regd", credentials] + (line.isEmpty ? [] : [line])).map { "\($0)\r\n" }.joined()
          + "\r\n"
      ) { _ in .wrong }
      #expect(stage.statuses == [401] && stage.hasEnded == !goesOn)
      #expect(stage.text.contains("Connection:") == (told != nil))
      if let told { #expect(stage.text.contains("\r\nConnection: \(told)\r\n")) }
    }
  }

  @Test("the protocol skips one empty line before a request, and refuses two")
  func emptyLines() {
    #expect(Stage.played("\r\n" + asking()) == Played(statuses: [401], asked: 1, ends: false))
    #expect(Stage.played("\r\n\r\n" + asking()) == .refused(400))
    #expect(Stage.played("\n" + asking()) == .refused(400))
  }

  @Test("the protocol asks nothing before the final empty line is complete")
  func whole() {
    var stage = Stage()
    stage.send(Array(asking().utf8.dropLast()))
    #expect(stage.asked.isEmpty && !stage.machine.isMidMessage)
    stage.send("\n")
    #expect(stage.asked.map(\.described) == [DoorQuestion.yours])
  }
}
