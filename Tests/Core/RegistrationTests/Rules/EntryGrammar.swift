import AddressNormalization
import StoreConformance
import TestDoubles

@testable import Registration

/// A string as typed, the same string in NFD, and an address in another case.
struct Spelled {
  var typed = ""
  var decomposed = ""
  var otherCase = ""

  init() {}

  init(_ typed: String, _ decomposed: String? = nil, otherCase: String? = nil) {
    self.typed = typed
    self.decomposed = decomposed ?? typed
    self.otherCase = otherCase ?? typed
  }

  static func + (one: Spelled, other: Spelled) -> Spelled {
    Spelled(
      one.typed + other.typed, one.decomposed + other.decomposed, otherCase: one.otherCase + other.otherCase)
  }

  func repeated(_ count: Int) -> Spelled {
    (0..<max(0, count)).reduce(into: Spelled()) { text, _ in text = text + self }
  }
}

/// The input of a form, with all its spellings that must get the same verdict. Nil is a missing field.
struct SpelledEntry: CustomStringConvertible {
  var email: Spelled?
  var password: Spelled?
  var confirmation: Spelled?

  private static let normalizer = UnicodeNormalizer()

  static func composed(_ text: String) -> String {
    String(decoding: Array(text.utf8).withUnsafeBytes { normalizer.composed($0) }, as: UTF8.self)
  }

  /// Converts a password as regd does with input from the wire: to NFC.
  static func password(_ text: String) -> Password { Fixtures.password(composed(text)) }

  func entry(_ form: (Spelled) -> String = { $0.typed }) -> RegistrationEntry {
    RegistrationEntry(
      email: email.map(form), password: password.map { Self.password(form($0)) },
      passwordConfirmation: confirmation.map { Self.password(form($0)) })
  }

  var description: String {
    let fields = [email, password, confirmation].map { $0.map { "\"\(StoreConformance.escaped($0.typed))\"" } ?? "nil" }
    return "email \(fields[0]), password \(fields[1]), confirmation \(fields[2])"
  }
}

/// Makes entries near the limits of every rule, from pieces that have caused trouble before.
struct EntryGrammar {
  private var random: SeededGenerator
  /// Whether the entry is ASCII only. Most people type such entries, and they have a fast path.
  private var isPlain = false
  let rules: RegistrationRules

  init(seed: Int, rules: RegistrationRules) {
    random = SeededGenerator(seed: UInt64(seed))
    self.rules = rules
  }

  mutating func next() -> SpelledEntry {
    isPlain = chance(30)
    let email = email()
    let password = password(email)
    return SpelledEntry(email: email, password: password, confirmation: confirmation(password))
  }

  // MARK: Choosing

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  private mutating func some(_ pieces: [Spelled], _ count: ClosedRange<Int>) -> Spelled {
    (0..<Int.random(in: count, using: &random)).reduce(into: Spelled()) { text, _ in text = text + pick(pieces) }
  }

  /// The pieces that may be chosen now.
  private func open(_ pieces: [Spelled]) -> [Spelled] {
    isPlain ? pieces.filter { $0.typed.utf8.allSatisfy { $0 < 0x80 } } : pieces
  }

  // MARK: Addresses

  private static let tame: [Spelled] = [
    Spelled("a", otherCase: "A"), Spelled("Zo", otherCase: "zO"), Spelled("7"),
    Spelled("é", "e\u{301}", otherCase: "É"),
    Spelled("Ộ", "O\u{323}\u{302}", otherCase: "ộ"), Spelled("각", "\u{1100}\u{1161}\u{11A8}"),
    Spelled("ß", otherCase: "SS"), Spelled("Σ", otherCase: "ς"), Spelled("σ", otherCase: "ς"), Spelled("\u{131}"),
    Spelled("\u{130}", "I\u{307}", otherCase: "i\u{307}"), Spelled("\u{FB01}", otherCase: "FI"),
    Spelled("ｗ", otherCase: "Ｗ"), Spelled("\u{1F84}", "α\u{313}\u{301}\u{345}", otherCase: "\u{1F8C}"),
    Spelled("\u{149}"), Spelled("\u{2260}", "=\u{338}"), Spelled("\u{263A}"), Spelled("+"), Spelled("_"), Spelled("-"),
    Spelled("ёж", "е\u{308}ж", otherCase: "ЁЖ"), Spelled("用户"), Spelled("\u{1F79}", "ο\u{301}", otherCase: "Ό"),
  ]

  private static let wild: [Spelled] = [
    Spelled("."), Spelled(".."), Spelled(" "), Spelled("\""), Spelled("\u{0}"), Spelled("\n"), Spelled("\u{7F}"),
    Spelled("@"), Spelled("＠"), Spelled("\u{200B}"), Spelled("\u{FE0F}"), Spelled("\u{226E}", "<\u{338}"),
    Spelled("\u{37E}", ";"), Spelled("\u{B4}"), Spelled("\u{33C2}"), Spelled("\u{3002}"), Spelled("\u{FDFA}"),
    Spelled("\u{337F}"), Spelled("\u{301}"), Spelled("\u{E000}"),
  ]

  private static let domains: [Spelled] = [
    Spelled("example.com", otherCase: "EXAMPLE.com"), Spelled("b\u{FC}cher.example", "bu\u{308}cher.example"),
    Spelled("xn--bcher-kva.example", otherCase: "XN--Bcher-KVA.example"), Spelled("straße.example"),
    Spelled("例子.广告"), Spelled("例子\u{3002}广告"), Spelled("mail.Example.com", otherCase: "MAIL.eXAMPLE.COM"),
    Spelled("x\u{1FB4}.example", "xα\u{301}\u{345}.example"), Spelled("한.example", "\u{1112}\u{1161}\u{11AB}.example"),
    Spelled("１２.example"), Spelled("a-b.c-d.example"),
  ]

  private static let noDomains: [Spelled] = [
    Spelled(""), Spelled("localhost"), Spelled("example.com."), Spelled("a..b"), Spelled("-a.example"),
    Spelled("x_y.example"), Spelled("127.0.0.1"), Spelled("x.123"), Spelled("\u{263A}.example"),
    Spelled("a\u{2260}b.example", "a=\u{338}b.example"), Spelled("xn--zz--.example"), Spelled("a b.example"),
    Spelled("\u{0}.example"), Spelled("[::1]"),
  ]

  private mutating func email() -> Spelled? {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<2: nil
    case 2..<4: Spelled()
    case 4..<7: some(open(Self.tame + Self.wild), 1...6)
    default: local() + Spelled("@") + domain()
    }
  }

  private mutating func local() -> Spelled {
    if chance(3) { return Spelled() }
    if chance(12) {
      // about as many bytes as are allowed, in one normal form or the other
      let piece = pick(open(Self.tame))
      let bytes = pick([piece.typed, piece.decomposed]).utf8.count
      return piece.repeated(64 / bytes) + Spelled(String(repeating: "x", count: Int.random(in: 0...4, using: &random)))
    }
    var text = some(open(Self.tame), 1...6)
    if chance(20) { text = text + Spelled(".") + some(open(Self.tame), 1...3) }
    return chance(15) ? text + pick(open(Self.wild)) + some(open(Self.tame), 0...2) : text
  }

  private mutating func domain() -> Spelled {
    if chance(10) {
      let label = Spelled(String(repeating: "d", count: Int.random(in: 61...64, using: &random)) + ".")
      return label.repeated(Int.random(in: 1...4, using: &random)) + pick(open(Self.domains))
    }
    return pick(open(chance(12) ? Self.noDomains : Self.domains))
  }

  // MARK: Passwords

  private static let common = ["password", "PassWord1", "ｐａｓｓｗｏｒｄ", "123456", "trustno1", "ILOVEYOU", "12345678"]

  private static let letters: [Spelled] = [
    Spelled("x"), Spelled("Q"), Spelled(" "), Spelled("é", "e\u{301}"), Spelled("각", "\u{1100}\u{1161}\u{11A8}"),
    Spelled("\u{1F600}"), Spelled("\u{0}"), Spelled("\t"), Spelled("\u{7F}"), Spelled("\u{200D}"), Spelled("ß"),
  ]

  private mutating func password(_ email: Spelled?) -> Spelled? {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<3: return nil
    case 3..<6: return Spelled()
    case 6..<14: return Spelled(pick(Self.common))
    case 14..<32: return part(of: email ?? Spelled("name@example.com"))
    case 32..<50:
      let bounds = rules.password.rules.compactMap { rule -> Int? in
        if case .minimumLength(let length) = rule { return length }
        if case .maximumLength(let length) = rule { return length }
        return nil
      }
      let bound = pick(bounds)
      return pick(open(Self.letters)).repeated(bound + Int.random(in: -1...1, using: &random))
    default: return some(open(Self.letters), 6...20)
    }
  }

  /// The address or a part of it, in another case or another width, or with something more.
  private mutating func part(of email: Spelled) -> Spelled {
    let sides = email.typed.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    let domain = sides.last ?? ""
    let label = domain.split(separator: ".").first.map(String.init) ?? ""
    let whole = pick([email, email, Spelled(sides.first ?? ""), Spelled(domain), Spelled(label)])
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return Spelled(whole.typed.uppercased())
    case 1: return Spelled(Self.wide(whole.typed))
    case 2: return Spelled(whole.decomposed, whole.typed)
    case 3: return whole + Spelled("1")
    default: return whole
    }
  }

  private static func wide(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { wide, scalar in
      let isNarrow = ("!"..."~").contains(scalar)
      wide.unicodeScalars.append(isNarrow ? Unicode.Scalar(scalar.value + 0xFEE0) ?? scalar : scalar)
    }
  }

  private mutating func confirmation(_ password: Spelled?) -> Spelled? {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: nil
    case 1: Spelled()
    case 2: (password ?? Spelled()) + Spelled("x")
    case 3: Spelled("another fine phrase")
    case 4...6: password.map { Spelled($0.decomposed, $0.typed) }
    default: password
    }
  }
}
