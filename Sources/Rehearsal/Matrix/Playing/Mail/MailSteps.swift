internal import RegdClient
internal import RehearsedMailServer
internal import RehearsedMails

/// Controls the mail system in a flow, and observes its mails.
extension Stage {
  /// The environment's situation of mail.
  var mail: MailSituation { get throws { try mailEnvironment.situation } }

  private var mailEnvironment: MailEnvironment {
    get throws {
      guard let mail = environment.mail else { throw Mismatch(description: "an environment without mail") }
      return mail
    }
  }

  var mailSystem: MailSystem {
    get throws {
      guard let system = fixture.mailSystem else { throw Mismatch(description: "a cell without a mail system") }
      return system
    }
  }

  /// The number of digits of each code.
  static let codeDigits = 10

  /// Makes the mail system work from now on, or else behave as in the environment's file.
  func playMail(works: Bool) throws {
    guard try mailSystem.play(works: works) else { return }
    try expect("reload", observe("daemon.reload", [:]) { _ in "done" }, "done")
  }

  /// Makes accounts with proven addresses while the mail system works. Then the environment's condition applies.
  func registerWhileMailWorks(_ emails: String...) throws {
    try playMail(works: true)
    for email in emails {
      let claim = try claim(email)
      try expect("register", claim, "claimed")
      try expectProof(claim, try codeWhileMailWorks(.registrationCode, email), of: email)
    }
    try playMail(works: false)
    beginNews()
  }

  /// The code of the first mail to this address, which must arrive.
  func codeWhileMailWorks(_ kind: CodeKind, _ address: String) throws -> String {
    try expectFirst("mail.sent", kind.rawValue, address)
    return try code(kind, to: address)
  }

  /// Waits until regd has reported the event for `count` different mails of a kind to an address since `beginNews`.
  func wait(_ event: String, _ kind: String, _ address: String, _ count: Int = 1) throws {
    try waitUntil("\(event) for \(count) of \(kind) to \(address)") { news in
      Set(news.filter { $0.event == event && $0.kind == kind && $0.to == address }.map(\.id)).count >= count
    }
  }

  /// Waits for regd's first report about a mail to an address since `beginNews`, and expects this event.
  private func expectFirst(_ event: String, _ kind: String, _ address: String) throws {
    var first: MailNews?
    try waitUntil("news of \(kind) to \(address)") { news in
      first = news.first { $0.kind == kind && $0.to == address }
      return first != nil
    }
    guard first?.event == event else {
      throw Mismatch(description: "the mail to \(address): expected \(event), saw \(first?.event ?? "nothing")")
    }
  }

  /// Waits until the reports since `beginNews` satisfy `holds`.
  func waitUntil(_ what: String, _ holds: (ArraySlice<MailNews>) -> Bool) throws {
    try caller.waitUntil(what) { holds($0[newsBegin...]) }
  }

  /// Waits for a notice (a mail without a code) to an owner. The mail system must work.
  func expectNotice(_ kind: String, _ address: String) throws {
    try wait("mail.sent", kind, address)
    guard let text = try mails(kind, to: address).last?.text, Self.code(in: text) == nil else {
      throw Mismatch(description: "the notice to \(address) is not there, or has a code in it")
    }
  }

  /// Expects the environment's effect on the mails with a claim's code, and then makes a mail with the code arrive.
  ///
  /// - Parameters:
  ///   - mails: The number of mails asked for in total, those asked for by `meanwhile` included.
  ///   - meanwhile: Runs once the first mail's result is known, before the mail system works again.
  /// - Returns: The code, and what was seen, in a few words.
  func code(
    of claim: Observation, _ kind: CodeKind, to address: String, mails: Int = 1, meanwhile: () throws -> Void = {}
  ) throws -> (code: String, seen: String) {
    let (seen, name) = (try firstNews, kind.rawValue)
    try expectFirst(seen, name, address)
    try meanwhile()
    switch try mail {
    case .mailWorks, .mailSlow:
      try wait("mail.sent", name, address, mails)
      // the mails of a scripted mail system cannot be read
      if try !mailSystem.isReadable { try sendOnceMore(claim, name, address, mails) }
    case .mailOffline, .mailDeferred, .mailLost:
      try expectWaiting(mails)
      // a greylisted mail is accepted at its next try
      if try !isGreylisting || !mailSystem.isReadable { try playMail(works: true) }
      try expect("retry", observe("mail.retry", [:]) { _ in "done" }, "done")
      try wait("mail.sent", name, address, mails)
    case .mailRefused:
      try wait(seen, name, address, mails)
      try expect("nothing waits", waitingMails(), "0 waiting")
      try sendOnceMore(claim, name, address, 0)
    }
    try expect("nothing waits", waitingMails(), "0 waiting")
    return (try code(kind, to: address), seen)
  }

  /// The event of regd's first report about a mail in this environment.
  var firstNews: String {
    get throws {
      switch try mail {
      case .mailWorks, .mailSlow: "mail.sent"
      case .mailOffline, .mailDeferred, .mailLost: "mail.delayed"
      case .mailRefused: "mail.refused"
      }
    }
  }

  /// Makes the mail system work, asks for another mail, and waits until `before` mails and this one were sent.
  private func sendOnceMore(_ claim: Observation, _ kind: String, _ address: String, _ before: Int) throws {
    try playMail(works: true)
    try resend(claim)
    try wait("mail.sent", kind, address, before + 1)
  }

  /// Expects that this many mails wait, and that regd gives the environment's reason for each mail that it has tried.
  func expectWaiting(_ count: Int) throws {
    let waiting = try waitingMails()
    // a greylisting server accepts the next try for a recipient, so that fewer mails may wait
    if try !isGreylisting { try expect("they wait", waiting, "\(count) waiting") }
    let said = (waiting.detail["waiting"]?.array ?? []).compactMap { $0["reason"]?.string }
    let reasons = try mail.reasons
    let isSaid = !said.isEmpty && said.allSatisfy { text in reasons.contains { text.hasPrefix($0) } }
    try require("the reason", isSaid, reasons.joined(separator: " or "), waiting)
  }

  /// Whether the mail system greylists: a real server refuses only the first try for each recipient.
  var isGreylisting: Bool { get throws { try mailEnvironment.step.answer == .fault(.greylisted) } }

  func waitingMails() throws -> Observation {
    try observe("mail.list", [:]) { "\($0["waiting"]?.array?.count ?? -1) waiting" }
  }

  /// The mails of this kind to an address that have arrived.
  private func mails(_ kind: String, to address: String) throws -> [ReceivedMail] {
    let ids = Set(caller.mailNews.filter { $0.kind == kind && $0.to == address }.map(\.id))
    return try mailSystem.mails().filter { mail in ids.contains { mail.messageID?.hasPrefix("<\($0)@") ?? false } }
  }

  /// The code that all readable mails of this kind to the address share. Records it for the invariants.
  func code(_ kind: CodeKind, to address: String) throws -> String {
    let codes = Set(try mails(kind.rawValue, to: address).compactMap { $0.text.flatMap(Self.code) })
    guard let code = codes.first, codes.count == 1 else {
      throw Mismatch(description: "the mails to \(address) have \(codes.count) codes, and must have one")
    }
    record(code: code, to: address)
    return code
  }

  /// Returns the digits of the first line that is a code, without the spaces between groups.
  private static func code(in text: String) -> String? {
    let lines = text.split(separator: "\n").map { $0.filter { $0 != " " } }
    return lines.first { $0.utf8.count == codeDigits && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
  }
}

/// Kinds of mails with a code.
enum CodeKind: String {
  case registrationCode, recoveryCode, changeCode
}

extension MailSituation {
  /// The possible beginnings of the reasons in `mail.list`.
  fileprivate var reasons: [String] {
    switch self {
    case .mailOffline: ["offline", "timeout", "untrusted"]
    case .mailDeferred: ["deferred"]
    case .mailLost: ["connection lost"]
    case .mailWorks, .mailSlow, .mailRefused: []
    }
  }
}

/// regd's report about one mail, from `events.happened`.
struct MailNews: Equatable {
  /// `mail.sent`, `mail.delayed` or `mail.refused`.
  let event: String
  let id: String
  let to: String
  let kind: String

  /// Reads a report about a mail. Returns nil for any other notification.
  init?(_ method: String, _ params: JSONValue?) {
    guard method == "events.happened", let params, let event = params["event"]?.string, event.hasPrefix("mail."),
      let id = params["id"]?.string, let to = params["to"]?.string, let kind = params["kind"]?.string
    else { return nil }
    (self.event, self.id, self.to, self.kind) = (event, id, to, kind)
  }
}
