internal import Linux
internal import RegdClient

/// A connection under load. Requests wait in memory until regd reads them, so sending never blocks. For one thread at a time.
final class LoadConnection {
  private let socket: Descriptor
  private var unsent: [UInt8] = []
  private var received: [UInt8] = []
  /// The times at which the requests were due, by id, in nanoseconds since the start, or nil for a free id.
  private var begun: [Int64?]
  private var free: [Int]

  private static let chunkBytes = 262_144

  /// - Throws: `.cannotConnect`.
  init(path: String, inFlight: Int, timeoutSeconds: Int) throws(RegdClientFailure) {
    begun = Array(repeating: nil, count: inFlight)
    free = Array((0..<inFlight).reversed())
    do throws(SystemError) {
      socket = try Descriptor.socket(.localStream)
      // SO_SNDTIMEO also limits connect(2), which blocks while the backlog is full
      socket.setSendTimeout(seconds: timeoutSeconds)
      try socket.connect(to: SocketAddress(path: path))
    } catch {
      throw .cannotConnect(path: path, reason: error.text)
    }
  }

  var isFull: Bool { free.isEmpty }
  /// Requests without an answer.
  var waiting: Int { begun.count - free.count }

  /// The descriptors for poll(2).
  var interests: [Polling.Interest] {
    unsent.isEmpty ? [.readable(socket.number)] : [.readable(socket.number), .writable(socket.number)]
  }

  /// Adds a request, for `flush` to send. The connection must not be full.
  ///
  /// - Parameter time: When the request was due.
  func add(_ template: RequestTemplate, number: Int, at time: Int64) {
    guard let id = free.popLast() else { return }
    begun[id] = time
    template.append(to: &unsent, id: id, number: number)
  }

  /// Sends as much as regd reads without waiting.
  ///
  /// - Returns: Whether the connection still exists.
  func flush() -> Bool {
    guard !unsent.isEmpty else { return true }
    do throws(SystemError) {
      let count = try socket.sendSome(unsent)
      if count == unsent.count { unsent.removeAll(keepingCapacity: true) } else { unsent.removeFirst(count) }
    } catch { return error.number == SystemError.wouldBlock }
    return true
  }

  /// Reads the bytes that have arrived.
  ///
  /// - Parameter take: Gets each reply, with the time at which its request was due, or nil for a reply without a request.
  /// - Returns: Whether the connection still exists.
  func receive(_ take: (LoadReply, Int64?) -> Void) -> Bool {
    do throws(SystemError) {
      let chunk = try socket.receive(atMost: Self.chunkBytes, waits: false)
      if chunk.isEmpty { return false }
      received += chunk
    } catch { return error.number == SystemError.wouldBlock }
    var rest = received[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      if let reply = LoadReply(rest[..<end]) { take(reply, finish(reply.id)) }
      rest = rest[(end + 1)...]
    }
    received.removeFirst(received.count - rest.count)
    return true
  }

  private func finish(_ id: Int?) -> Int64? {
    guard let id, begun.indices.contains(id), let time = begun[id] else { return nil }
    begun[id] = nil
    free.append(id)
    return time
  }
}

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
