internal import Registration
internal import SecureMemory

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
