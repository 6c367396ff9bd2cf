internal import RegdClient

/// The parts of a reply that the load generator counts.
struct LoadReply: Equatable {
  /// The request's id, or nil for an error about the connection or an unreadable request.
  let id: Int?
  /// The error's reason, or nil for a result.
  let reason: String?

  private static let front = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
  private static let result = Array(#","result":"#.utf8)

  /// Reads a line. Returns nil for a notification, and for text that is not a reply.
  init?(_ line: ArraySlice<UInt8>) {
    if let id = Self.resultID(line) {
      self.init(id: id, reason: nil)
      return
    }
    guard let text = JSONValue(line), text["method"] == nil else { return nil }
    let id = text["id"]?.integer
    if id != nil, text["result"] != nil {
      self.init(id: id, reason: nil)
    } else {
      guard let reason = text["error"]?["data"]?["reason"]?.string else { return nil }
      self.init(id: id, reason: reason)
    }
  }

  private init(id: Int?, reason: String?) {
    self.id = id
    self.reason = reason
  }

  /// The id of a result, found without parsing the result, so that the generator takes little processor time from regd.
  /// Nil for any text that is not a result as regd formats it.
  private static func resultID(_ line: ArraySlice<UInt8>) -> Int? {
    guard line.starts(with: front) else { return nil }
    var id = 0
    var rest = line.dropFirst(front.count)
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...9).contains(digits.count) else { return nil }
    for digit in digits { id = id * 10 + Int(digit - UInt8(ascii: "0")) }
    rest = rest.dropFirst(digits.count)
    return rest.starts(with: result) && rest.last == UInt8(ascii: "}") ? id : nil
  }
}
