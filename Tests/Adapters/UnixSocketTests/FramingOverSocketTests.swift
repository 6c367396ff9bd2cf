import RegdClient
import TestKit
import Testing

/// The framings on a real socket of a real regd.
@Suite("Framings over the socket", .blocking, .timeLimit(.minutes(10)))
struct FramingOverSocketTests {
  private static let ping = #"{"jsonrpc":"2.0","id":7,"method":"rpc.ping"}"#
  private static let pong = #"{"jsonrpc":"2.0","id":7,"result":"pong"}"#

  private static func framed(_ text: String) -> String { "Content-Length: \(text.utf8.count)\r\n\r\n\(text)" }

  private func answer(_ socket: String, _ pieces: [String]) throws -> String {
    let caller = try RawCaller(socket)
    for piece in pieces { #expect(caller.flood(Array(piece.utf8), at: 1) == piece.utf8.count) }
    caller.finishSending()
    return String(decoding: try caller.readAll(), as: UTF8.self)
  }

  @Test("regd answers messages with headers with headers, whatever the results are and however the bytes are split")
  func headers() throws {
    try withRegd { regd in
      let slow = #"{"jsonrpc":"2.0","id":8,"method":"registration.checkEmail","params":["a@test.com"]}"#
      let text =
        "Content-Type: x; charset=utf-8\r\n" + Self.framed(Self.ping) + "content-length: 2\n\n[]" + Self.framed(slow)
      let replies = try answer(regd.socket, [text])
      #expect(replies.hasPrefix(Self.framed(Self.pong) + "Content-Length: "))
      #expect(replies.contains("\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600"))
      #expect(replies.hasSuffix(Self.framed(#"{"jsonrpc":"2.0","id":8,"result":{"available":true}}"#)))
      #expect(try answer(regd.socket, text.map { String($0) }) == replies)
    }
  }

  @Test("regd answers HTTP with a readable 400 and closes the connection")
  func http() throws {
    try withRegd { regd in
      let reply = try answer(regd.socket, ["GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"])
      #expect(reply.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
      #expect(reply.contains("JSON-RPC 2.0 socket, not an HTTP server"))
      // also without a half-close from the other side
      let caller = try RawCaller(regd.socket)
      #expect(caller.flood(Array("POST ".utf8), at: 1) == 5)
      #expect(String(decoding: try caller.readAll(), as: UTF8.self) == reply)
    }
  }

  @Test(
    "regd ends a connection after 16 messages that are not JSON, with a reason, and still answers requests in flight")
  func patience() throws {
    try withRegd { regd in
      let connection = try regd.connect()
      // in one piece, so that the sign-in is still in progress when regd reads the rest
      try connection.send(
        #"{"jsonrpc":"2.0","id":8,"method":"session.signIn","params":["a@test.com","x"]}"# + "\n"
          + String(repeating: "nonsense\n", count: 20) + Self.ping)
      var lines: [String] = []
      while let line = try connection.receiveLine() { lines.append(String(decoding: line, as: UTF8.self)) }
      #expect(lines.count == 17)
      #expect(lines.count { $0.contains("-32700") } == 16)
      #expect(lines[15].contains("16 messages in a row"))
      #expect(lines.last?.contains("\"id\":8") == true)
    }
  }

  @Test("regd refuses a caller in the framing that the caller uses")
  func refusedInKind() throws {
    try withRegd(["REGD_LIMITS_CONNECTIONS": "1"]) { regd in
      let first = try regd.connect()
      try first.send(Self.ping)
      #expect(try first.receiveLine() == Array(Self.pong.utf8))
      let reply = try answer(regd.socket, ["Content-Length: 5\r\n"])
      #expect(reply.hasPrefix("Content-Length: "))
      #expect(reply.contains("-32009"))
      #expect(try answer(regd.socket, ["GET / HTTP/1.1\r\n\r\n"]).hasPrefix("HTTP/1.1 400 "))
      #expect(try answer(regd.socket, [" \n", "Content-Length: 5"]).hasPrefix("Content-Length: "))
      #expect(try answer(regd.socket, ["{"]).hasPrefix("{\"jsonrpc\""))
      #expect(try answer(regd.socket, []).hasPrefix("{\"jsonrpc\""))
    }
  }

  @Test("a message of 256 megabytes without an end, 256 times the limit, gets a single error")
  func endless() throws {
    try withRegd { regd in
      for beginning in ["[\"", "x", "Content-Length: 268435456\r\n\r\n"] {
        let connection = try regd.connect()
        try connection.send(beginning)
        let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        for _ in 0..<256 { try connection.send(chunk) }
        connection.finishSending()
        var text = ""
        while let line = try connection.receiveLine() { text += String(decoding: line, as: UTF8.self) }
        #expect(text.contains("-32007") && text.contains("\"limit\":1048576"))
        #expect(text.split(separator: "jsonrpc").count == 2)
      }
    }
  }
}
