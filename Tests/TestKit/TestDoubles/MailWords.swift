package import Registration

/// The words that the article on mail uses for failures.
package enum MailWords {
  package static func word(_ failure: MailFailure?) -> String { failure?.name ?? "sent" }
}
