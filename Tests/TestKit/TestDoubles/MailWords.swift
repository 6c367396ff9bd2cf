package import Registration

/// The words that the article on mail uses for failures.
package enum MailWords {
  package static func word(_ failure: MailFailure?) -> String {
    switch failure {
    case nil: "sent"
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
