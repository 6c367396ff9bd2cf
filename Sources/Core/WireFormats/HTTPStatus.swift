/// The status of an HTTP answer (RFC 9110 §15).
package struct HTTPStatus: Equatable, Sendable {
  package let code: Int

  package init(_ code: Int) { self.code = code }

  package static let ok = HTTPStatus(200)
  package static let badRequest = HTTPStatus(400)
  package static let unauthorized = HTTPStatus(401)
  package static let forbidden = HTTPStatus(403)
  package static let notFound = HTTPStatus(404)
  package static let methodNotAllowed = HTTPStatus(405)
  package static let late = HTTPStatus(408)
  package static let bodyTooLong = HTTPStatus(413)
  package static let unknownExpectation = HTTPStatus(417)
  package static let headTooLong = HTTPStatus(431)
  package static let unavailable = HTTPStatus(503)
  package static let otherVersion = HTTPStatus(505)

  /// The phrase for people, or "Status" if there is none here.
  package var phrase: String {
    switch code {
    case 200: "OK"
    case 201: "Created"
    case 302: "Found"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 423: "Locked"
    case 425: "Too Early"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Status"
    }
  }

  /// The head of an answer (RFC 9112 §4): status line, fields and the empty line.
  ///
  /// - Parameter fields: Their values must not contain line ends. The caller checks or escapes values from outside.
  package func head(_ fields: [(name: String, value: String)]) -> String {
    var text = "HTTP/1.1 \(code) \(phrase)\r\n"
    for (name, value) in fields {
      for part in [name, ": ", value, "\r\n"] { text += part }
    }
    return text + "\r\n"
  }
}
