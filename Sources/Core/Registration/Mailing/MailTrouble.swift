/// Why a mail was not accepted, as the store keeps it and administrators read it.
package struct MailTrouble: DeliveryFailure, CustomStringConvertible {
  /// The most characters of the mail system's words that are kept.
  private static let maximumLength = 300

  package let description: String

  package init(_ failure: MailFailure) { self.init(noted: failure.description) }

  /// - Parameter words: The mail system's words, which are put into one line without invisible marks, and cut at
  ///   `maximumLength`.
  init(noted words: String) {
    let line = words.unicodeScalars.map { Self.isShown($0) ? Character($0) : " " }
    description = line.count > Self.maximumLength ? "\(String(line.prefix(Self.maximumLength)))…" : String(line)
  }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  /// After a mail that may be on its way, a long pause, so that its recipient does not get many copies.
  package var retryAfterSeconds: Int? { description == MailFailure.lost.description ? 300 : nil }
  /// `DeliveryPlan` need not judge failures, because `MailOutage` judges whether the mail system is unreachable.
  package var bearing: FailureBearing { .none }
}

extension MailFailure {
  /// The failure's name without the mail system's words, for metrics.
  package var name: String {
    switch self {
    case .offline: "offline"
    case .deferred: "deferred"
    case .lost: "lost"
    case .timeout: "timeout"
    case .untrusted: "untrusted"
    case .unusable: "unusable"
    case .refused: "refused"
    case .cancelled: "cancelled"
    }
  }
}
