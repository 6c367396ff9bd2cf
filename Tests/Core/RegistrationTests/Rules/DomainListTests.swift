import AddressNormalization
import Testing

@testable import Registration

/// Lists of domains as operators write them, and their contents.
@Suite("Lists of domains")
struct DomainListTests {
  /// Reads a text that comes in pieces of this many bytes.
  private func read(_ text: [UInt8], pieces: Int = .max) -> (list: DomainList, problems: [DomainListReader.Problem]) {
    var reader = DomainListReader(normalizer: UnicodeNormalizer())
    var rest = text[...]
    while !rest.isEmpty {
      rest.prefix(pieces).withUnsafeBytes { reader.take($0) }
      rest = rest.dropFirst(pieces)
    }
    return reader.finish()
  }

  /// Texts, the domains in them, and the numbers of the lines that are not domains.
  private static let texts: [(text: String, domains: [String], wrong: [Int])] = [
    ("", [], []), ("\n\n", [], []), ("a.example", ["a.example"], []), ("a.example\n", ["a.example"], []),
    ("\u{FEFF}a.example\nb.example", ["a.example", "b.example"], []), ("\u{FEFF}", [], []), ("\u{FEFF}\n", [], []),
    ("\u{FEFF} # a\n", [], []), ("a.example\r\nb.example\r\n\r\n", ["a.example", "b.example"], []),
    (" \ta.example \u{B}\u{C}\n\t\n", ["a.example"], []),
    ("\u{A0}a.example\u{3000}\n\u{2003}\n\u{A0}# é\n", ["a.example"], []),
    ("# a comment\n  # another\n#a.example\na.example", ["a.example"], []),
    ("A.EXAMPLE\nBücher.Example\nXN--P1AI", ["a.example", "xn--bcher-kva.example", "xn--p1ai"], []),
    ("bücher.example\nxn--bcher-kva.example\nBÜCHER.example", ["xn--bcher-kva.example"], []),
    ("bu\u{308}cher.example\nexample。org", ["xn--bcher-kva.example", "example.org"], []),
    ("com\nab--cd.example\n1.example", ["com", "ab--cd.example", "1.example"], []),
    ("a.example # spam", [], [1]), ("a.example b.example", [], [1]), ("a.example\rb.example", [], [1]),
    ("ok.example\n\n*.a.example\n# c\n.b.example\nc.example.\n", ["ok.example"], [3, 5, 6]),
    (
      "@a.example\na@b.example\na_b.example\n-a.example\na..b\n127.0.0.1\n0.0.0.0 a.example", [], [1, 2, 3, 4, 5, 6, 7]
    ),
    ("xn--zz--.example\nxn--a.example\nexa\u{2260}mple.org\n", [], [1, 2, 3]),
    ("a.example\0\nb.example", ["b.example"], [1]), ("\u{FEFF}\u{FEFF}.\n", [], [1]),
    ("\(String(repeating: "a", count: 64)).example", [], [1]),
    ("\(String(repeating: "abcdefghi.", count: 25))abc", ["\(String(repeating: "abcdefghi.", count: 25))abc"], []),
    ("\(String(repeating: "abcdefghi.", count: 25))abcd", [], [1]),
    ("#\(String(repeating: "x ", count: 9000))\na.example", ["a.example"], []),
    ("\(String(repeating: " ", count: 9000))a.example\(String(repeating: " ", count: 9000))\n", ["a.example"], []),
    ("a.example\(String(repeating: " ", count: 9000))b\nb.example", ["b.example"], [1]),
    ("\(String(repeating: "用", count: 9000))\nb.example", ["b.example"], [1]),
  ]

  @Test(
    "a list has one domain per line and nothing else, however the text is split",
    arguments: texts.indices, [1, 2, 7, 4096, .max])
  func format(_ index: Int, pieces: Int) {
    let (text, domains, wrong) = Self.texts[index]
    let (list, problems) = read(Array(text.utf8), pieces: pieces)
    #expect(list == DomainList(domains))
    #expect(list.count == domains.count)
    #expect(problems.map(\.line) == wrong)
    // each problem contains its line's text, cut off
    #expect(problems.allSatisfy { ($0.text?.count ?? 101) <= 100 })
  }

  @Test("a line that is not UTF-8 is reported with its number")
  func notText() {
    let (list, problems) = read(Array("a.example\n".utf8) + [0x62, 0xFC, 0x63, 0x0A] + Array("c.example".utf8))
    #expect(problems == [.init(line: 2, text: nil)])
    #expect(list == DomainList(["a.example", "c.example"]))
    #expect(!read([0xFF, 0xFE, 0x61, 0x00]).problems.isEmpty)
  }

  @Test("lists with the same domains are equal, in any order and number")
  func equal() {
    #expect(DomainList(["a.b", "c.d", "a.b"]) == DomainList(["c.d", "a.b"]))
    #expect(DomainList(["a.b"]) != DomainList(["a.c"]))
  }

  @Test(
    "for random names, a list agrees with a set of strings", arguments: [0, 1, 2, 15, 16, 17, 31, 32, 33, 1000, 20_000])
  func random(_ count: Int) {
    func name(_ labels: Int) -> String {
      (0..<labels).map { _ in String(Int.random(in: 0..<max(2, count / 50)), radix: 36) + "x" }.joined(separator: ".")
    }
    let names = (0..<count).map { _ in name(Int.random(in: 2...4)) }
    let (list, known) = (DomainList(names), Set(names))
    #expect(list.count == known.count)
    #expect(names.allSatisfy { list.covers($0) && list.covers("y.\($0)") && list.covers("y.z.\($0)") })
    for _ in 0..<2000 {
      let asked = name(Int.random(in: 1...6))
      let labels = asked.split(separator: ".")
      let isCovered = labels.indices.contains { known.contains(labels[$0...].joined(separator: ".")) }
      #expect(list.covers(asked) == isCovered, "\(asked)")
    }
  }

  @Test("a long list covers only its names and their subdomains, also names with many labels")
  func long() {
    let count = 20_000
    let text = Array((0..<count).map { "host-\($0 &* 7919 % count).domain-\($0).example\n" }.joined().utf8)
    let list = read(text, pieces: 65_536).list
    #expect(list.count == count)
    func covers(_ name: String) -> Bool { Array(name.utf8).withUnsafeBytes { list.covers($0) } }
    for number in stride(from: 0, to: count, by: 97) {
      let name = "host-\(number &* 7919 % count).domain-\(number).example"
      #expect(covers(name) && covers("sub.\(name)"), "\(name)")
      #expect(!covers("domain-\(number).example") && !covers("other.domain-\(number).example"), "\(number)")
    }
    #expect(!covers(String(repeating: "a.", count: 122) + "example"))
  }
}
