package import Localization

/// Writes the texts of mails: plain text, with nothing from a caller except the address. The only link in a text is the
/// operator's `site.url`, which is the same in all mails: the person types the code, so that no robot that follows links can
/// prove an address.
package enum MailTexts {
  /// A code as it appears in the text of a mail.
  package struct Code: Equatable, Sendable {
    let digits: String
    /// The time at which the code expires.
    let until: Timestamp

    package init(digits: String, until: Timestamp) {
      self.digits = digits
      self.until = until
    }

    /// A long code is grouped by hyphens, because spaces would reverse the order of the groups between Arabic words. An
    /// invitation's code is not grouped, because hyphens between digits and letters would reverse the order too.
    var grouped: String {
      guard digits.count == CodeBounds.longDigits else { return digits }
      let digits = Array(digits)
      return stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<min($0 + 4, digits.count)]) }
        .joined(separator: "-")
    }
  }

  /// The operator's site, as mails name it.
  package struct Site: Equatable, Sendable {
    /// The value of the key `site.name`, one line, or "" for none.
    package let name: String
    /// The value of the key `site.url`, one line, or "" for none.
    package let url: String

    package init(name: String = "", url: String = "") {
      self.name = name
      self.url = url
    }

    /// The values for the places of a text in a mail: the site's, which each text may use, and the others.
    fileprivate func values(
      and others: KeyValuePairs<String, LocalizedMessage.Content>
    ) -> [(name: String, content: LocalizedMessage.Content)] {
      let own: [(name: String, content: LocalizedMessage.Content)] = [("site", .text(name)), ("siteURL", .text(url))]
      return own + others.map { (name: $0.key, content: $0.value) }
    }
  }

  package struct Text: Equatable, Sendable {
    package let subject: String
    /// Lines end with "\n".
    package let body: String
  }

  /// The most columns of a line, except for long addresses (RFC 5322 section 2.1.1 recommends at most 78).
  private static let width = 72

  /// - Parameters:
  ///   - code: The code of the mail's claim, or nil for notices.
  ///   - site: The site that the mail names.
  ///   - now: When the mail is sent.
  ///   - language: The language of the text.
  package static func text(
    of mail: MailIntent, code: Code?, site: Site = Site(), now: Timestamp, in language: Language,
    lines: any LineBreaker
  ) -> Text {
    let page = Page(language: language, lines: lines)
    let values = site.values(and: [
      "time": .text(minute(mail.createdAt)), "until": .text(code.map { minute($0.until) } ?? ""),
      "life": code.map { .sentence(life(from: now, to: $0.until, of: site)) } ?? "",
    ])
    var paragraphs = parts(of: mail.kind).map { part in
      switch part {
      case .address: page.indented(language.tag.isRightToLeft ? "\u{2068}\(mail.to.typed)\u{2069}" : mail.to.typed)
      case .code: page.indented(code?.grouped ?? "")
      case .sentences(let first, let second):
        page.wrapped(
          second.map { LocalizedMessage(first, values: values).followed(by: LocalizedMessage($0, values: values)) }
            ?? LocalizedMessage(first, values: values))
      }
    }
    // the URL has no margin and no marks of direction around it, which mail programs would take for a part of it
    paragraphs.append(
      (site.name.isEmpty ? "" : page.wrapped(LocalizedMessage(MailMessageKey.site, values: values)))
        + (site.url.isEmpty ? "" : "\(site.url)\n"))
    return Text(
      subject: language.text(of: LocalizedMessage(subject(of: mail.kind), values: values)),
      body: paragraphs.filter { !$0.isEmpty }.joined(separator: "\n"))
  }

  private enum Part {
    case address, code
    case sentences(MailMessageKey, MailMessageKey?)

    static func sentence(_ sentence: MailMessageKey) -> Part { .sentences(sentence, nil) }
  }

  private static func subject(of kind: MailKind) -> MailMessageKey {
    switch kind {
    case .registrationCode: .registrationCodeSubject
    case .recoveryCode: .recoveryCodeSubject
    case .changeCode: .changeCodeSubject
    case .registrationTried: .registrationTriedSubject
    case .passwordChanged: .passwordChangedSubject
    case .emailChanged: .emailChangedSubject
    case .invitation: .invitationSubject
    case .accountWaiting: .accountWaitingSubject
    case .accountApproved: .accountApprovedSubject
    case .accountRefused: .accountRefusedSubject
    }
  }

  /// The paragraphs of a mail, in order.
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
    case .invitation: parts(.invitationWhat, .invitationEnter, .invitationNotYou)
    case .accountWaiting: [.sentence(.accountWaitingWhat), .address, .sentence(.accountWaitingThen)]
    case .accountApproved: [.sentence(.accountApprovedWhat), .address, .sentence(.accountApprovedThen)]
    case .accountRefused: [.sentence(.accountRefusedWhat), .address, .sentence(.accountRefusedThen)]
    }
  }

  private static func parts(_ what: MailMessageKey, _ enter: MailMessageKey, _ notYou: MailMessageKey) -> [Part] {
    [
      .sentence(what), .address, .sentence(enter), .code, .sentences(.codeLife, .codeSecret),
      .sentence(notYou),
    ]
  }

  // MARK: Values

  /// The time from `now` to `end`, rounded to the largest unit that fits in it twice.
  static func life(from now: Timestamp, to end: Timestamp, of site: Site = Site()) -> LocalizedMessage {
    let seconds = Int(max(0, (end.microseconds - now.microseconds) / 1_000_000))
    let units: [(MailMessageKey, Int)] = [(.codeLifeDays, 86_400), (.codeLifeHours, 3600), (.codeLifeMinutes, 60)]
    let (unit, length) = units.first { seconds >= 2 * $0.1 } ?? (MailMessageKey.codeLifeSeconds, 1)
    return LocalizedMessage(unit, values: site.values(and: ["count": .number((seconds + length / 2) / length)]))
  }

  /// Writes a time to the minute, for example `2026-11-22 14:32 UTC`.
  private static func minute(_ time: Timestamp) -> String {
    let text = time.rfc3339
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
  }

  // MARK: Text

  /// Formats paragraphs in a language.
  private struct Page {
    let language: Language
    let lines: any LineBreaker

    func indented(_ line: String) -> String { "\(beginning)    \(line)\n" }

    func wrapped(_ sentence: LocalizedMessage) -> String {
      lines.lines(language.text(of: sentence), width: width).map { "\(beginning)\($0)\n" }.joined()
    }

    /// RIGHT-TO-LEFT MARK for languages that need it. A program that shows plain text takes the direction of each line from the
    /// line's first letter (UAX #9, rules P2 and P3), which may belong to an address.
    private var beginning: String { language.tag.isRightToLeft ? "\u{200F}" : "" }
  }
}
