internal import JSONRPC
internal import Registration

/// One of the three requests that the upstream knows, before it is one of libcurl's. While it waits
/// for its turn it holds what its caller holds, and no copy of a secret: its body is written when it starts.
struct UpstreamRequest: Sendable {
  let operation: HTTPReport.Operation
  /// Behind the base URL; begins with a slash.
  let path: String
  private let writeBody: (@Sendable () -> RequestBody)?
  let idempotencyKey: String?
  /// What the work is known by that this request is a part of (W3C Trace Context).
  var traceparent: String?

  /// With one it is a POST, without a GET. Written anew at each call.
  func body() -> RequestBody? { writeBody?() }

  static func availability(_ email: EmailAddress) -> UpstreamRequest {
    UpstreamRequest(
      operation: .availability, path: "/emails/\(pathSegment(email.typed))/availability", writeBody: nil,
      idempotencyKey: nil)
  }

  static func registration(_ registration: UpstreamRegistration) -> UpstreamRequest {
    let id = registration.id.description
    return UpstreamRequest(
      operation: .registration, path: "/registrations",
      writeBody: {
        var json = JSONWriter()
        json.append(UInt8(ascii: "{"))
        json.member("id", id)
        json.member("email", registration.email.typed)
        json.name("passwordHash")
        return Array(registration.passwordHash.phc.utf8).withUnsafeBytes {
          RequestBody(json.written, lastMember: $0)
        }
      },
      idempotencyKey: id)
  }

  static func session(_ email: EmailAddress, _ password: Password) -> UpstreamRequest {
    UpstreamRequest(
      operation: .session, path: "/sessions",
      writeBody: {
        var json = JSONWriter()
        json.append(UInt8(ascii: "{"))
        json.member("email", email.typed)
        json.name("password")
        return password.withBytes { RequestBody(json.written, lastMember: $0) }
      },
      idempotencyKey: nil)
  }

  /// A text as one segment of a path: all but RFC 3986's unreserved characters percent-encoded, byte by byte.
  static func pathSegment(_ text: String) -> String {
    var segment = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        segment.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        segment += byte < 0x10 ? "%0" : "%"
        segment += String(byte, radix: 16, uppercase: true)
      }
    }
    return segment
  }
}
