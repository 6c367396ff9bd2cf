internal import JSONRPC
package import RehearsedNetworks

/// A valid request for the service.
package enum ServiceRequest: Equatable, Sendable {
  case availability(email: String)
  case registration(Ledger.Registration)
  case session(email: String)

  package var operation: Script.Operation {
    switch self {
    case .availability: .checkEmail
    case .registration: .register
    case .session: .signIn
    }
  }

  /// - Parameter path: Follows the base path, and begins with a slash.
  init(_ request: HTTPRequest, path: Substring) throws(HTTPRequest.Refusal) {
    let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    if segments.count == 3, segments[0] == "emails", segments[2] == "availability" {
      try Self.require("GET", request)
      guard let email = Self.decoded(segments[1]) else {
        throw HTTPRequest.Refusal(status: 400, reason: "the address in the path is not percent-encoded UTF-8")
      }
      self = .availability(email: email.lowercasedASCII)
    } else if segments == ["registrations"] {
      try Self.require("POST", request)
      let key = try Self.idempotencyKey(request)
      let members = try Self.members(["id", "email", "passwordHash"], request.body)
      guard members[2].hasPrefix("$") else {
        throw HTTPRequest.Refusal(status: 400, reason: "\"passwordHash\" is no PHC string")
      }
      self = .registration(
        Ledger.Registration(idempotencyKey: key, id: members[0], email: members[1].lowercasedASCII))
    } else if segments == ["sessions"] {
      try Self.require("POST", request)
      self = .session(email: try Self.members(["email", "password"], request.body)[0].lowercasedASCII)
    } else {
      throw HTTPRequest.Refusal(status: 404, reason: "nothing is at this path")
    }
  }

  private static func require(_ method: String, _ request: HTTPRequest) throws(HTTPRequest.Refusal) {
    guard request.method == method else {
      throw HTTPRequest.Refusal(status: 405, reason: "this path is for \(method)")
    }
  }

  private static func idempotencyKey(_ request: HTTPRequest) throws(HTTPRequest.Refusal) -> String {
    let keys = request.values(of: "idempotency-key")
    guard keys.count == 1, let key = keys.first, 1...255 ~= key.utf8.count,
      key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw HTTPRequest.Refusal(status: 400, reason: "there is not one Idempotency-Key of 1 to 255 characters") }
    return key
  }

  /// The values of an object with exactly these members, all of them non-empty strings. A refusal's reason contains no value,
  /// because values may be secrets.
  private static func members(_ names: [String], _ body: [UInt8]) throws(HTTPRequest.Refusal) -> [String] {
    var found: [String: String] = [:]
    var isAsAgreed = true
    do {
      var tape = JSONTape()
      try body.withUnsafeBufferPointer { (bytes) throws(JSONReadError) in
        try JSONDocument.read(UnsafeRawBufferPointer(bytes), tape: &tape) { root in
          isAsAgreed = root.kind == .object
          root.forEachMember { name, value in
            guard let name = name.string, names.contains(name), let text = value.string, !text.isEmpty else {
              isAsAgreed = false
              return
            }
            found[name] = text
          }
        }
      }
    } catch {
      throw HTTPRequest.Refusal(status: 400, reason: "the body is no JSON at byte \(error.offset)")
    }
    let values = names.compactMap { found[$0] }
    guard isAsAgreed, values.count == names.count else {
      let list = names.joined(separator: ", ")
      throw HTTPRequest.Refusal(status: 400, reason: "the body is no object with just the strings \(list)")
    }
    return values
  }

  /// Decodes a segment. Returns nil if it is empty or is not percent-encoded UTF-8 (RFC 3986 §2.1).
  private static func decoded(_ segment: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(segment.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst()?.hexadecimal, let low = rest.popFirst()?.hexadecimal else { return nil }
        bytes.append(high << 4 | low)
      case 0x21...0x7E where byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#"): bytes.append(byte)
      default: return nil
      }
    }
    return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var hexadecimal: UInt8? { Character(Unicode.Scalar(self)).hexDigitValue.map(UInt8.init) }
}
