/// The protocol of a program that starts a helper and asks it many questions: bytes and answers in, bytes and questions out. A
/// conforming type does no I/O, and any split of the same bytes has the same answers.
package protocol HelperDialogue {
  /// Takes bytes from the program.
  mutating func receive(_ bytes: [UInt8])

  /// The next question that may be asked now, with a number for its answer; nil until there are more bytes or answers.
  mutating func nextQuestion() -> (ticket: Int, question: HelperQuestion)?

  /// Takes the answer to a question.
  mutating func answer(_ ticket: Int, _ answer: HelperAnswer)

  /// Hands over the bytes for the program.
  mutating func takeOutput() -> [UInt8]

  /// Whether the dialogue can use more bytes now; false while earlier questions must be answered first.
  var wantsMore: Bool { get }
}
