package import Sentences

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

    /// A long one in groups, by hyphens: spaces would turn their order round between words of Arabic.
    var grouped: String {
      guard digits.count >= CodeBounds.longDigits else { return digits }
      let digits = Array(digits)
      return stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<min($0 + 4, digits.count)]) }
        .joined(separator: "-")
    }
  }

  package struct Text: Equatable, Sendable {
    package let subject: String
    /// Lines end with "\n".
    package let body: String
  }

  /// Columns of a line, long addresses aside (RFC 5322 section 2.1.1 wants 78 at the most).
  private static let width = 72

  /// - Parameters:
  ///   - code: That of the mail's claim; nil for notices.
  ///   - now: When it is sent.
  ///   - language: What it is written in.
  package static func text(
    of mail: MailIntent, code: Code?, now: Timestamp, in language: Language, lines: any LineBreaker
  ) -> Text {
    let page = Page(language: language, lines: lines)
    let times: KeyValuePairs<String, Sentence.Content> = [
      "time": .text(minute(mail.createdAt)), "until": .text(code.map { minute($0.until) } ?? ""),
      "life": code.map { .sentence(life(from: now, to: $0.until)) } ?? "",
    ]
    let paragraphs = parts(of: mail.kind).map { part in
      switch part {
      case .address: page.indented(language.tag.isRightToLeft ? "\u{2068}\(mail.to.typed)\u{2069}" : mail.to.typed)
      case .code: page.indented(code?.grouped ?? "")
      case .sentences(let first, let second):
        page.wrapped(
          second.map { Sentence(first, times).followed(by: Sentence($0, times)) } ?? Sentence(first, times))
      }
    }
    return Text(
      subject: language.text(of: Sentence(subject(of: mail.kind), times)), body: paragraphs.joined(separator: "\n"))
  }

  private enum Part {
    case address, code
    case sentences(MailSentence, MailSentence?)

    static func sentence(_ sentence: MailSentence) -> Part { .sentences(sentence, nil) }
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
        .sentence(.registrationTriedWhat), .address, .sentence(.registrationTriedUnchanged),
        .sentence(.registrationTriedYou), .sentence(.registrationTriedNotYou),
      ]
    case .passwordChanged:
      [
        .sentence(.passwordChangedWhat), .address, .sentence(.passwordChangedYou),
        .sentence(.passwordChangedNotYou),
      ]
    case .emailChanged:
      [.sentence(.emailChangedWhat), .address, .sentence(.emailChangedYou), .sentence(.emailChangedNotYou)]
    }
  }

  private static func parts(_ what: MailSentence, _ enter: MailSentence, _ notYou: MailSentence) -> [Part] {
    [
      .sentence(what), .address, .sentence(enter), .code, .sentences(.codeLife, .codeSecret),
      .sentence(notYou),
    ]
  }

  // MARK: Values

  /// To the nearest of the largest unit of which there are two or more.
  static func life(from now: Timestamp, to end: Timestamp) -> Sentence {
    let seconds = Int(max(0, (end.microseconds - now.microseconds) / 1_000_000))
    let units: [(MailSentence, Int)] = [(.codeLifeDays, 86_400), (.codeLifeHours, 3600), (.codeLifeMinutes, 60)]
    guard let (unit, length) = units.first(where: { seconds >= 2 * $0.1 }) else {
      return Sentence(MailSentence.codeLifeSeconds, ["count": .number(seconds)])
    }
    return Sentence(unit, ["count": .number((seconds + length / 2) / length)])
  }

  /// `2026-11-22 14:32 UTC`.
  private static func minute(_ time: Timestamp) -> String {
    let text = time.rfc3339
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
  }

  // MARK: Text

  /// Lines in a language.
  private struct Page {
    let language: Language
    let lines: any LineBreaker

    func indented(_ line: String) -> String { "\(beginning)    \(line)\n" }

    func wrapped(_ sentence: Sentence) -> String {
      lines.lines(language.text(of: sentence), width: width).map { "\(beginning)\($0)\n" }.joined()
    }

    /// RIGHT-TO-LEFT MARK: to a program that shows plain text each line is a paragraph, whose direction is that of its first letter
    /// (UAX #9, rules P2 and P3); that may be one of an address.
    private var beginning: String { language.tag.isRightToLeft ? "\u{200F}" : "" }
  }
}
