internal import Sentences

/// An HTTP answer to a monitoring system. It closes the connection.
struct ScrapeAnswer: Equatable {
  enum Status: Int {
    case ok = 200
    case badRequest = 400
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case late = 408
    case headTooLong = 431
    case unavailable = 503
    case otherVersion = 505

    fileprivate var phrase: String {
      switch self {
      case .ok: "OK"
      case .badRequest: "Bad Request"
      case .forbidden: "Forbidden"
      case .notFound: "Not Found"
      case .methodNotAllowed: "Method Not Allowed"
      case .late: "Request Timeout"
      case .headTooLong: "Request Header Fields Too Large"
      case .unavailable: "Service Unavailable"
      case .otherVersion: "HTTP Version Not Supported"
      }
    }
  }

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
  static func plain(_ status: Status, _ line: String? = nil, _ fields: [(String, String)] = []) -> ScrapeAnswer {
    ScrapeAnswer(status, "text/plain; charset=utf-8", "\(line ?? status.phrase)\n", fields)
  }

  private init(_ status: Status, _ type: String, _ body: String, _ fields: [(String, String)]) {
    let always = [
      ("Content-Type", type), ("Content-Length", "\(body.utf8.count)"), ("Cache-Control", "no-store"),
      ("Connection", "close"),
    ]
    head =
      (["HTTP/1.1 \(status.rawValue) \(status.phrase)"] + (always + fields).map { "\($0): \(HarmlessText.line($1))" })
      .map { "\($0)\r\n" }.joined() + "\r\n"
    text = head + body
  }

  private init(head: String) { (self.head, text) = (head, head) }

  /// - Parameter body: False for HEAD, whose answer has the length of the body that GET would get (RFC 9110 §9.3.2).
  func saying(body: Bool) -> ScrapeAnswer { body ? self : ScrapeAnswer(head: head) }
}
