import TestDoubles
import TestKit
import Testing

@testable import Daemon

/// Compares the table of log messages with the journal's catalogue and the article.
@Suite("Log: messages")
struct LogMessageTests {
  @Test("each message has its own id of 128 bits")
  func ids() {
    #expect(Set(LogMessage.allCases.map(\.id)).count == LogMessage.allCases.count)
    for message in LogMessage.allCases {
      #expect(message.id.wholeMatch(of: /[0-9a-f]{32}/) != nil, "\(message)")
      #expect(!message.text.isEmpty)
    }
  }

  @Test("the journal's catalogue explains each message, and no other")
  func catalog() throws {
    let text = try #require(Article.file("systemd/regd.catalog"))
    let entries = text.split(separator: "\n-- ").map { entry in
      entry.hasPrefix("-- ") ? entry.dropFirst(3) : entry
    }.filter { !$0.hasPrefix("#") }
    #expect(Set(entries.map { String($0.prefix(32)) }) == Set(LogMessage.allCases.map(\.id)))
    #expect(entries.count == LogMessage.allCases.count)
    for entry in entries {
      let parts = entry.split(separator: "\n\n", maxSplits: 1)
      #expect(
        parts.count == 2 && parts[0].contains("\nSubject: ") && parts[0].contains("\nDefined-By: regd"), "\(entry)")
      #expect((parts.last?.count ?? 0) > 40, "\(entry)")
    }
  }

  @Test("the article lists exactly the messages of the code, by level")
  func article() throws {
    let rows = try #require(Article.named("Observing")).rows("level", "message", "MESSAGE_ID")
    let documented = rows.map {
      "\($0[0]) \(Article.codes(in: $0[1]).first ?? "") \(Article.codes(in: $0[2]).joined())"
    }
    let real = LogMessage.allCases.map { "\($0.level) \($0.text) \($0.id)" }
    #expect(documented.sorted() == real.sorted())
  }
}
