import TestDoubles
import TestKit
import Testing

/// Compares the bounds in the article on shares with those in the code, in both directions. A bound is a number whose
/// name is `most…`, `maximum…`, `per…` or `capacity…`, or a member of a type whose name ends in `Bounds` or `Limits`.
@Suite("The article on shares")
struct SharesArticleTests {
  /// `limits.*` has a separate article and a separate test.
  private static let elsewhere = "Sources/Core/WireProtocols/Callers/Limits.swift"

  @Test("the article lists exactly the bounds in the code, with their numbers")
  func bounds() throws {
    let article = try #require(Article.named("Shares"))
    let documented = Set(
      article.text.matches(of: /`([A-Z]\w*\.[a-z]\w*)` ([0-9]+)/).map { "\($0.1) \($0.2)" })
    let real = Set(
      try ["Sources/Core", "Sources/Adapters", "Sources/Daemon"].flatMap { try SourceFiles.swift(in: $0) }
        .filter { $0.path != Self.elsewhere }.flatMap { Self.bounds(in: $0.text) })
    #expect(real.count > 40)
    #expect(documented.subtracting(real) == [], "only in the article")
    #expect(real.subtracting(documented) == [], "only in the code")
  }

  @Test("the table of lines and locks lists exactly the types in which callers of several users meet")
  func lines() throws {
    let article = try #require(Article.named("Shares"))
    let documented = Set(
      article.rows("types", "what waits there", "how it is shared").flatMap { Article.codes(in: $0[0]) })
    let real = Set(
      try ["Sources/Core", "Sources/System", "Sources/Adapters", "Sources/Daemon"]
        .flatMap { try SourceFiles.swift(in: $0) }.flatMap { Self.lines(in: $0.text) })
    #expect(real.count > 60)
    #expect(documented.subtracting(real) == [], "only in the article")
    #expect(real.subtracting(documented) == [], "only in the code: add a row that says how it is shared")
  }

  @Test(
    "a line or a lock is found by the type that contains it, and an actor by itself",
    arguments: [
      ("package actor Store {\n  let a = 1\n}", ["Store"]),
      (
        "final class Queue {\n  private struct State {\n    let x = 1\n  }\n  private let state = Mutex(State())\n}",
        ["Queue"]
      ),
      ("struct A: Sendable {\n  let line: FairSemaphore<UInt32?, Origin?>\n}", ["A"]),
      ("struct A {\n  private struct State {\n    var waiting = FairQueue<Int, Int, Int>()\n  }\n}", ["A"]),
      ("// let a = Mutex(1)\nstruct A {\n  let b = 2\n}", []),
      ("@usableFromInline package final class A: Sendable {\n  let state: Mutex<Int>\n}", ["A"]),
      ("struct A {\n  func b() {\n    let (c, d) = AsyncStream.makeStream(of: Int.self)\n  }\n}", ["A"]),
      ("struct A {\n  var waiting = Deque<Int>()\n}", ["A"]),
    ])
  func foundLines(source: String, types: [String]) { #expect(Self.lines(in: source) == types) }

  /// The outermost types that contain a line, a lock, threads or event loops, and actors.
  private static func lines(in source: String) -> [String] {
    var types: [(indentation: Int, name: String)] = []
    return source.split(separator: "\n").compactMap { line in
      guard line.split(separator: " ").contains(where: declaring.contains) else { return nil }
      let indentation = line.prefix { $0 == " " }.count
      if let type = line.firstMatch(of: /^[A-Za-z@() ]*\b(enum|struct|class|actor|extension) ([A-Z]\w*)/) {
        types.removeAll { $0.indentation >= indentation }
        types.append((indentation, String(type.2)))
        return type.1 == "actor" ? String(type.2) : nil
      }
      guard let type = types.first(where: { $0.indentation < indentation })?.name,
        line.firstMatch(of: /^ *(?:[a-z()]+ )*(?:let|var) [\w(]/) != nil,
        line.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).contains(where: keeping.contains)
      else { return nil }
      return type
    }
  }

  private static let keeping: Set<Substring> = [
    "Mutex", "FairSemaphore", "FairQueue", "GroupCommitQueue", "ChangeQueue", "RoundRobin", "Deque", "Heap",
    "ThreadExecutor", "WorkerThreads", "StartedThread", "RunningRounds", "Semaphore", "AsyncStream",
  ]

  @Test("each row states what the count is by, the limit, the effect of the limit, and who bears it")
  func rows() throws {
    let article = try #require(Article.named("Shares"))
    let rows = article.rows("resource", "counted by", "limit", "at the limit", "who bears it")
    #expect(rows.count > 20)
    for row in rows { #expect(row.allSatisfy { !$0.isEmpty }, "\(row)") }
  }

  @Test(
    "bounds are found by their names or by their types, with the type that contains them",
    arguments: [
      ("enum A {\n  static let mostRows = 1_000\n}", ["A.mostRows 1000"]),
      ("struct XBounds {\n  package var rows: Int = 2 << 3\n}", ["XBounds.rows 16"]),
      ("struct X {\n  var rows = 5\n}", []),
      (
        "struct X {\n  enum Y {\n    static let perUser = 7\n  }\n  static let most = 9\n}",
        ["Y.perUser 7", "X.most 9"]
      ),
      ("let table = Table(capacity: 32_768)", []),
      ("enum A {\n  static let mostRows = other\n}", []), ("struct A {\n  var capacity = 0\n}", []),
    ])
  func found(source: String, bounds: [String]) { #expect(Self.bounds(in: source) == bounds) }

  private static let declaring: Set<Substring> = ["enum", "struct", "class", "actor", "extension", "let", "var"]

  private static func bounds(in source: String) -> [String] {
    var types: [(indentation: Int, name: String)] = []
    return source.split(separator: "\n").compactMap { line in
      // A regular expression is slow, and most lines belong neither to a type nor to a member.
      guard line.split(separator: " ").contains(where: declaring.contains) else { return nil }
      let indentation = line.prefix { $0 == " " }.count
      if let type = line.firstMatch(of: /^[a-z@ ]*(?:enum|struct|class|actor|extension) ([A-Z]\w*)/) {
        types.removeAll { $0.indentation >= indentation }
        types.append((indentation, String(type.1)))
        return nil
      }
      guard let type = types.last(where: { $0.indentation < indentation })?.name,
        let member = line.firstMatch(of: /^ *(?:[a-z]+ )*(?:let|var) (\w+)(?:: \w+)? = ([0-9_]+)(?: << ([0-9]+))?$/),
        type.hasSuffix("Bounds") || type.hasSuffix("Limits")
          || member.1.prefixMatch(of: /most|maximum|per[A-Z]|capacity/) != nil,
        let number = Int(member.2.filter { $0 != "_" }), number > 0
      else { return nil }
      return "\(type).\(member.1) \(number << (member.3.flatMap { Int($0) } ?? 0))"
    }
  }
}
