/// Why a mail was not taken, as the store keeps it and administrators read it.
package struct MailTrouble: DeliveryFailure, CustomStringConvertible {
  /// Characters that are kept of what a mail system says.
  private static let maximumLength = 300

  package let description: String

  init(_ failure: MailFailure) { self.init(noted: failure.description) }

  /// - Parameter words: In one line; what is too long is cut.
  init(noted words: String) {
    let line = words.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
    description = line.count > Self.maximumLength ? "\(String(line.prefix(Self.maximumLength)))…" : String(line)
  }

  package var retryAfterSeconds: Int? { nil }
  /// That the mail system is away is `MailOutage`'s to know; everything else is about one mail.
  package var bearing: FailureBearing { .none }
}

extension MailFailure {
  /// Its name alone, for logs and metrics: what a mail system says may have an address in it.
  package var name: String {
    switch self {
    case .offline: "offline"
    case .deferred: "deferred"
    case .lost: "lost"
    case .timeout: "timeout"
    case .untrusted: "untrusted"
    case .refused: "refused"
    case .cancelled: "cancelled"
    }
  }
}
