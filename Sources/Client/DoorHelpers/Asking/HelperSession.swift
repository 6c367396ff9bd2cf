package import Linux
internal import Wiping

/// The loop of a helper process, which passes questions from the program that started it to regd, and answers back.
package enum HelperSession {
  /// The most bytes of one read.
  private static let chunk = 16_384

  /// Answers the program's questions until the program has closed its end and all questions are answered.
  ///
  /// - Throws: If a read or write fails, because the program has gone.
  package static func run(
    _ dialogue: inout some HelperDialogue, _ link: HelperLink, input: borrowing Descriptor,
    output: borrowing Descriptor
  ) throws(SystemError) {
    var hasEnded = false
    while true {
      try turn(&dialogue, link, output)
      if hasEnded, link.isIdle { return }
      let isReading = !hasEnded && dialogue.wantsMore
      var interests = isReading ? [Polling.Interest.readable(input.number)] : []
      if let descriptor = link.descriptor { interests.append(.readable(descriptor)) }
      let ready = Polling.wait(for: interests, atMost: link.patience)
      if link.descriptor != nil, ready.last == true { link.receive() }
      link.expire()
      guard isReading, ready.first == true else { continue }
      var bytes = try input.read(atMost: chunk)
      hasEnded = bytes.isEmpty
      dialogue.receive(bytes)
      wipe(&bytes)
    }
  }

  /// Passes answers to the program and questions to regd until neither waits.
  private static func turn(
    _ dialogue: inout some HelperDialogue, _ link: HelperLink, _ output: borrowing Descriptor
  ) throws(SystemError) {
    link.beginTurn()
    repeat {
      for (ticket, answer) in link.takeAnswers() { dialogue.answer(ticket, answer) }
      while let (ticket, question) = dialogue.nextQuestion() { link.ask(question, ticket) }
    } while link.hasAnswers
    let bytes = dialogue.takeOutput()
    if !bytes.isEmpty { try output.writeAll(bytes) }
  }
}
