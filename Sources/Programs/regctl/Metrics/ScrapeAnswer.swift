internal import Localization
internal import WireFormats

/// An HTTP answer to a monitoring system. It closes the connection.
struct ScrapeAnswer: Equatable {
  /// Status line, fields and body.
  let text: String
  /// The part of `text` before the body.
  private let head: String

  static func metrics(_ text: String) -> ScrapeAnswer {
    ScrapeAnswer(.ok, "application/openmetrics-text; version=1.0.0; charset=utf-8", text, [])
  }

  /// - Parameters:
  ///   - line: The problem, for a person who reads the answer, or nil for the phrase of the status.
  ///   - fields: Further header fields.
  static func plain(_ status: HTTPStatus, _ line: String? = nil, _ fields: [(String, String)] = []) -> ScrapeAnswer {
    ScrapeAnswer(status, "text/plain; charset=utf-8", "\(line ?? status.phrase)\n", fields)
  }

  private init(_ status: HTTPStatus, _ type: String, _ body: String, _ fields: [(String, String)]) {
    let always = [
      ("Content-Type", type), ("Content-Length", "\(body.utf8.count)"), ("Cache-Control", "no-store"),
      ("Connection", "close"),
    ]
    head = status.head((always + fields).map { (name: $0, value: HarmlessText.line($1)) })
    text = head + body
  }

  private init(head: String) { (self.head, text) = (head, head) }

  /// - Parameter body: False for HEAD, whose answer has the length of the body that GET would get (RFC 9110 §9.3.2).
  func saying(body: Bool) -> ScrapeAnswer { body ? self : ScrapeAnswer(head: head) }
}
