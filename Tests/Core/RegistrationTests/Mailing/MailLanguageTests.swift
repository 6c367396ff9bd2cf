import Localization
import TestDoubles
import Testing

@testable import Registration

@Suite("Languages of mails")
struct MailLanguageTests {
  /// The subject and the `Content-Language` of a mail requested in `language` and sent by a queue with `languages`.
  private func sent(_ language: String?, _ languages: ReloadableLanguages) async throws -> [String] {
    let scene = MailScene(languages: languages)
    try await scene.want(.recoveryCode, language: language)
    await scene.round()
    let mail = try #require(await scene.system.taken.first)
    return [mail.subject, mail.language]
  }

  @Test("a mail with an unknown language or without a language uses the operator's default")
  func none() async throws {
    for language in [nil, "", "tlh", "qab", "\n evil"] {
      let english = try await sent(language, ReloadableLanguages(InventedLanguages.languages()))
      #expect(english == ["Choose a new password", "en"])
      let marked = try await sent(language, ReloadableLanguages(InventedLanguages.languages(standard: "qaa")))
      #expect(marked == ["«Choose a new password»", "qaa"])
    }
  }

  @Test("a mail is written in the requested language, and its Content-Language is the catalogue's")
  func asked() async throws {
    let languages = ReloadableLanguages(InventedLanguages.languages())
    #expect(try await sent("qaa-x-own, en;q=0.1", languages) == ["«Choose a new password»", "qaa"])
    #expect(try await sent("qab-xx", languages) == ["<Choose a new password>", "qab-XX"])
  }

  @Test(
    "an approval uses the registration's language, or the operator's default if that language was removed",
    arguments: [("«Your registration was approved»", true), ("Your registration was approved", false)])
  func approval(_ subject: String, _ isOffered: Bool) async throws {
    let languages = ReloadableLanguages(InventedLanguages.languages())
    let scene = MailScene(languages: languages)
    var waiting = Fixtures.account(state: .waiting)
    waiting.registrant = Registrant(uid: 7, language: "qaa")
    _ = try await scene.store.insert(waiting)
    let notice = MailIntent(
      id: MailID(at: scene.now), kind: .accountApproved, to: waiting.account.email, claim: nil,
      account: waiting.account.id, language: nil, uid: 0, origin: nil, createdAt: scene.now)
    _ = try await scene.store.approve(waiting.account.id, to: .active, notice, Stamp(scene.now))
    if !isOffered { languages.replace(with: .english) }
    await scene.round()
    #expect(await scene.system.taken.map(\.subject) == [subject])
  }

  @Test("a reload of the languages also applies to waiting mails")
  func reload() async throws {
    let languages = ReloadableLanguages(.english)
    let scene = MailScene(languages: languages)
    try await scene.want(.passwordChanged, language: "qaa")
    languages.replace(with: InventedLanguages.languages())
    await scene.round()
    #expect(await scene.system.taken.first?.subject == "«Your password was changed»")
  }

  @Test("a reload of the sender's name and of the site also applies to waiting mails")
  func site() async throws {
    let scene = MailScene()
    try await scene.want(.registrationCode)
    let site = MailTexts.Site(name: "Example", url: "https://example.com")
    let terms = MailQueue.Terms(service: scene.system, from: "regd@example.com", fromName: "Example", site: site)
    scene.queue.adopt(terms, isOtherSystem: false, at: scene.clock.now)
    await scene.round()
    let mail = try #require(await scene.system.taken.first)
    #expect(mail.fromName == "Example")
    #expect(mail.body.hasSuffix("\n\nThis email was sent by Example.\nhttps://example.com\n"))
  }
}
