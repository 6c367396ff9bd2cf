import RehearsedNetworks
import RehearsedUpstream

/// Requests as a well-behaved client writes them.
enum Requests {
  static let check = "GET /v1/emails/a%40b.cd/availability HTTP/1.1\r\nHost: u\r\n\r\n"
  static let register = registration()
  static let signIn = post("sessions", "{\"email\":\"a@b.cd\",\"password\":\"secret\"}")

  static func of(_ operation: Script.Operation) -> String {
    switch operation {
    case .checkEmail: check
    case .register: register
    case .signIn: signIn
    }
  }

  static func registration(key: String = "k1", id: String = "i1", email: String = "a@b.cd") -> String {
    post(
      "registrations", "{\"id\":\"\(id)\",\"email\":\"\(email)\",\"passwordHash\":\"$argon2id$x\"}",
      "Idempotency-Key: \(key)\r\n")
  }

  static func post(_ path: String, _ body: String, _ headers: String = "") -> String {
    "POST /v1/\(path) HTTP/1.1\r\nHost: u\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }
}

/// Answers as the server writes them.
enum Answers {
  static func json(_ status: String, _ body: String, _ headers: String = "") -> String {
    "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
  }

  static let available = json("200 OK", "{\"available\":true}")
  static let unavailable = json("200 OK", "{\"available\":false}")
  static let created = json("201 Created", "{\"id\":\"i1\"}")
  static let again = json("200 OK", "{\"id\":\"i1\"}")
  static let taken = json("409 Conflict", "{\"error\":\"taken\"}")
  static let rejected = json("401 Unauthorized", "{\"error\":\"rejected\"}")
}

extension Script {
  /// The same steps for every operation.
  static func all(_ steps: String..., repeats: Bool = false) throws -> Script {
    let steps = try steps.map { try Step($0) }
    return Script(checkEmail: steps, register: steps, signIn: steps, repeats: repeats)
  }
}

/// A server without certificates.
func plainServer(
  _ script: Script, bearerToken: String? = nil, onRequest: UpstreamServer.RequestHook? = nil
) throws -> UpstreamServer {
  try UpstreamServer(script, directory: "/nonexistent", bearerToken: bearerToken, onRequest: onRequest)
}
