/// A door's protocol on one connection, as a pure state machine: bytes and answers in, bytes and questions out. It does no I/O
/// and reads no clock; `DoorDialogue` holds the bytes, and asks.
package protocol Speaker {
  /// Whether several questions of a connection may be in flight; otherwise the next message waits for the answer.
  static var isConcurrent: Bool { get }

  /// Whether a message has begun of which `receive` has taken a part, such as a body that is skipped.
  var isMidMessage: Bool { get }

  /// The first bytes, if the server speaks first.
  mutating func greet() -> [UInt8]

  /// Takes one message, if it has arrived completely, or a part that need not be held until then. Any split of the same
  /// bytes has the same effect.
  ///
  /// - Parameter bytes: All bytes that have arrived and were not taken; at least one.
  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Received

  /// Puts an answer into words.
  ///
  /// - Parameter number: The question's number, from `Said.question`.
  mutating func say(_ answer: DoorAnswer, to number: Int) -> Said
}

extension Speaker {
  package static var isConcurrent: Bool { false }
  package var isMidMessage: Bool { false }
  package mutating func greet() -> [UInt8] { [] }
}

/// The result of taking bytes.
package enum Received {
  /// The message is incomplete.
  case unfinished
  /// This many bytes, at least one, of an incomplete message, and the reply to send meanwhile. All parts count as one message
  /// with one time limit.
  case part(Int, [UInt8] = [])
  /// A message of this many bytes, at least one.
  case message(Int, Said)
}

/// A speaker's output: bytes, and perhaps a question.
package struct Said {
  package var bytes: [UInt8]
  /// A question, with a number that is unique among the connection's questions without an answer.
  package var question: (number: Int, DoorQuestion)?
  /// Whether the speaker takes no more input. The connection shuts down writing once all is sent, and closes when the
  /// caller has.
  package var ends: Bool

  package init(_ bytes: [UInt8] = [], asks question: (number: Int, DoorQuestion)? = nil, ends: Bool = false) {
    (self.bytes, self.question, self.ends) = (bytes, question, ends)
  }

  package static let nothing = Said()
  /// Ends without a byte, which programs take for "away".
  package static let end = Said(ends: true)

  package static func text(_ text: String, ends: Bool = false) -> Said { Said(Array(text.utf8), ends: ends) }
}
