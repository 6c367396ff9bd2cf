import AddressNormalization
import Localization
import TestDoubles
import Testing

@testable import Registration

@Suite("Texts of mails")
struct MailTextTests {
  private static let now = Fixtures.time
  private static let site = MailTexts.Site(name: "Example", url: "https://example.com/")

  private func text(
    _ kind: MailKind, to address: String = "name@example.com", digits: String = "123456",
    life: Duration = .seconds(900), site: MailTexts.Site = MailTexts.Site(), in language: Language = .english
  ) -> MailTexts.Text {
    let mail = MailIntent(
      id: MailID(at: Self.now), kind: kind, to: MailScene.address(address), claim: nil, account: nil,
      language: "xx; evil", uid: 7, origin: Origin("an origin"), createdAt: Self.now)
    let code = MailTexts.Code(digits: digits, until: Self.now.advanced(by: life))
    return MailTexts.text(
      of: mail, code: kind.hasCode ? code : nil, site: site, now: Self.now, in: language, lines: UnicodeLineBreaker())
  }

  @Test(
    "without a site, no mail contains a link, a value that a caller has sent, or the name of a placeholder",
    arguments: MailKind.allCases)
  func nothingElse(_ kind: MailKind) {
    let text = text(kind, to: "{until}{code}@example.com")
    for part in [text.subject, text.body] {
      for link in ["://", "www.", "http", "href", "<", ">"] { #expect(!part.contains(link)) }
      for sent in ["evil", "origin"] { #expect(!part.contains(sent)) }
      #expect(!part.replacing("{until}{code}@example.com", with: "").contains(where: { "{}".contains($0) }), "\(part)")
      #expect(part.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
    }
    #expect(text.body.contains("    {until}{code}@example.com\n"), "placeholders in an address are not replaced")
    #expect(!text.subject.contains("\n") && !text.subject.contains("@"))
  }

  @Test("a mail ends with the site's name and URL, and is otherwise the same", arguments: MailKind.allCases)
  func site(_ kind: MailKind) {
    let plain = text(kind)
    let ends = [
      (Self.site, "\nThis email was sent by Example.\nhttps://example.com/\n"),
      (MailTexts.Site(name: "Example"), "\nThis email was sent by Example.\n"),
      (MailTexts.Site(url: "https://example.com/"), "\nhttps://example.com/\n"), (MailTexts.Site(), ""),
    ]
    for (site, end) in ends {
      let named = text(kind, site: site)
      #expect(named.subject == plain.subject && named.body == plain.body + end)
    }
  }

  @Test("placeholders in the site's name and URL are not replaced", arguments: MailKind.allCases)
  func siteOfPlaceholders(_ kind: MailKind) {
    let site = MailTexts.Site(name: "{code}{until}{site}", url: "https://example.com/{time}{siteURL}")
    let end = "\nThis email was sent by {code}{until}{site}.\nhttps://example.com/{time}{siteURL}\n"
    #expect(text(kind, site: site).body == text(kind).body + end)
  }

  @Test("a long name is wrapped, and a long URL is one line without a margin")
  func longSite() {
    let site = MailTexts.Site(
      name: String(repeating: "a long name ", count: 20) + "ends",
      url: "https://example.com/" + String(repeating: "a-b/c?d ", count: 30) + "e")
    let lines = text(.invitation, site: site).body.split(separator: "\n")
    #expect(lines.last.map(String.init) == site.url)
    #expect(lines.dropLast().allSatisfy { $0.count <= 72 })
    #expect(lines.joined(separator: " ").contains("This email was sent by \(site.name). https://"))
  }

  @Test("every text of an operator may name the site, and without a site the names are left out")
  func ownTexts() throws {
    var texts: [String: String] = [:]
    for sentence in MailMessageKey.allCases where sentence != .notFound {
      texts[sentence.name] = "\(sentence.english) [{site} {siteURL}]"
    }
    let own = try language("qaa", texts)
    for kind in MailKind.allCases {
      let (named, plain) = (text(kind, site: Self.site, in: own), text(kind, in: own))
      #expect(named.subject.hasSuffix(" [Example https://example.com/]") && plain.subject.hasSuffix(" [ ]"))
      let body = named.body.replacing("\n", with: " ")
      #expect(body.matches(of: #/\[Example https://example\.com/\]/#).count == body.count { $0 == "[" })
      #expect(!named.body.contains("{") && !plain.body.contains("{") && !plain.body.contains("Example"))
    }
  }

  @Test("a text that consists of the site's name only leaves no gap if there is no site")
  func gap() throws {
    let own = try language("qaa", ["mail.accountApprovedThen": "{site}"])
    #expect(text(.accountApproved, site: Self.site, in: own).body.contains("\n\nExample\n\nThis email was sent"))
    #expect(text(.accountApproved, in: own).body.hasSuffix("\n    name@example.com\n"))
  }

  @Test("lines are short, end with a line feed, and form paragraphs", arguments: MailKind.allCases)
  func lines(_ kind: MailKind) {
    let text = text(kind)
    #expect((10...60).contains(text.subject.count))
    #expect(text.body.hasSuffix(".\n") && !text.body.contains("\n\n\n"))
    for line in text.body.split(separator: "\n") { #expect(line.count <= 72 && line.last != " ", "\(line)") }
    #expect((3...14).contains(text.body.split(separator: "\n").count))
  }

  @Test("only mails with a code contain a code, on a separate line and in one piece, so that programs can find it")
  func code() {
    for kind in MailKind.allCases {
      let body = text(kind).body
      #expect(body.contains("\n    123456\n") == kind.hasCode)
      #expect(body.contains("for 15 minutes, until \(Self.now.advanced(by: .seconds(900)).minute) UTC") == kind.hasCode)
      #expect(!text(kind).subject.contains("123"))
    }
  }

  @Test("a long code is shown in groups that keep their order in every script and can be typed as shown")
  func longCode() throws {
    let body = text(.recoveryCode, digits: "123456789012").body
    #expect(body.contains("\n    1234-5678-9012\n"))
    #expect(ClaimCodes.digits(of: "1234-5678-9012", 12) == "123456789012")
    #expect(text(.recoveryCode, digits: "1234567890").body.contains("\n    1234567890\n"))
    let invitation = InvitationCode().description
    #expect(text(.invitation, digits: invitation).body.contains("\n    \(invitation)\n"))
  }

  @Test("a duration is given in the largest suitable unit")
  func life() {
    let lives: [(Int, String)] = [
      (-5, "0 seconds"), (0, "0 seconds"), (1, "1 second"), (119, "119 seconds"), (120, "2 minutes"),
      (899, "15 minutes"),
      (7199, "120 minutes"), (7200, "2 hours"), (86_400, "24 hours"), (172_800, "2 days"),
    ]
    for (seconds, text) in lives {
      #expect(MailTexts.life(from: Self.now, to: Self.now.advanced(by: .seconds(seconds))).english == text)
    }
  }

  @Test("every message of the mail catalogue is used in a mail")
  func sentences() {
    let said = MailKind.allCases.map { text($0, site: Self.site) }
    let all = said.map { $0.subject + "\n" + $0.body.replacing("\n", with: " ") }.joined(separator: "\n")
    let others: Set<MailMessageKey> = [.codeLifeDays, .codeLifeHours, .codeLifeMinutes, .codeLifeSeconds, .notFound]
    for sentence in MailMessageKey.allCases where !others.contains(sentence) {
      let rest = sentence.english.split(separator: "{").last.map { $0.split(separator: "}").last ?? "" } ?? ""
      #expect(all.contains(rest), "\(sentence.name)")
    }
  }

  private func language(_ tag: String, _ texts: [String: String]) throws -> Language {
    let tag = try #require(LanguageTag(tag))
    return Language(tag, chain: [MessageCatalog(tag, texts: try texts.mapValues { try Template($0) })])
  }

  @Test("in Chinese there are no spaces between sentences, and no line is wider than 72 columns")
  func chinese() throws {
    let chinese = try language(
      "zh",
      [
        "general.twoSentences": "{first}{second}", "mail.codeLife": "验证码在{life}内有效，即到 {until} 为止。",
        "mail.codeLifeMinutes": "{count} 分钟", "mail.codeSecret": String(repeating: "请勿将验证码告诉他人，", count: 5) + "好。",
      ])
    let lines = text(.registrationCode, in: chinese).body.split(separator: "\n")
    let life = try #require(lines.firstIndex { $0.hasPrefix("验证码在") })
    #expect(lines[life].hasPrefix("验证码在15 分钟内有效，即到 2026-11-21 "))
    #expect(lines[life].contains(" UTC 为止。请勿将"))
    for line in lines[life...(life + 2)] {
      #expect(line.unicodeScalars.reduce(0) { $0 + ($1.value > 0x2E80 ? 2 : 1) } <= 72, "\(line)")
      #expect(!"，。".contains(line.first ?? "，"), "\(line)")
    }
  }

  @Test("in Arabic each line starts at the right, and addresses and times keep their order")
  func arabic() throws {
    let arabic = try language(
      "ar",
      [
        "mail.passwordChangedWhat": "في {time} تغيّرت كلمة مرور الحساب ذي العنوان:",
        "mail.codeLifeMinutes": "{count, plural, few {# دقائق} many {# دقيقة} other {# دقيقة}}",
        "mail.codeLife": "{life} {until}",
      ])
    let notice = text(.passwordChanged, in: arabic).body.split(separator: "\n").map(String.init)
    #expect(notice[0] == "\u{200F}في \u{2068}\(Self.now.minute) UTC\u{2069} تغيّرت كلمة مرور الحساب ذي العنوان:")
    #expect(notice[1] == "\u{200F}    \u{2068}name@example.com\u{2069}")
    #expect(notice.allSatisfy { $0.hasPrefix("\u{200F}") })
    let end = text(.passwordChanged, site: Self.site, in: arabic).body.split(separator: "\n").suffix(2)
    #expect(end == ["\u{200F}This email was sent by Example.", "https://example.com/"], "no mark is in the URL")
    let code = text(.recoveryCode, in: arabic).body
    #expect(code.contains("\n\u{200F}    123456\n"), "a code is in one piece")
    #expect(code.contains("\n\u{200F}\u{2068}15\u{2069} دقيقة \u{2068}"))
  }

  @Test("the mail to an owner whose address is registered again states that nothing has changed")
  func tried() {
    #expect(
      text(.registrationTried).body == """
        At \(Self.now.minute) UTC, a new account was requested with this address:

            name@example.com

        You already have an account with this address. Nothing has changed: your
        account and its password are the same as before.

        If this was you, sign in to your existing account. If you have forgotten
        its password, request a new one where you sign in.

        If this was not you, you do not need to do anything.

        """)
  }

  @Test("a code mail names its purpose, address, code and validity, and what to do if someone else asked for it")
  func registration() {
    #expect(
      text(.registrationCode).subject == "Confirm your email address"
        && text(.registrationCode).body == """
          An account is being registered with this address:

              name@example.com

          If this is you, enter this code where you are registering:

              123456

          The code is valid for 15 minutes, until \(Self.now.advanced(by: .seconds(900)).minute) UTC. Do not
          share this code with anyone. Support staff never need it.

          If this is not you, ignore this email. Without the code, no account can
          be created with your address.

          """
    )
  }
}

extension MailKind {
  /// Whether such a mail contains a code.
  fileprivate var hasCode: Bool { isCode || self == .invitation }
}

extension Timestamp {
  /// `2026-11-22 14:32`.
  fileprivate var minute: String { String(rfc3339.prefix(16)).replacing("T", with: " ") }
}
