/// A message that a client has sent to a PostgreSQL server (its documentation, "Message Formats").
package struct FrontendMessage: Sendable {
  /// The message as on the wire, with the byte for its kind.
  let bytes: [UInt8]
  /// The statement that was parsed or bound last on this connection, including this message, or "" before the first statement.
  package let statement: String

  /// `P` for Parse, `B` for Bind, `E` for Execute, `S` for Sync, and so on.
  package var kind: Character { Character(UnicodeScalar(bytes[0])) }
  /// Whether the server commits when it has read this message. If the connection ends before, the transaction is
  /// undone.
  package var commits: Bool {
    (kind == "E" || kind == "Q") && statement.drop { $0 == " " }.uppercased().hasPrefix("COMMIT")
  }
}

/// Takes the bytes of one connection apart into messages.
struct FrontendReader {
  private var buffer: [UInt8] = []
  /// Whether the startup message, which has no byte for its kind, was read.
  private var hasStarted = false
  private var statement = ""
  /// Statements by the names under which the server was asked to prepare them.
  private var prepared: [String: String] = [:]

  /// A piece to be forwarded unchanged.
  enum Piece {
    /// The bytes before a session: the startup message, and requests for encryption, which have no byte for a kind.
    case start([UInt8])
    case message(FrontendMessage)
  }

  mutating func append(_ bytes: [UInt8]) { buffer += bytes }

  /// The next whole piece, or nil if more bytes are needed.
  mutating func next() -> Piece? {
    let kindCount = hasStarted ? 1 : 0
    guard buffer.count >= kindCount + 4 else { return nil }
    let count = kindCount + Int(integer(at: kindCount))
    guard count >= kindCount + 4, buffer.count >= count else { return nil }
    let bytes = Array(buffer[..<count])
    guard hasStarted else {
      // the number is that of version 3 of the protocol, or asks for encryption or for a cancellation
      if count >= 8, integer(at: 4) >> 16 == 3 { hasStarted = true }
      buffer.removeFirst(count)
      return .start(bytes)
    }
    buffer.removeFirst(count)
    // Parse has the statement's name first, and Bind the portal's
    switch bytes[0] {
    case UInt8(ascii: "P"):
      statement = Self.text(bytes, after: Self.end(bytes, from: 5))
      prepared[Self.text(bytes, after: 5)] = statement
    case UInt8(ascii: "B"): statement = prepared[Self.text(bytes, after: Self.end(bytes, from: 5))] ?? statement
    case UInt8(ascii: "Q"): statement = Self.text(bytes, after: 5)
    case _: break
    }
    return .message(FrontendMessage(bytes: bytes, statement: statement))
  }

  private func integer(at index: Int) -> UInt32 {
    buffer[index..<(index + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The index after the terminating zero.
  private static func end(_ bytes: [UInt8], from index: Int) -> Int {
    (bytes[index...].firstIndex(of: 0) ?? bytes.count - 1) + 1
  }

  private static func text(_ bytes: [UInt8], after index: Int) -> String {
    String(decoding: bytes[index...].prefix { $0 != 0 }, as: UTF8.self)
  }
}
