/// Makes what a mail says: plain text, and nothing in it that a caller has sent but the address. Never a link: a code is typed where it
/// was asked for, so that no robot which follows links proves an address.
package enum MailTexts {
  /// A code, as a mail tells it.
  package struct Code: Equatable, Sendable {
    let digits: String
    /// The end of its life.
    let until: Timestamp

    package init(digits: String, until: Timestamp) {
      self.digits = digits
      self.until = until
    }
  }

  package struct Text: Equatable, Sendable {
    package let subject: String
    /// Lines end with "\n".
    package let body: String
  }

  /// The only one that there is so far.
  package static let language = "en"

  /// Columns of a line, long addresses aside (RFC 5322 section 2.1.1 wants 78 at the most).
  private static let width = 72

  /// - Parameters:
  ///   - code: That of the mail's claim; nil for notices.
  ///   - now: When it is sent.
  package static func text(of mail: MailIntent, code: Code?, now: Timestamp) -> Text {
    let values = [
      "time": minute(mail.createdAt), "until": code.map { minute($0.until) } ?? "",
      "life": code.map { life(from: now, to: $0.until) } ?? "",
    ]
    func say(_ sentence: MailSentence) -> String { fill(sentence.english, values) }
    let paragraphs = parts(of: mail.kind).map { part in
      switch part {
      case .address: indented(mail.to.typed)
      case .code: indented(code?.digits ?? "")
      case .sentences(let sentences): wrapped(sentences.map(say).joined(separator: " "))
      }
    }
    return Text(subject: say(subject(of: mail.kind)), body: paragraphs.joined(separator: "\n"))
  }

  private enum Part {
    case address, code
    case sentences([MailSentence])
  }

  private static func subject(of kind: MailKind) -> MailSentence {
    switch kind {
    case .registrationCode: .registrationCodeSubject
    case .recoveryCode: .recoveryCodeSubject
    case .changeCode: .changeCodeSubject
    case .registrationTried: .registrationTriedSubject
    case .passwordChanged: .passwordChangedSubject
    case .emailChanged: .emailChangedSubject
    }
  }

  /// Its paragraphs, in their order.
  private static func parts(of kind: MailKind) -> [Part] {
    switch kind {
    case .registrationCode: parts(.registrationCodeWhat, .registrationCodeEnter, .registrationCodeNotYou)
    case .recoveryCode: parts(.recoveryCodeWhat, .recoveryCodeEnter, .recoveryCodeNotYou)
    case .changeCode: parts(.changeCodeWhat, .changeCodeEnter, .changeCodeNotYou)
    case .registrationTried:
      [
        .sentences([.registrationTriedWhat]), .address, .sentences([.registrationTriedUnchanged]),
        .sentences([.registrationTriedYou]), .sentences([.registrationTriedNotYou]),
      ]
    case .passwordChanged:
      [
        .sentences([.passwordChangedWhat]), .address, .sentences([.passwordChangedYou]),
        .sentences([.passwordChangedNotYou]),
      ]
    case .emailChanged:
      [.sentences([.emailChangedWhat]), .address, .sentences([.emailChangedYou]), .sentences([.emailChangedNotYou])]
    }
  }

  private static func parts(_ what: MailSentence, _ enter: MailSentence, _ notYou: MailSentence) -> [Part] {
    [
      .sentences([what]), .address, .sentences([enter]), .code, .sentences([.codeLife, .codeSecret]),
      .sentences([notYou]),
    ]
  }

  // MARK: Values

  /// To the nearest of the largest unit of which there are two or more; units by their symbols, which have no plural.
  static func life(from now: Timestamp, to end: Timestamp) -> String {
    let seconds = max(0, (end.microseconds - now.microseconds) / 1_000_000)
    let units: [(String, Int64)] = [("d", 86_400), ("h", 3600), ("min", 60)]
    guard let (unit, length) = units.first(where: { seconds >= 2 * $0.1 }) else { return "\(seconds) s" }
    return "\((seconds + length / 2) / length) \(unit)"
  }

  /// `2026-11-22 14:32 UTC`.
  private static func minute(_ time: Timestamp) -> String {
    let text = time.rfc3339
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
  }

  // MARK: Text

  /// Puts values where their names stand. A value is not looked through for names again.
  static func fill(_ template: String, _ values: [String: String]) -> String {
    var filled = ""
    var rest = Substring(template)
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      filled += rest[..<open]
      let name = String(rest[rest.index(after: open)..<close])
      filled += values[name] ?? String(rest[open...close])
      rest = rest[rest.index(after: close)...]
    }
    return filled + rest
  }

  private static func indented(_ line: String) -> String { "    \(line)\n" }

  private static func wrapped(_ paragraph: String) -> String {
    var lines: [String] = []
    for word in paragraph.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines.map { "\($0)\n" }.joined()
  }
}
