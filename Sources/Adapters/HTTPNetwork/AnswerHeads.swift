/// The heads of an upstream's answer (RFC 9112 §2.1), line by line as libcurl passes them: the heads of interim answers
/// (1xx), the head of the final answer, and trailers.
///
/// regd reads status lines itself, because libcurl's releases differ. libcurl 7.88 reads `HTTP/x 409` as a status of 200.
/// libcurl 8.14 does the same with `HTTP/1.1 2000` and `HTTP/2.0 409`.
struct AnswerHeads {
  /// The status of the last head, which may be interim, or nil without a valid status line.
  private(set) var status: Int?
  /// Whether a status line is not valid in HTTP/1.
  private(set) var isNotHTTP = false
  /// Whether the heads are longer than `maximumBytes`.
  private(set) var isTooLong = false
  private var bytes = 0
  private var expectsStatusLine = true

  /// The most bytes of all heads. No real upstream needs more. libcurl's own limit is 100 KiB for a line.
  private static let maximumBytes = 65_536

  /// Takes the next line, including its end.
  ///
  /// - Returns: Whether the transfer may continue.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
    bytes += line.count
    isTooLong = bytes > Self.maximumBytes
    guard !isTooLong else { return false }
    if expectsStatusLine {
      status = Self.status(line)
      isNotHTTP = status == nil
      expectsStatusLine = false
    } else if let first = line.first, first == UInt8(ascii: "\r") || first == UInt8(ascii: "\n"), let status {
      // another head follows an interim one, and trailers may follow the final one
      expectsStatusLine = status < 200
    }
    return !isNotHTTP
  }

  /// Reads a status line (RFC 9112 §4). The space before an empty reason may be missing, because many servers omit it.
  ///
  /// - Returns: 100 to 999, or nil if the line is not valid.
  private static func status(_ line: UnsafeRawBufferPointer) -> Int? {
    let (end, separators) = (12, " \r\n".utf8)
    guard line.count > end, line.starts(with: "HTTP/1.".utf8), "01".utf8.contains(line[7]),
      line[8] == UInt8(ascii: " "), separators.contains(line[end]), UInt8(ascii: "1")...UInt8(ascii: "9") ~= line[9]
    else { return nil }
    return Int(String(decoding: line[9..<end], as: UTF8.self))
  }
}
