internal import WireFormats

/// The head of a monitoring system's request (RFC 9112). Its fields are ignored, because every client may read the
/// metrics, and there is one format.
enum ScrapeRequest {
  /// A request for the metrics, where `withBody` is false for HEAD, or the answer that refuses any other request.
  enum Reading: Equatable {
    case metrics(withBody: Bool)
    case refused(ScrapeAnswer)
  }

  /// The most bytes of a head.
  static let longest = 16_384

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Whether the head is complete: it ends with an empty line.
  static func isWhole(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { index in
      guard bytes[index] == lineFeed else { return false }
      let rest = bytes[(index + 1)...]
      return rest.first == lineFeed || rest.starts(with: [carriageReturn, lineFeed])
    }
  }

  /// - Parameter bytes: Nil if the head did not come in time.
  static func read(_ bytes: [UInt8]?) -> Reading {
    guard let bytes else { return .refused(.plain(.late)) }
    guard isWhole(bytes) else { return .refused(.plain(bytes.count > longest ? .headTooLong : .badRequest)) }
    guard let line = bytes.split(separator: lineFeed, maxSplits: 1).first,
      let text = String(validating: line, as: UTF8.self)
    else { return .refused(.plain(.badRequest)) }
    let words = (text.hasSuffix("\r") ? text.dropLast() : text[...]).split(
      separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[1].hasPrefix("/"), words[2].wholeMatch(of: /HTTP\/[0-9]\.[0-9]/) != nil else {
      return .refused(.plain(.badRequest))
    }
    guard words[2].hasPrefix("HTTP/1.") else { return .refused(.plain(.otherVersion)) }
    guard words[1].prefix(while: { $0 != "?" }) == "/metrics" else { return .refused(.plain(.notFound)) }
    switch words[0] {
    case "GET": return .metrics(withBody: true)
    case "HEAD": return .metrics(withBody: false)
    default: return .refused(.plain(.methodNotAllowed, nil, [("Allow", "GET, HEAD")]))
    }
  }
}
