internal import AddressNormalization
internal import Localization
package import Registration

/// `mail`: the mail system that sends regd's mails, and simulated ones for tests. Each backend reads its own keys.
package struct MailSettings: Equatable, Sendable {
  /// The chosen mail system, or nil for "none", which sends no mail.
  package var chosen: (any MailBackend)?
  /// All backends, including the chosen one.
  let backends: [any MailBackend]
  /// The sender of every mail, with its domain as A-labels, or "" if none is set.
  package let from: String
  /// The name beside the sender, or "" for none.
  package let fromName: String
  /// The pauses (exponential back-off) before a failed mail is sent again.
  package let queue: DeliverySettings

  init(_ reader: inout SettingsReader) {
    let name = reader.choice("mail.backend", default: "none", of: ["none"] + reader.table.mails.map { $0.name })
    from = Self.sender(&reader, isNeeded: name != "none")
    fromName = reader.string("mail.fromName", default: "")
    let (first, maximum) = NetworkSettings.pauses("mail.queue", 2, 300, &reader)
    queue = DeliverySettings(firstPause: first, maximumPause: maximum)
    backends = reader.table.mails.map { $0.init(&reader, isChosen: $0.name == name) }
    chosen = backends.first { type(of: $0).name == name }
  }

  /// The chosen mail system's name, or "none".
  package var backend: String { chosen.map { type(of: $0).name } ?? "none" }

  package static func == (one: MailSettings, other: MailSettings) -> Bool {
    one.backend == other.backend && one.from == other.from && one.fromName == other.fromName
      && one.queue == other.queue && areEqual(one.backends, other.backends)
  }

  private static func sender(_ reader: inout SettingsReader, isNeeded: Bool) -> String {
    let typed = reader.string("mail.from", default: "")
    guard !typed.isEmpty else {
      if isNeeded {
        reader.refuse(
          "mail.from",
          "is missing; a mail.backend other than none needs the sender's address, for example noreply@example.com")
      }
      return ""
    }
    guard let at = typed.utf8.lastIndex(of: UInt8(ascii: "@")), typed.utf8[..<at].allSatisfy({ $0 < 0x80 }) else {
      let what =
        typed.contains("@")
        ? "has a part before the @ that is not ASCII, which not every mail server accepts"
        : "is not an address"
      reader.refuse("mail.from", "\(what); write, for example, noreply@example.com")
      return ""
    }
    switch EmailRules(normalizer: UnicodeNormalizer()).check(typed) {
    case .success(let address):
      let key = address.key.value
      return String(typed[..<at] + key[(key.lastIndex(of: "@") ?? key.startIndex)...])
    case .failure(let refusal):
      let problems = refusal.problems.map(\.sentence.english).joined(separator: " ")
      reader.refuse("mail.from", "must be an address and nothing else, such as noreply@example.com. \(problems)")
      return ""
    }
  }
}

/// `site`: the operator's site, as mails name it.
package struct SiteSettings: Equatable, Sendable {
  /// The name of the site, or "" for none.
  package var name: String
  /// The address of the site, or "" for none.
  package var url: String

  init(_ reader: inout SettingsReader) {
    name = reader.string("site.name", default: "")
    url = reader.string("site.url", default: "")
  }
}
