internal import Linux
internal import RegdClient
internal import RehearsedMailServer
internal import RehearsedMails

/// Conditions that hold after every cell with a mail system, of any flow.
struct MailInvariants {
  let stage: Stage
  let system: MailSystem

  func check() throws {
    let mails = try system.mails()
    try checkClaims()
    try checkProofs()
    try checkIntents(mails)
    try checkCodes(mails)
    guard system.complaints.isEmpty else {
      throw Mismatch(description: "the mail server complains: \(system.complaints.joined(separator: "; "))")
    }
  }

  /// Checks that no registration is refused because of mail.
  private func checkClaims() throws {
    for (email, seen) in stage.claims { try expect("the registration of \(email)", seen, "claimed") }
  }

  /// Checks that a repeated proof gives the same account.
  private func checkProofs() throws {
    for proof in stage.proofs {
      let again = try stage.prove(proof.claim, proof.code)
      try expect("proven again", again, "registered")
      try require("proven again", again.detail["account"]?["id"] == proof.account, "the same account", again)
    }
  }

  /// Checks that each mail that arrived was reported by regd and went to its recipient, and that each sent mail arrived
  /// once, or more than once only if the server's answers are lost.
  private func checkIntents(_ mails: [ReceivedMail]) throws {
    let (situation, news) = (try stage.mail, stage.caller.mailNews)
    let intents = Dictionary(news.map { ($0.id, $0.to) }) { first, _ in first }
    var arrived: [String: Int] = [:]
    for mail in mails {
      let (messageID, to) = (mail.messageID ?? "no Message-ID", mail.fields("To"))
      guard let id = intents.keys.first(where: { messageID.hasPrefix("<\($0)@") }) else {
        throw Mismatch(description: "a mail to \(to) has \(messageID), which is no mail's that regd has told of")
      }
      // a mail from a file has no envelope, and so no recipients
      guard to == [intents[id]], mail.recipients.isEmpty || mail.recipients == to else {
        throw Mismatch(description: "a mail for \(intents[id] ?? "nobody") went to \(to) by \(mail.recipients)")
      }
      arrived[id, default: 0] += 1
    }
    for (id, count) in arrived where count > 1 && situation != .mailLost {
      throw Mismatch(description: "the mail \(id) to \(intents[id] ?? "nobody") arrived \(count) times")
    }
    guard system.isReadable else { return }
    for mail in news where mail.event == "mail.sent" && arrived[mail.id] == nil {
      throw Mismatch(description: "the mail \(mail.id) to \(mail.to) was sent, and has not arrived")
    }
  }

  /// Checks that no code is in a mail to another address.
  private func checkCodes(_ mails: [ReceivedMail]) throws {
    for mail in mails {
      let (to, text) = (mail.fields("To"), mail.text ?? "")
      for (code, address) in stage.codes where to != [address] && text.contains(code) {
        throw Mismatch(description: "the code for \(address) is in a mail to \(to)")
      }
    }
  }
}
