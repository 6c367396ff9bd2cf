/// The lines of one header block of the Language Server Protocol's base protocol: `Content-Length` is required, and
/// every other field is ignored. Field names may have any case (RFC 9110 §5.1), and fields any order.
package struct HeaderBlock {
  /// Why a header block gives no usable length for the text after it.
  package enum Problem: Equatable, Sendable {
    case lengthMissing
    case lengthTwice
    /// The value is not a decimal number, is negative, or has more than 63 bits.
    case lengthInvalid
    /// A line is not `Name: value`.
    case lineInvalid
    /// The block has more bytes than allowed.
    case tooLarge(limit: Int)
    /// The connection ended within the block.
    case unfinished
  }

  private(set) var isEmpty = true
  private var length: Int?
  private var problem: Problem?

  /// The length in bytes of the text after the block, or the first problem of the block.
  var verdict: Result<Int, ProblemError> {
    if let problem { return .failure(ProblemError(problem: problem)) }
    guard let length else { return .failure(ProblemError(problem: .lengthMissing)) }
    return .success(length)
  }

  struct ProblemError: Error { let problem: Problem }

  private mutating func note(_ new: Problem) {
    isEmpty = false
    problem = problem ?? new
  }

  /// - Parameter line: A line without its line end. It is not empty.
  mutating func add(_ line: [UInt8]) {
    isEmpty = false
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0, line[..<colon].allSatisfy(Self.isToken) else {
      return note(.lineInvalid)
    }
    let name = line[..<colon].map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
    guard name.elementsEqual("content-length".utf8) else { return }
    guard length == nil else { return note(.lengthTwice) }
    let value = line[(colon + 1)...].drop(while: Self.isBlank)
    let digits = value.prefix { $0 &- UInt8(ascii: "0") < 10 }
    guard !digits.isEmpty, value.dropFirst(digits.count).allSatisfy(Self.isBlank),
      let number = Int(String(decoding: digits, as: UTF8.self))
    else { return note(.lengthInvalid) }
    length = number
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// `tchar` of RFC 9110 §5.6.2.
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
