internal import JSONRPC

/// A connection to regd on which requests are sent without waiting for one another's replies, and on which regd tells
/// what it was not asked (notifications, as of a form). One thread at a time.
public final class RegdConversation {
  public enum Incoming: Equatable, Sendable {
    /// The answer to the request with that number. Without a number it is an error about the connection, or about a
    /// request that could not be read.
    case reply(Int?, Result<JSONValue, RegdError>)
    case notification(method: String, params: JSONValue?)
  }

  private let connection: RegdConnection
  /// The number of the request that was sent last.
  private(set) var lastID = 0

  /// - Parameters:
  ///   - path: Of the Unix socket.
  ///   - timeoutSeconds: How long `receive` waits, and how long a request may take to be sent.
  public init(path: String = "/run/regd/regd.sock", timeoutSeconds: Int = 60) throws(RegdClientFailure) {
    connection = try RegdConnection(path: path, timeoutSeconds: timeoutSeconds)
  }

  /// For poll(2): readable when `receiveAvailable` has something to give, or to throw.
  public var descriptor: Int32 { connection.pollable }

  /// Sends a request, and waits for no reply.
  ///
  /// - Parameter params: An object or an array; nil for none.
  /// - Returns: Its number, which its reply has too.
  @discardableResult
  public func send(_ method: String, _ params: JSONValue? = nil) throws(RegdClientFailure) -> Int {
    lastID += 1
    var text = Self.request(id: lastID, method, params)
    // there may be a password in it
    defer { for index in text.indices { text[index] = 0 } }
    try connection.send(text)
    return lastID
  }

  /// Waits for what comes next.
  ///
  /// - Throws: `.disconnected` when nothing more will come, `.timedOut` when nothing has come.
  public func receive() throws(RegdClientFailure) -> Incoming {
    guard let line = try connection.receiveLine() else { throw .disconnected }
    return try Self.read(line)
  }

  /// What has come, without waiting; empty where nothing whole has come yet.
  ///
  /// - Throws: `.disconnected` when nothing more will come.
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

  private static func request(id: Int, _ method: String, _ params: JSONValue?) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("jsonrpc", "2.0")
      writer.member("id", id)
      writer.member("method", method)
      if let params {
        writer.name("params")
        params.write(to: &writer)
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}
