/// A door's protocol on one connection, as a pure state machine: bytes and answers in, bytes and questions out. It does no I/O
/// and reads no clock. `DoorSession` holds the bytes, and asks the questions.
package protocol LoginProtocol {
  /// Whether several questions of a connection may be in flight. Otherwise the next message waits for the answer.
  static var isConcurrent: Bool { get }

  /// Whether `receive` has taken the beginning of a message, but not its end, for example because it skips a body in
  /// parts.
  var isMidMessage: Bool { get }

  /// The first bytes, if the server sends first.
  mutating func greet() -> [UInt8]

  /// Takes one complete message, or a part of an incomplete message if the part need not be held until the message
  /// ends. The effect is the same however the bytes are split.
  ///
  /// - Parameter bytes: All bytes that have arrived and were not taken, at least one.
  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Received

  /// Writes the answer to a question.
  ///
  /// - Parameter number: The question's number, from `Output.question`.
  mutating func write(_ answer: DoorAnswer, to number: Int) -> Output

  /// Takes the settings of a new protocol of the same door after a reload has changed them. The state of the connection
  /// remains.
  mutating func adopt(_ new: Self)
}

extension LoginProtocol {
  package static var isConcurrent: Bool { false }
  package var isMidMessage: Bool { false }
  package mutating func greet() -> [UInt8] { [] }
  package mutating func adopt(_ new: Self) {}
}

/// The result of taking bytes.
package enum Received {
  /// The message is incomplete.
  case unfinished
  /// This many bytes, at least one, of an incomplete message, and the reply to send meanwhile. All parts count as one message
  /// with one time limit.
  case part(Int, [UInt8] = [])
  /// A message of this many bytes, at least one.
  case message(Int, Output)
}

/// A protocol's output: bytes, and perhaps a question.
package struct Output {
  package var bytes: [UInt8]
  /// A question, with a number that is unique among the questions whose answers the protocol awaits.
  package var question: (number: Int, DoorQuestion)?
  /// Whether the protocol takes no more input. Then the connection sends the rest of the output, and closes once the
  /// caller has closed too.
  package var ends: Bool

  package init(_ bytes: [UInt8] = [], asks question: (number: Int, DoorQuestion)? = nil, ends: Bool = false) {
    (self.bytes, self.question, self.ends) = (bytes, question, ends)
  }

  package static let nothing = Output()
  /// Ends the connection without a reply, which programs take for a temporary failure.
  package static let end = Output(ends: true)

  package static func text(_ text: String, ends: Bool = false) -> Output { Output(Array(text.utf8), ends: ends) }
}
