internal import JSONRPC
internal import Registration
internal import SecureMemory

/// One of the three requests to the upstream. A waiting request shares its caller's values and has no copy of a secret,
/// because the body is written only when the transfer starts.
struct UpstreamRequest: Sendable {
  let operation: HTTPReport.Operation
  /// The path after the base URL. Begins with a slash.
  let path: String
  private let writeBody: (@Sendable () -> RequestBody)?
  let idempotencyKey: String?
  /// The link of the request to the caller's trace (W3C Trace Context), or nil if there is no trace.
  var traceparent: String?

  /// Writes the body of a POST, anew at each call. Returns nil for a GET.
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

  /// Encodes a text as one segment of a path: percent-encodes every byte except RFC 3986's unreserved characters.
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

/// A JSON body whose last member is a secret. `deinit` overwrites the bytes.
///
/// The initializer writes the escaped secret straight into memory of the final size, so that regd leaves no other copy behind.
/// libcurl and OpenSSL copy the body into their own buffers, which they free without wiping.
final class RequestBody: Sendable {
  // safe because only `init` writes it
  private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

  /// - Parameters:
  ///   - beginning: A JSON object up to and including the colon before the last value.
  ///   - secret: The last value: a string's unescaped UTF-8.
  init(_ beginning: UnsafeRawBufferPointer, lastMember secret: UnsafeRawBufferPointer) {
    let length = secret.reduce(0) { $0 + Self.escapedLength(of: $1) }
    memory = .allocate(byteCount: beginning.count + length + 3, alignment: 1)
    memory.copyMemory(from: beginning)
    var place = beginning.count
    func put(_ byte: UInt8) {
      memory[place] = byte
      place += 1
    }
    put(UInt8(ascii: "\""))
    for byte in secret {
      switch Self.escapedLength(of: byte) {
      case 1: put(byte)
      case 2:
        put(UInt8(ascii: "\\"))
        put(byte)
      default:
        for byte in "\\u00".utf8 { put(byte) }
        for digit in [byte >> 4, byte & 0xF] {
          put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
      }
    }
    put(UInt8(ascii: "\""))
    put(UInt8(ascii: "}"))
  }

  deinit {
    wipe(memory)
    memory.deallocate()
  }

  /// Valid while the body exists.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }

  /// The number of bytes that JSON needs for a byte: JSON escapes control characters, quotes and backslashes (RFC 8259
  /// §7).
  private static func escapedLength(of byte: UInt8) -> Int {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): 2
    case ..<0x20: 6
    default: 1
    }
  }
}
