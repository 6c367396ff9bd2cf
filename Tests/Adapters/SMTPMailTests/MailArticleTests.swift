import Registration
import TestDoubles
import TestKit
import Testing

@testable import SMTPMail

/// Tests each row of the article's table against the code.
@Suite("The article on mail servers")
struct MailArticleTests {
  /// The outcomes of each row, in order.
  private static let rows: [[SMTPOutcome]] = [
    [.init(.broken), .init(.unconnected), .init(.broken, code: 250)],
    [.init(.untrusted), .init(.untrusted, code: 250)],
    [
      .init(.denied, code: 421), .init(.unauthorized, code: 454), .init(.denied, code: 450),
      .init(.denied, code: 452, isHandedOver: true),
    ],
    [.init(.unauthorized, code: 250)],
    [
      .init(.denied, code: 554), .init(.unauthorized, code: 535), .init(.denied, code: 550),
      .init(.denied, code: 554, isHandedOver: true),
    ],
    [.init(.unsupported, code: 250)],
    [.init(.outOfTime), .init(.outOfTime, code: 250)],
    [.init(.broken, code: 354, isHandedOver: true), .init(.outOfTime, code: 354, isHandedOver: true)],
    [.init(.whole, code: 250, isHandedOver: true)],
  ]

  @Test("the code agrees with each outcome in the article, and with whether it is tried again")
  func outcomes() throws {
    let documented = try #require(Article.named("Mail")).rows("what happened over SMTP", "outcome", "tried again")
    #expect(documented.count == Self.rows.count)
    for (row, outcomes) in zip(documented, Self.rows) {
      for outcome in outcomes {
        let failure = SMTPVerdict.failure(outcome)
        #expect(
          [row[1], row[2]] == ["`\(MailWords.word(failure))`", failure?.isTemporary == true ? "yes" : "no"], "\(row)")
      }
    }
  }
}
