/// The protocol between a helper process and the program that started it to ask many questions: bytes and answers in,
/// bytes and questions out. A conforming type does no I/O. The results do not depend on how `receive` calls split the
/// bytes.
package protocol HelperProtocol {
  /// Takes bytes from the program.
  mutating func receive(_ bytes: [UInt8])

  /// Returns the next question for regd, and the number that its answer must repeat. Returns nil until more bytes or
  /// answers have come.
  mutating func nextQuestion() -> (ticket: Int, question: HelperQuestion)?

  /// Takes the answer to a question, and writes output for it.
  mutating func answer(_ ticket: Int, _ answer: HelperAnswer)

  /// Removes and returns the bytes for the program, or an empty array if no bytes wait.
  mutating func takeOutput() -> [UInt8]

  /// Whether the protocol can use more bytes now. It cannot while earlier questions must be answered first.
  var wantsMore: Bool { get }
}
