package import Linux
internal import SecureMemory

/// The loop of a helper process, which passes questions from the program that started it to regd, and answers back.
package enum HelperSession {
  /// The most bytes of one read.
  private static let chunk = 16_384

  /// Answers the program's questions until the program has closed its end and all questions are answered.
  ///
  /// - Throws: If a read or write fails, because the program has gone.
  package static func run(
    _ wire: inout some HelperProtocol, _ link: HelperLink, input: borrowing Descriptor,
    output: borrowing Descriptor
  ) throws(SystemError) {
    var hasEnded = false
    while true {
      try turn(&wire, link, output)
      if hasEnded, link.isIdle { return }
      let isReading = !hasEnded && wire.wantsMore
      var interests = isReading ? [Polling.Interest.readable(input.number)] : []
      if let descriptor = link.descriptor { interests.append(.readable(descriptor)) }
      let ready = Polling.wait(for: interests, atMost: link.patience)
      if link.descriptor != nil, ready.last == true { link.receive() }
      link.expire()
      guard isReading, ready.first == true else { continue }
      var bytes = try input.read(atMost: chunk)
      hasEnded = bytes.isEmpty
      wire.receive(bytes)
      wipe(&bytes)
    }
  }

  /// Passes answers to the program and questions to regd until neither waits.
  private static func turn(
    _ wire: inout some HelperProtocol, _ link: HelperLink, _ output: borrowing Descriptor
  ) throws(SystemError) {
    link.beginTurn()
    repeat {
      for (ticket, answer) in link.takeAnswers() { wire.answer(ticket, answer) }
      while let (ticket, question) = wire.nextQuestion() { link.ask(question, ticket) }
    } while link.hasAnswers
    let bytes = wire.takeOutput()
    if !bytes.isEmpty { try output.writeAll(bytes) }
  }
}
