internal import RegdClient

/// The text of requests that differ only in their ids and in the number that replaces `{n}`.
struct RequestTemplate {
  private let front = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
  /// The parts after the id. The request's number goes between them.
  private let parts: [[UInt8]]

  /// Safe to search for in the whole text, because JSON can have `{n}` only inside a string.
  private static let number = "{n}"

  init(_ method: String, _ params: JSONValue?) {
    var text = ",\"method\":\(JSONValue.string(method).text)"
    if let params { text += ",\"params\":\(params.text)" }
    text += "}\n"
    parts = text.split(separator: Self.number, omittingEmptySubsequences: false).map { Array($0.utf8) }
  }

  /// Appends a request.
  ///
  /// - Parameters:
  ///   - id: The request's id.
  ///   - number: The number that replaces `{n}`.
  func append(to bytes: inout [UInt8], id: Int, number: Int) {
    bytes += front
    Self.append(id, to: &bytes)
    bytes += parts[0]
    for part in parts.dropFirst() {
      Self.append(number, to: &bytes)
      bytes += part
    }
  }

  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    if number < 10 { return bytes.append(UInt8(ascii: "0") + UInt8(number)) }
    bytes += Array(String(number).utf8)
  }
}
