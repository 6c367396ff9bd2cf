internal import JSONRPC
internal import SecureMemory

/// A connection to regd with several requests in flight, and with notifications, for example of a form. May be used by one
/// thread at a time.
public final class RegdConversation {
  public enum Incoming: Equatable, Sendable {
    /// The reply to the request with this number. Without a number, an error about the connection or an unreadable
    /// request.
    case reply(Int?, Result<JSONValue, RegdError>)
    case notification(method: String, params: JSONValue?)
  }

  private let connection: RegdConnection
  /// The language to send before the next request, or nil after it was sent, or if there is no language to send.
  private var untold: String?
  /// The number of the last request.
  private(set) var lastID = 0

  /// - Parameters:
  ///   - path: The path of the Unix socket.
  ///   - timeoutSeconds: How long `receive` and `send` may wait.
  ///   - language: The preferred language of regd's messages (BCP 47, or a list as in `Accept-Language`), or nil for regd's
  ///     own choice. It is sent before the first request, in the same write. A regd without languages ignores it.
  /// - Throws: `.cannotConnect`.
  public convenience init(
    path: String = "/run/regd/regd.sock", timeoutSeconds: Int = 60, language: String? = nil
  ) throws(RegdClientFailure) {
    try self.init(path: path, timeoutSeconds: timeoutSeconds, language: language, patience: nil)
  }

  package init(path: String, timeoutSeconds: Int, language: String?, patience: Patience?) throws(RegdClientFailure) {
    connection = try RegdConnection(path: path, timeoutSeconds: timeoutSeconds, patience: patience)
    untold = language
  }

  /// Whether regd may have received a part of the last request.
  var mayHaveSent: Bool { connection.mayHaveSent }

  /// The descriptor for poll(2): readable when `receiveAvailable` returns something or throws.
  public var descriptor: Int32 { connection.pollable }

  /// Sends a request without waiting for its reply.
  ///
  /// - Parameter params: An object or an array, or nil for none.
  /// - Returns: The request's number, which its reply repeats.
  /// - Throws: `.timedOut` or `.disconnected`. regd may have received a part of the request.
  @discardableResult
  public func send(_ method: String, _ params: JSONValue? = nil) throws(RegdClientFailure) -> Int {
    lastID += 1
    var text = untold.map { Self.request(id: nil, "rpc.language", ["language": .string($0)]) } ?? []
    untold = nil
    text += Self.request(id: lastID, method, params)
    // the params may contain a password
    defer { wipe(&text) }
    try connection.send(text)
    return lastID
  }

  /// Waits for the next reply or notification.
  ///
  /// - Throws: `.disconnected` at the end of the connection, `.timedOut`, `.notAReply`.
  public func receive() throws(RegdClientFailure) -> Incoming {
    guard let line = try connection.receiveLine() else { throw .disconnected }
    return try Self.read(line)
  }

  /// Takes all complete replies and notifications that have arrived. Does not wait.
  ///
  /// - Throws: `.disconnected` at the end of the connection, `.notAReply`.
  public func receiveAvailable() throws(RegdClientFailure) -> [Incoming] {
    var incoming: [Incoming] = []
    for line in try connection.receiveAvailableLines() { incoming.append(try Self.read(line)) }
    return incoming
  }

  private static func read(_ line: [UInt8]) throws(RegdClientFailure) -> Incoming {
    guard let text = JSONValue(line) else { throw .notAReply(String(decoding: line, as: UTF8.self)) }
    if let method = text["method"]?.string, text["id"] == nil {
      return .notification(method: method, params: text["params"])
    }
    let id = text["id"]?.integer
    if id != nil, let result = text["result"] { return .reply(id, .success(result)) }
    guard id != nil || text["id"] == .null, let error = text["error"].flatMap(RegdError.init) else {
      throw .notAReply(String(decoding: line, as: UTF8.self))
    }
    return .reply(id, .failure(error))
  }

  /// - Parameter id: Nil for a notification.
  private static func request(id: Int?, _ method: String, _ params: JSONValue?) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("jsonrpc", "2.0")
      if let id { writer.member("id", id) }
      writer.member("method", method)
      if let params {
        writer.name("params")
        params.write(to: &writer)
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}
