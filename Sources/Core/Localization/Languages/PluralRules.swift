/// The plural form for a number (CLDR, "Language Plural Rules", for whole numbers).
package enum PluralCategory: String, Sendable, CaseIterable {
  case zero, one, two, few, many, other
}

package struct PluralRules: Sendable {
  /// The language's family, or nil if the language has only `other`.
  private let family: PluralFamily?

  /// - Parameter language: A language without rules in CLDR has only `other`.
  package init(_ language: LanguageTag) {
    // European Portuguese is the only regional variant whose rules differ from those of its language
    let isPortugal = language.primary == "pt" && language.subtags.contains("PT")
    family = isPortugal ? .italian : PluralFamily.byLanguage[language.primary]
  }

  /// The forms that a text in this language should have, in CLDR's order: those that whole numbers need, and `other`, which
  /// every text has.
  package var categories: [PluralCategory] {
    switch family {
    case nil: [.other]
    case .one, .zeroAndOne, .filipino, .icelandic, .tamazight: [.one, .other]
    case .hebrew, .sami: [.one, .two, .other]
    case .czech, .lithuanian, .romanian, .serbian, .tachelhit: [.one, .few, .other]
    case .french, .italian, .portuguese: [.one, .many, .other]
    case .latvian, .zeroOne: [.zero, .one, .other]
    case .gaelic, .manx, .slovenian: [.one, .two, .few, .other]
    case .eastSlavic, .polish: [.one, .few, .many, .other]
    case .breton, .irish, .maltese: [.one, .two, .few, .many, .other]
    case .arabic, .cornish, .welsh: PluralCategory.allCases
    }
  }

  package func category(of number: Int) -> PluralCategory {
    let n = number.magnitude
    return switch family {
    case nil: .other
    case .one: n == 1 ? .one : .other
    case .zeroAndOne: n <= 1 ? .one : .other
    case .zeroOne: n == 0 ? .zero : n == 1 ? .one : .other
    case .tamazight: n <= 1 || 11...99 ~= n ? .one : .other
    case .tachelhit: n <= 1 ? .one : n <= 10 ? .few : .other
    case .filipino: [4, 6, 9].contains(n % 10) ? .other : .one
    case .icelandic: n % 10 == 1 && n % 100 != 11 ? .one : .other
    case .hebrew, .sami: n == 1 ? .one : n == 2 ? .two : .other
    case .french, .portuguese: n <= 1 ? .one : isMillions(n) ? .many : .other
    case .italian: n == 1 ? .one : isMillions(n) ? .many : .other
    case .czech: n == 1 ? .one : 2...4 ~= n ? .few : .other
    case .romanian: n == 1 ? .one : n == 0 || 1...19 ~= n % 100 ? .few : .other
    case .latvian: n % 10 == 0 || 11...19 ~= n % 100 ? .zero : n % 10 == 1 ? .one : .other
    case .lithuanian: 11...19 ~= n % 100 || n % 10 == 0 ? .other : n % 10 == 1 ? .one : .few
    case .serbian: slavic(n, rest: .other)
    case .eastSlavic: slavic(n, rest: .many)
    case .polish: n == 1 ? .one : n % 10 == 1 ? .many : slavic(n, rest: .many)
    case .slovenian: n % 100 == 1 ? .one : n % 100 == 2 ? .two : 3...4 ~= n % 100 ? .few : .other
    case .gaelic: n == 1 || n == 11 ? .one : n == 2 || n == 12 ? .two : 3...19 ~= n ? .few : .other
    case .irish: n == 1 ? .one : n == 2 ? .two : 3...6 ~= n ? .few : 7...10 ~= n ? .many : .other
    case .manx: n % 10 == 1 ? .one : n % 10 == 2 ? .two : n % 20 == 0 ? .few : .other
    case .maltese: n == 1 ? .one : n == 2 ? .two : n == 0 ? .few : hundreds(n)
    case .arabic: n == 0 ? .zero : n == 1 ? .one : n == 2 ? .two : arabicHundreds(n)
    case .welsh: [0: .zero, 1: .one, 2: .two, 3: .few, 6: .many][n] ?? .other
    case .breton: breton(n)
    case .cornish: cornish(n)
    }
  }

  private func isMillions(_ n: UInt) -> Bool { n != 0 && n % 1_000_000 == 0 }

  private func slavic(_ n: UInt, rest: PluralCategory) -> PluralCategory {
    if 11...14 ~= n % 100 { return rest }
    return n % 10 == 1 ? .one : 2...4 ~= n % 10 ? .few : rest
  }

  /// Maltese: the form of a number above 2, by its last two digits.
  private func hundreds(_ n: UInt) -> PluralCategory {
    3...10 ~= n % 100 ? .few : 11...19 ~= n % 100 ? .many : .other
  }

  private func arabicHundreds(_ n: UInt) -> PluralCategory {
    3...10 ~= n % 100 ? .few : n % 100 >= 11 ? .many : .other
  }

  private func breton(_ n: UInt) -> PluralCategory {
    // 11 to 19, 71 to 79 and 91 to 99 have forms of their own
    let isTeen = [1, 7, 9].contains(n % 100 / 10)
    if isMillions(n) { return .many }
    return switch n % 10 {
    case 1 where !isTeen: .one
    case 2 where !isTeen: .two
    case 3 where !isTeen, 4 where !isTeen, 9 where !isTeen: .few
    default: .other
    }
  }

  private func cornish(_ n: UInt) -> PluralCategory {
    if n == 0 { return .zero }
    if n == 1 { return .one }
    let score = n % 100 % 20
    let thousands = n % 100_000 / 1000
    let isTwo =
      n % 1000 == 0 && (1...20 ~= thousands || [40, 60, 80].contains(thousands)) || n % 1_000_000 == 100_000
    if score == 2 || isTwo { return .two }
    return score == 3 ? .few : score == 1 ? .many : .other
  }
}
