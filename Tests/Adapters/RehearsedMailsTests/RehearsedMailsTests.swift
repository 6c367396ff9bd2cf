import Registration
import RehearsedMails
import TestDoubles
import TestKit
import Testing

@Suite("Rehearsed mails")
struct RehearsedMailsTests {
  private func mail(to address: String) -> Mail {
    Mail(
      id: MailID(at: FixedTime().now()), kind: .registrationCode,
      to: EmailAddress(stored: address, key: EmailKey(address)), from: "regd@example.com", date: FixedTime().now(),
      language: "en", subject: "Code", body: "123456\n")
  }

  private func answers(_ service: some MailService, to addresses: [String]) async -> [MailFailure?] {
    var answers: [MailFailure?] = []
    for address in addresses {
      do throws(MailFailure) {
        try await service.send(mail(to: address))
        answers.append(nil)
      } catch { answers.append(error) }
    }
    return answers
  }

  @Test(
    "the error for an invalid step names the problem and the valid choices",
    arguments: [
      ("", "a step is empty"), ("maybe", "\"maybe\" is not an answer; choose from accept, offline,"),
      ("accept later", "\"later\" is not an option; the options are delay=NUMBERms, to=ADDRESS and to=@DOMAIN"),
      ("accept delay=5", "\"delay=5\" is not an option"),
      ("accept delay=86400001ms", "\"delay=86400001ms\" is not an option"),
      ("reject to=", "\"to=\" is not an option"), ("reject to=someone", "\"to=someone\" is not an option"),
      ("reject to=a@", "\"to=a@\" is not an option"),
    ])
  func refused(_ text: String, _ says: String) {
    let refusal = #expect(throws: MailScript.Step.Malformed.self) { try MailScript.Step(text) }
    #expect(refusal?.message.hasPrefix(says) == true, "\(String(describing: refusal))")
  }

  @Test("every step is read, and written back unchanged", arguments: MailScript.Step.words)
  func words(_ word: String) throws {
    for text in [word, "\(word) delay=20ms", "\(word) to=@example.org", "\(word) delay=1ms to=a@example.org"] {
      #expect("\(try MailScript.Step(text))" == text)
    }
  }

  @Test("a script uses one step for each mail, and repeats its last step")
  func order() async throws {
    let script = MailScript(try ["greylisted", "lost", "accept"].map { try MailScript.Step($0) })
    let played = await answers(ScriptedMail(script), to: Array(repeating: "a@example.com", count: 4))
    #expect(played == [.deferred("451 4.7.1 greylisted"), .lost, nil, nil])
  }

  @Test("a repeating script starts again after its last step")
  func repeats() async throws {
    let script = MailScript(try ["timeout", "accept"].map { try MailScript.Step($0) }, repeats: true)
    let played = await answers(ScriptedMail(script), to: Array(repeating: "a@example.com", count: 4))
    #expect(played == [.timeout, nil, .timeout, nil])
  }

  @Test("a step with an address or a domain applies only to its mails, and the address takes precedence")
  func addressed() async throws {
    let steps = ["offline to=Gone@example.com", "accept", "untrusted to=@example.com", "accept to=@example.com"]
    let script = MailScript(try steps.map { try MailScript.Step($0) })
    let addresses = ["a@example.org", "gone@example.com", "b@example.com", "gone@example.com", "c@example.com"]
    #expect(await answers(ScriptedMail(script), to: addresses) == [nil, .offline, .untrusted, .offline, nil])
    let only = MailScript([try MailScript.Step("reject to=gone@example.com")])
    #expect(await answers(ScriptedMail(only), to: ["a@sub.example.com"]) == [nil])
  }

  @Test("cancelling its task ends a delay with a temporary failure")
  func cancelled() async throws {
    let service = ScriptedMail(MailScript([try MailScript.Step("accept delay=86400000ms")]))
    let failure = await withTaskGroup(of: MailFailure?.self) { group in
      group.addTask { await answers(service, to: ["a@example.com"])[0] }
      group.cancelAll()
      return await group.next() ?? nil
    }
    #expect(failure == .cancelled)
    #expect(failure?.isTemporary == true)
  }

  @Test("a fault that hides a success counts as lost, and connection faults are temporary except a wrong password")
  func faults() {
    for fault in MailFault.allCases {
      if fault.hidesSuccess { #expect(fault.failure == .lost) }
      if fault.isOfConnection, fault != .unauthorized { #expect(fault.failure.isTemporary, "\(fault)") }
    }
  }

  @Test("the article lists every step with its outcome")
  func article() throws {
    let documented = try #require(Article.named("Mail")).rows("step", "what a mail server does", "outcome")
      .map { "\($0[0]) \($0[2])" }
    let played = try MailScript.Step.words.map { "`\($0)` `\(MailWords.word(try MailScript.Step($0).failure))`" }
    #expect(documented == played)
  }
}
