internal import Registration
import TestDoubles

extension ClaimModel {
  /// A mail that counts toward the bounds of its address.
  struct Ask: Sendable {
    let key: EmailKey
    let share: Share
    let part: MailBounds.Part
    let time: Timestamp
  }

  /// Writes a mail if the bounds admit it. Returns the bound that admits it, or nil.
  @discardableResult
  mutating func write(_ mail: MailIntent?) -> MailBounds.Part? {
    guard let mail else { return nil }
    var admitting = MailBounds.Part.shared
    if mail.isBounded {
      let since = mail.createdAt.advanced(by: .zero - MailBounds.span)
      let others = asks.filter { $0.key == mail.to.key && $0.time > since }
      let own = others.filter { $0.share == mail.share }
      let counts = MailBounds.Counts(
        sent: others.count { $0.part == .shared }, asked: own.count { $0.part == .shared },
        own: own.count { $0.part == .own })
      let registrant = holder(of: mail.to.key).flatMap { registrants[$0.account.id] }
      let part = MailBounds.part(counts) { mail.isKnown || registrant == mail.share }
      guard let part else { return nil }
      admitting = part
      asks.append(Ask(key: mail.to.key, share: mail.share, part: part, time: mail.createdAt))
    }
    mails.append(StoredMail(mail, state: mail.isWanted ? .waiting : .suppressed))
    return admitting
  }
}
