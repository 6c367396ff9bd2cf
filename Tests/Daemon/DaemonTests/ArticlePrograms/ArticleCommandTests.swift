import RegdProcesses
import StoreConformance
import TestDoubles
import TestKit
import Testing

/// `Tests/Articles/play` finds the blocks and defines the meaning of their comments.
@Suite(
  "Commands of the articles, run in order on a machine with systemd", .blocking,
  .timeLimit(.minutes(10)))
struct ArticleCommandTests {
  /// The articles that have blocks. Every second part between fences is inside a block and begins with its language.
  private static let articles = Article.all.filter { article in
    article.text.replacing("\n```", with: "\u{0}").split(separator: "\u{0}", omittingEmptySubsequences: false)
      .enumerated()
      .contains { number, part in
        number % 2 == 0 ? part.contains("\n    ") : part.hasPrefix("\n") || part.hasPrefix("sh\n")
      }
  }.map(\.path).sorted()

  @Test(
    "each block has the documented result, or a mark with the reason why it is not run", .needsRoot,
    arguments: articles)
  func typed(path: String) async throws {
    let played = try await BootedSystemd.play("Tests/Articles/play", [path])
    #expect(try #require(played.facts, "\(played.output)") > 0, "\(played.output)")
  }

  private static let broken: [(text: String, says: String)] = [
    ("a:\n\n    true\n\nb:\n\n    true\n    false   # why\n", "FAIL at Broken:8: false"),
    ("```\nfalse\n```\n", "FAIL at Broken:2: false"), ("```sh\nfalse\n```\n", "FAIL at Broken:2: false"),
    ("1. in a list:\n\n       false\n", "FAIL at Broken:3: false"),
    ("<!-- run: false -->\n\n    true\n", "FAIL at Broken:3: run"),
    (
      "    regctl check a@example.com   # email.taken\n",
      "FAIL at Broken:1: regctl check a@example.com   # email.taken: it is not refused"
    ),
    ("    regctl account get a@example.com   # email.taken\n", "it is not refused as email.taken"),
    ("<!-- not a mark -->\n\n    false\n", "FAIL at Broken:3: false"),
  ]

  @Test(
    "a block without the documented result fails with its article and line",
    .needsRoot, arguments: broken)
  func red(text: String, says: String) async throws {
    try await withTemporaryDirectory { directory in
      try TextFile.write(text, to: "\(directory)/Broken.md")
      let played = try await BootedSystemd.play(
        "Tests/Articles/play", ["\(directory)/Broken.md"], options: ["--bind-ro", directory])
      #expect(played.facts == nil && played.output.contains(says), "\(played.output)")
    }
  }
}
