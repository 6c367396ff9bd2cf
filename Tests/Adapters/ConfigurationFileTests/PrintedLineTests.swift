import AddressNormalization
import ConfigurationFile
import Localization
import Registration
import TestDoubles
import TestKit
import Testing

/// Tests codes, invitations and addresses, pasted as they appear in the mails and in the terminal output of each
/// shipped language.
@Suite("Printed codes and addresses")
struct PrintedLineTests {
  static let tags = ["ar", "en", "es", "pt", "zh"]
  private static let site = MailTexts.Site(name: "例 Example", url: "https://example.com/")
  private static let addresses = ["name@example.com", "jürgen@bücher.example", "اسم@مثال.example"]

  private func language(_ tag: String) throws -> Language {
    let entries = try CatalogFile.entries("\(Places.root)/Config/messages/\(tag).yaml")
    let tag = try #require(LanguageTag(tag))
    let (catalog, problems) = MessageCatalog.read(entries, as: tag)
    #expect(problems.isEmpty)
    return Language(tag, chain: [catalog])
  }

  /// The lines of a mail as a mail program shows them.
  private func lines(_ kind: MailKind, to address: String, code: String, in language: Language) -> [String] {
    let mail = MailIntent(
      id: MailID(at: Fixtures.time), kind: kind, to: Fixtures.account(address).account.email, claim: nil, account: nil,
      language: nil, uid: 7, origin: nil, createdAt: Fixtures.time)
    let text = MailTexts.text(
      of: mail, code: MailTexts.Code(digits: code, until: Fixtures.time.advanced(by: .seconds(900))), site: Self.site,
      now: Fixtures.time, in: language, lines: UnicodeLineBreaker())
    return text.body.split(separator: "\n").map(String.init)
  }

  @Test("exactly one line of a mail is read as its code, with six, ten or twelve digits", arguments: tags)
  func codes(_ tag: String) throws {
    let language = try language(tag)
    for kind in MailKind.allCases where kind.isCode {
      for code in ["012345", "9876543210", "123456789012"] {
        let lines = lines(kind, to: "name@example.com", code: code, in: language)
        #expect(lines.count { ClaimCodes.digits(of: $0, code.count) == code } == 1, "\(kind) \(code): \(lines)")
      }
    }
  }

  @Test("each mail names the site, and the site's URL is its last line, without invisible characters", arguments: tags)
  func site(_ tag: String) throws {
    let language = try language(tag)
    for kind in MailKind.allCases {
      let lines = lines(kind, to: "name@example.com", code: "012345", in: language)
      #expect(lines.last == Self.site.url)
      #expect(lines.dropLast().last?.contains(Self.site.name) == true, "\(lines)")
    }
  }

  @Test("exactly one line of a mail is read as its invitation, and so is the code on a terminal", arguments: tags)
  func invitations(_ tag: String) throws {
    let (language, code) = (try language(tag), InvitationCode())
    let lines = lines(.invitation, to: "name@example.com", code: code.description, in: language)
    #expect(lines.count { InvitationCode($0) == code } == 1, "\(lines)")
    #expect(InvitationCode(HarmlessText.line(code.description)) == code)
  }

  @Test("exactly one line of each mail is read as its address", arguments: tags)
  func mailedAddresses(_ tag: String) throws {
    let (language, rules) = (try language(tag), EmailRules(normalizer: UnicodeNormalizer()))
    for address in Self.addresses {
      for kind in MailKind.allCases {
        let read = lines(kind, to: address, code: "012345", in: language).compactMap { try? rules.check($0).get() }
        #expect(read.map(\.typed) == [address], "\(kind): \(read)")
        #expect(read.first == (try? rules.check(address).get()))
      }
    }
  }

  @Test("an address in a terminal message is read with the invisible marks around it", arguments: tags)
  func saidAddresses(_ tag: String) throws {
    let (language, rules) = (try language(tag), EmailRules(normalizer: UnicodeNormalizer()))
    for address in Self.addresses {
      for key in [PromptMessageKey.codeOnItsWay, .codeIfAccount] {
        let said = language.text(of: LocalizedMessage(key, ["email": .text(address)]))
        let place = try #require(said.range(of: address))
        // including the invisible characters before and after it
        let before = said[..<place.lowerBound].unicodeScalars.suffix { $0.properties.isBidiControl }
        let after = said[place.upperBound...].unicodeScalars.prefix { $0.properties.isBidiControl }
        #expect(!language.tag.isRightToLeft || !before.isEmpty && !after.isEmpty)
        #expect((try? rules.check("\(before)\(address)\(after)").get())?.typed == address)
      }
    }
  }
}

extension String {
  fileprivate func range(of part: String) -> Range<String.Index>? { firstRange(of: part) }
}

extension Substring.UnicodeScalarView {
  fileprivate func suffix(_ belongs: (Unicode.Scalar) -> Bool) -> Substring {
    var start = endIndex
    while start > startIndex, belongs(self[index(before: start)]) { start = index(before: start) }
    return Substring(self[start...])
  }

  fileprivate func prefix(_ belongs: (Unicode.Scalar) -> Bool) -> Substring { Substring(prefix(while: belongs)) }
}
