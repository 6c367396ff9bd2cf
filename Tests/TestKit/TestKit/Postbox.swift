package import RegdClient

/// An administrator's client that takes the mails that regd hands over as events (`mail.backend: event`). Blocks. Only
/// one thread may use it at a time.
package final class Postbox {
  /// The settings of a regd whose mails a postbox takes.
  package static let settings = ["REGD_MAIL_BACKEND": "event", "REGD_MAIL_FROM": "noreply@example.com"]
  /// `settings` for a regd that also requires proof of addresses.
  package static let verifying = settings.merging(["REGD_REGISTRATION_VERIFICATION": "required"]) { $1 }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private let events: RegdConversation
  private let client: RegdClient

  /// Subscribes to the mails of `regd`. Earlier mails are missing.
  package init(_ regd: RunningRegd) throws {
    client = try regd.client()
    events = try RegdConversation(path: regd.socket)
    try events.send("events.subscribe")
    while true {
      guard case .reply(_, let answer) = try events.receive() else { continue }
      _ = try answer.get()
      return
    }
  }

  /// Waits for the next mail, and reports it to regd as sent.
  ///
  /// - Returns: `{id, to, kind, from, subject, body}`.
  package func next() throws -> JSONValue {
    while true {
      guard case .notification(_, let params?) = try events.receive(), params["event"]?.string == "mail.wanted",
        let id = params["id"]?.string
      else { continue }
      _ = try client.call("mail.sent", ["id": .string(id)]).get()
      return params
    }
  }

  /// The code of the next mail to this address that has a code. Other mails are skipped.
  package func code(for email: String) throws -> String {
    while true {
      let mail = try next()
      guard mail["to"]?.string == email, mail["kind"]?.string?.hasSuffix("Code") == true else { continue }
      // a code has its own line, with its digits in groups
      let lines = (mail["body"]?.string ?? "").split(separator: "\n").map { $0.filter { $0 != " " && $0 != "-" } }
      guard let code = lines.first(where: { $0.count >= 6 && $0.allSatisfy(\.isNumber) }) else {
        throw Failure(description: "this mail has no code: \(mail.text)")
      }
      return code
    }
  }
}
