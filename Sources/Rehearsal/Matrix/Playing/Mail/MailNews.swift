internal import RegdClient

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
