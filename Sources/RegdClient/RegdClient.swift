internal import JSONRPC

/// A client of regd: one call at a time over one connection. Blocks; one thread at a time.
public final class RegdClient {
  private let connection: RegdConnection
  private var lastID = 0

  /// - Parameters:
  ///   - path: Of the Unix socket.
  ///   - timeoutSeconds: How long a reply may take. regd itself ends every request within its own deadlines.
  public init(path: String = "/run/regd/regd.sock", timeoutSeconds: Int = 60) throws(RegdClientFailure) {
    connection = try RegdConnection(path: path, timeoutSeconds: timeoutSeconds)
  }

  /// Calls a method and waits for its reply.
  ///
  /// - Parameter params: An object or an array; nil for none.
  /// - Returns: The result, or the error that regd answered.
  public func call(
    _ method: String, _ params: JSONValue? = nil
  ) throws(RegdClientFailure) -> Result<JSONValue, RegdError> {
    lastID += 1
    do {
      try connection.send(Self.request(id: lastID, method, params))
    } catch {
      // a connection that regd has closed may still hold the reason
      guard error == .disconnected, let line = try connection.receiveLine() else { throw error }
      return try read(line)
    }
    guard let line = try connection.receiveLine() else { throw .disconnected }
    return try read(line)
  }

  /// An error without an id is about the connection, or about a request that could not be read: it is ours too.
  private func read(_ line: [UInt8]) throws(RegdClientFailure) -> Result<JSONValue, RegdError> {
    guard let reply = JSONValue(line), reply["id"]?.integer == lastID || reply["id"] == .null else {
      throw .notAReply(String(decoding: line, as: UTF8.self))
    }
    if let result = reply["result"] { return .success(result) }
    guard let error = reply["error"].flatMap(RegdError.init) else {
      throw .notAReply(String(decoding: line, as: UTF8.self))
    }
    return .failure(error)
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

extension RegdClient {
  /// The params that `registration.validate` and `registration.register` take.
  public static func entry(email: String?, password: String?, confirmation: String?) -> JSONValue {
    .object([
      .init("email", email.map(JSONValue.string) ?? .null),
      .init("password", password.map(JSONValue.string) ?? .null),
      .init("passwordConfirmation", confirmation.map(JSONValue.string) ?? .null),
    ])
  }
}
