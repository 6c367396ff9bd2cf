import Localization
import Testing

@Suite("Plural rules")
struct PluralRulesTests {
  /// Samples of whole numbers from CLDR's plurals.xml, by language.
  static let samples: [(languages: String, samples: String)] = [
    ("ja zh ko vi th id tlh", "other 0~15 100 1000000"),
    ("en de sv nl tr el", "one 1 other 0 2~16 100 1000"),
    ("hi fa bn am hy zu pa", "one 0 1 other 2~17 100 1000000"),
    ("fr", "one 0 1 many 1000000 2000000 other 2~17 100 1000"),
    ("pt pt-BR", "one 0 1 many 1000000 other 2~17 100 1000"),
    ("pt-PT es ca it", "one 1 many 1000000 other 0 2~16 100 1000"),
    ("ar", "zero 0 one 1 two 2 few 3~10 103~110 1003 many 11~26 111 1011 other 100~102 200~202 300 1000 1000000"),
    ("he se", "one 1 two 2 other 0 3~17 100 1000"),
    ("is mk", "one 1 21 31 41 51 61 71 81 101 1001 other 0 2~16 100 1000"),
    ("fil tl", "one 0~3 5 7 8 10~13 15 17 18 20 21 100 other 4 6 9 14 16 19 24 26 104 1004"),
    ("lv", "zero 0 10~20 30 40 50 60 100 1000 one 1 21 31 41 51 61 71 81 101 1001 other 2~9 22~29 102 1002"),
    ("lt", "one 1 21 31 41 51 61 71 81 101 1001 few 2~9 22~29 102 1002 other 0 10~20 30 40 50 60 100 1000"),
    ("ro", "one 1 few 0 2~16 102 1002 other 20~35 100 1000"),
    ("hr sr bs", "one 1 21 31 101 1001 few 2~4 22~24 32~34 102 1002 other 0 5~19 100 1000"),
    ("ru uk be", "one 1 21 31 41 101 1001 few 2~4 22~24 32~34 102 1002 many 0 5~19 100 1000 1000000"),
    ("pl", "one 1 few 2~4 22~24 32~34 102 1002 many 0 5~19 100 1000 21 31 101 1001"),
    ("cs sk", "one 1 few 2~4 other 0 5~19 100 1000"),
    ("sl", "one 1 101 201 1001 two 2 102 202 1002 few 3 4 103 104 1003 other 0 5~19 100 1000"),
    ("gd", "one 1 11 two 2 12 few 3~10 13~19 other 0 20~34 100 1000"),
    ("ga", "one 1 two 2 few 3~6 many 7~10 other 0 11~25 100 1000"),
    ("cy", "zero 0 one 1 two 2 few 3 many 6 other 4 5 7~20 100 1000"),
    ("mt", "one 1 two 2 few 0 3~10 103~109 1003 many 11~19 111~117 1011 other 20~35 100 1000"),
    ("gv", "one 1 11 21 31 1001 two 2 12 22 1002 few 0 20 40 60 80 100 1000 other 3~10 13~19 23 103 1003"),
    (
      "br",
      "one 1 21 31 41 51 61 81 101 1001 two 2 22 32 62 82 102 1002 few 3 4 9 23 24 29 83 103 1003 many 1000000 other 0 5~8 10~20 100 71 72 91 1000"
    ),
    (
      "kw",
      "zero 0 one 1 two 2 22 42 62 82 102 1000 10000 100000 few 3 23 43 63 83 103 1003 many 21 41 61 81 101 1001 other 4~19 100 1004 1000000"
    ),
    ("shi", "one 0 1 few 2~10 other 11~26 100 1000"), ("tzm", "one 0 1 11~24 other 2~10 100~106 1000"),
    ("ksh", "zero 0 one 1 other 2~17 100"),
  ]

  @Test("a number has the plural form of CLDR's samples", arguments: samples.indices)
  func categories(_ index: Int) throws {
    for language in Self.samples[index].languages.split(separator: " ") {
      let rules = PluralRules(try #require(LanguageTag(language)))
      var category: PluralCategory?
      var seen: Set<PluralCategory> = [.other]
      for word in Self.samples[index].samples.split(separator: " ") {
        if let next = PluralCategory(rawValue: String(word)) {
          category = next
          seen.insert(next)
          continue
        }
        let bounds = word.split(separator: "~").compactMap { Int($0) }
        for number in try #require(bounds.first)...(try #require(bounds.last)) {
          #expect(rules.category(of: number) == category, "\(language) \(number)")
        }
      }
      #expect(rules.categories == PluralCategory.allCases.filter(seen.contains), "\(language)")
    }
  }
}
