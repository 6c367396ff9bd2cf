import Glibc
import Linux
import RegdClient
import RegdProcesses
import Registration
import TestDoubles
import TestKit
import Testing

@testable import Daemon

/// A real regd, whose mails a subscriber sends or a simulated mail system accepts.
@Suite("regd and its mails", .blocking, .timeLimit(.minutes(10)))
struct MailTests {
  private static let required = "registration: {verification: required}\n"

  private func mail(_ backend: String) -> String { "mail: {backend: \(backend), from: regd@example.com}\n" }

  private func register(_ client: RegdClient, _ name: String = "name") throws -> String {
    let entry = RegdClient.entry(
      email: "\(name)@example.com", password: "a fine phrase", confirmation: "a fine phrase")
    let result = try client.call("registration.register", entry).get()
    return try #require(result["claim"]?["id"]?.string)
  }

  /// The next event with this name.
  private func next(_ name: String, _ listener: RegdConversation) throws -> JSONValue {
    while true {
      guard case .notification(_, let event?) = try listener.receive(), event["event"]?.string == name else { continue }
      return event
    }
  }

  /// Repeats until the condition holds for the mails in the status.
  private func status(_ subject: ReloadableRegd, _ holds: (JSONValue) -> Bool) throws -> JSONValue {
    while true {
      let mail = try #require(try subject.status()["mail"])
      if holds(mail) { return mail }
    }
  }

  private func lines(_ regd: RunningRegd, _ message: LogMessage) -> [Substring] {
    regd.process.output.split(separator: "\n").filter { $0.contains("] \(message.text)") }
  }

  @Test(
    "a mail waits for a subscriber, which gets the code; its mail.sent and the code then make the account"
  )
  func subscriber() throws {
    let variables = [
      "REGD_STORE_BACKEND": "memory", "REGD_LOG_LEVEL": "debug", "REGD_MAIL_QUEUE_FIRST_SECONDS": "300",
    ]
    try ReloadableRegd.with(Self.required + mail("event"), variables) { subject in
      let client = try subject.client
      let claim = try register(client)
      let away = try status(subject) { $0["failure"] != nil }
      #expect(away["failure"]?.string == "offline" && away["waiting"]?.integer == 1)
      let listener = try RegdConversation(path: subject.regd.socket)
      try listener.send("events.subscribe")
      let wanted = try next("mail.wanted", listener)
      #expect(wanted["to"]?.string == "name@example.com" && wanted["kind"]?.string == "registrationCode")
      let id = try #require(wanted["id"]?.string)
      let listed = try client.call("mail.list").get()["waiting"]?.array ?? []
      #expect(listed.compactMap { $0["id"]?.string } == [id])
      _ = try client.call("mail.sent", ["id": .string(id)]).get()
      let sent = try next("mail.sent", listener)
      #expect(sent["id"]?.string == id && sent["body"] == nil && sent["subject"] == nil)
      let body = try #require(wanted["body"]?.string)
      let code = try #require(body.split(separator: "\n").first { $0.allSatisfy { " 0123456789".contains($0) } })
      let proof = try client.call("claim.prove", ["claim": .string(claim), "code": .string(String(code))]).get()
      #expect(proof["account"]?["state"]?.string == "active")
      let mails = try status(subject) { $0["sent"]?.integer == 1 }
      #expect(mails["healthy"]?.bool == true && mails["waiting"]?.integer == 0 && mails["backend"]?.string == "event")
      let metrics = try client.call("daemon.metrics").get()["text"]?.string ?? ""
      #expect(metrics.contains("regd_mails_total{state=\"sent\"} 1") && metrics.contains("\nregd_mails_waiting 0"))
      #expect(metrics.contains("regd_mail_failures_total{reason=\"offline\"}"))
      #expect(subject.regd.process.end() == 0)
      let output = subject.regd.process.output
      #expect(lines(subject.regd, .mailSent).count == 1, "\(output)")
      #expect(lines(subject.regd, .mailFails).count == 1 && lines(subject.regd, .mailWorks).count == 1)
      let digits = code.filter { $0 != " " }
      for secret in ["name@example.com", digits, String(code.drop { $0 == " " }), claim] {
        #expect(!output.contains(secret))
      }
    }
  }

  @Test(
    "a control character in the sender's name or the site ends the start with exit status 78",
    arguments: ["mail.fromName", "site.name", "site.url"])
  func controlCharacter(_ key: String) throws {
    try TemporaryDirectory.with { directory in
      let parts = key.split(separator: ".")
      try TextFile.write("\(parts[0]): {\(parts[1]): \"a\\u0007b\"}\n", to: "\(directory)/regd.yaml")
      let (status, output) = try RegdProcess.run(
        program: Places.regd, arguments: ["--socket-group=", "--config", "\(directory)/regd.yaml"], environment: [:],
        directory: directory)
      #expect(status == 78)
      #expect(output.contains("\(key): must not contain control characters, but contains U+0007"), "\(output)")
    }
  }

  @Test("mails name the site, also one with an invitation, and a reload applies the names to a waiting mail")
  func site() throws {
    try ReloadableRegd.with(Self.required + mail("event"), ["REGD_STORE_BACKEND": "memory"]) { subject in
      let client = try subject.client
      _ = try register(client)
      let changed = try subject.reload(
        Self.required + """
          mail: {backend: event, from: regd@example.com, fromName: Example}
          site: {name: "{code}", url: "https://example.com/register"}

          """)
      #expect(changed == ["mail.fromName", "site.name", "site.url"])
      let listener = try RegdConversation(path: subject.regd.socket)
      try listener.send("events.subscribe")
      for kind in ["registrationCode", "invitation"] {
        let wanted = try next("mail.wanted", listener)
        #expect(wanted["kind"]?.string == kind && wanted["fromName"]?.string == "Example")
        let body = try #require(wanted["body"]?.string)
        #expect(body.hasSuffix("\n\nThis email was sent by {code}.\nhttps://example.com/register\n"), "\(body)")
        _ = try client.call("mail.sent", ["id": .string(wanted["id"]?.string ?? "")]).get()
        if kind == "registrationCode" {
          _ = try client.call("invitation.create", ["email": "ann@example.org", "send": .bool(true)]).get()
        }
      }
    }
  }

  @Test(
    "a missing mail program or directory is an outage at the first mail", arguments: ["sendmail", "file"])
  func unusable(_ backend: String) throws {
    let key = backend == "file" ? "directory" : "path"
    let mail = "mail: {backend: \(backend), from: regd@example.com, \(backend): {\(key): /nonexistent/mail}}\n"
    try ReloadableRegd.with(Self.required + mail, ["REGD_STORE_BACKEND": "memory"]) { subject in
      _ = try register(try subject.client)
      let away = try status(subject) { $0["failure"] != nil }
      #expect(away["healthy"]?.bool == false && away["waiting"]?.integer == 1)
      #expect(away["failure"]?.string?.hasPrefix("unusable: /nonexistent/mail") == true, "\(away.text)")
    }
  }

  @Test("an unavailable mail system refuses no registration, and a reload with another one sends the waiting mails")
  func reload() throws {
    try ReloadableRegd.with(Self.required + mail("offline"), ["REGD_STORE_BACKEND": "memory"]) { subject in
      let client = try subject.client
      for name in ["a", "b", "c"] { _ = try register(client, name) }
      let away = try status(subject) { $0["healthy"]?.bool == false && $0["waiting"]?.integer == 3 }
      #expect(away["sent"]?.integer == 0 && away["refused"]?.integer == 0)
      #expect(try subject.reload(Self.required + mail("scripted")).contains("mail.backend"))
      let mails = try status(subject) { $0["waiting"]?.integer == 0 && $0["sent"]?.integer == 3 }
      #expect(mails["healthy"]?.bool == true && mails["backend"]?.string == "scripted")
      #expect(try client.call("mail.list").get()["waiting"]?.array?.isEmpty == true)
    }
  }

  @Test("mails keep waiting after a reload removes the mail system, and the log reports them")
  func stranded() throws {
    try ReloadableRegd.with(Self.required + mail("unavailable"), ["REGD_STORE_BACKEND": "memory"]) { subject in
      let client = try subject.client
      _ = try register(client)
      _ = try status(subject) { $0["waiting"]?.integer == 1 }
      try subject.reload("")
      #expect(try status(subject) { _ in true }["backend"]?.string == "none")
      guard case .failure(let error) = try client.call("mail.retry") else {
        Issue.record("there is no mail system to send by")
        return
      }
      #expect(error.reason == "feature.off")
      #expect(try client.call("mail.list").get()["waiting"]?.array?.count == 1)
      #expect(subject.regd.process.end() == 0)
      #expect(lines(subject.regd, .mailsStranded).count == 1)
    }
  }

  @Test("a waiting mail survives kill -9, and the next regd sends it")
  func killed() throws {
    try ReloadableRegd.with(Self.required + mail("offline"), ["REGD_STORE_BACKEND": "sqlite"]) { subject in
      _ = try register(try subject.client)
      try subject.write(Self.required + mail("scripted"))
      try subject.regd.restart(after: SIGKILL)
      let mails = try status(subject) { $0["sent"]?.integer == 1 }
      #expect(mails["waiting"]?.integer == 0)
    }
  }
}
