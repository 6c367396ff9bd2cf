internal import Linux
internal import LoginVerdicts
package import RegdClient

/// Asks regd questions over one connection, many in flight, and answers each in time. If regd has gone, the next
/// question opens a new connection. Blocks only while it connects and sends. Only one thread at a time may use it.
package final class HelperLink {
  private struct Asked {
    let question: HelperQuestion
    let deadline: MonotonicInstant
    /// How often the question was sent.
    var tries = 1
    /// Whether the connection existed before the question, and so may have been dead already.
    var isOverOldConnection: Bool
  }

  private let path: String
  private let seconds: Int
  private let report: (HelperTrouble) -> Void
  private var conversation: RegdConversation?
  /// Questions without an answer, by their tickets: the numbers that the caller gave them.
  private var asked: [Int: Asked] = [:]
  /// The tickets of the questions in flight on the connection, by their requests' numbers.
  private var tickets: [Int: Int] = [:]
  /// Whether the connected regd is stopping: it accepts no new requests, but still answers those that it has accepted.
  private var isDraining = false
  /// The tickets of the questions for the next regd, sent once the stopping regd has answered all that it accepted.
  private var delayed: [Int] = []
  private var settled: [(ticket: Int, answer: HelperAnswer)] = []
  private var lastTrouble: HelperTrouble?
  /// Why no connection could be opened in this turn, or nil if no attempt was made, or if the attempt succeeded. An
  /// attempt can take as long as a question may wait, for example if regd's queue of new connections is full. All
  /// questions that waited for it share its result.
  private var failedTry: RegdClientFailure?

  /// The most sendings of a question. It is sent again only if regd certainly did not accept it, or if a repeat is
  /// harmless.
  private static let mostTries = 3

  /// - Parameters:
  ///   - seconds: How long a question waits for its answer, 1 or more.
  ///   - report: Called with the reason of an answer `away` (regd decided nothing), unless the previous answer had the
  ///     same reason.
  package init(path: String, seconds: Int, report: @escaping (HelperTrouble) -> Void = { _ in }) {
    (self.path, self.seconds, self.report) = (path, seconds, report)
  }

  /// The descriptor that is readable when `receive` has something to do, or nil without a connection.
  package var descriptor: Int32? { conversation?.descriptor }

  /// Whether every question is answered, and every answer taken.
  package var isIdle: Bool { asked.isEmpty && settled.isEmpty }
  package var hasAnswers: Bool { !settled.isEmpty }

  /// Allows another try to connect, if the last one failed. Until the next call, questions that find no connection fail as
  /// that try did.
  package func beginTurn() { failedTry = nil }

  /// Sends a question. `takeAnswers` returns its answer later, or at once if regd cannot be reached.
  package func ask(_ question: HelperQuestion, _ ticket: Int) {
    // notices a connection that has ended, before the question is sent on it
    receive()
    asked[ticket] = Asked(
      question: question, deadline: .now + .seconds(seconds), isOverOldConnection: conversation != nil)
    send(ticket)
  }

  /// Removes and returns the answers that have come since the last call.
  package func takeAnswers() -> [(ticket: Int, answer: HelperAnswer)] {
    defer { settled = [] }
    return settled
  }

  /// Reads what regd has sent, and does not wait.
  package func receive() {
    guard let now = conversation else { return }
    do throws(RegdClientFailure) {
      for case .reply(let number, let reply) in try now.receiveAvailable() {
        take(reply, to: number)
        // `take` has replaced the connection. The new one uses the same numbers for other requests.
        guard conversation === now else { return }
      }
    } catch {
      lose(.failure(error))
    }
    goOnWithNext()
  }

  /// The time until the first deadline of a question, or nil if no question waits for an answer.
  package var patience: Duration? {
    asked.values.map(\.deadline).min().map { max(.zero, $0 - MonotonicInstant.now) }
  }

  /// Answers `away` to the questions whose deadline has passed.
  package func expire() {
    let now = MonotonicInstant.now
    let late = asked.filter { $0.value.deadline <= now }.keys.sorted()
    guard !late.isEmpty else { return }
    let numbers = tickets.filter { late.contains($0.value) }.keys
    for ticket in late { settle(ticket, .away("timedOut"), .failure(.timedOut(seconds: seconds))) }
    // without other questions, closes the connection, which makes regd end the work
    if asked.isEmpty { return close() }
    for number in numbers { _ = try? conversation?.send("rpc.cancel", .object([.init("id", .number("\(number)"))])) }
    goOnWithNext()
  }

  /// Asks one question and waits for its answer.
  package func answer(to question: HelperQuestion) -> HelperAnswer {
    beginTurn()
    ask(question, 0)
    while settled.isEmpty {
      if let descriptor, let patience, Polling.isReady(.readable(descriptor), atMost: patience) { receive() }
      expire()
    }
    return takeAnswers().first?.answer ?? .away("disconnected")
  }

  private func send(_ ticket: Int) {
    guard let question = asked[ticket]?.question else { return }
    guard !isDraining else { return delayed.append(ticket) }
    do throws(RegdClientFailure) {
      let open = try connected()
      tickets[try open.send(question.method, question.params)] = ticket
    } catch {
      guard conversation != nil else { return settle(ticket, .failure(error)) }
      lose(.failure(error))
    }
  }

  private func connected() throws(RegdClientFailure) -> RegdConversation {
    if let conversation { return conversation }
    if let failedTry { throw failedTry }
    do throws(RegdClientFailure) {
      let new = try RegdConversation(path: path, timeoutSeconds: seconds)
      conversation = new
      return new
    } catch {
      failedTry = error
      throw error
    }
  }

  /// Takes a reply. A reply without a number is about the connection, which regd then closes.
  private func take(_ reply: Result<JSONValue, RegdError>, to number: Int?) {
    guard let number else {
      if case .failure(let error) = reply { lose(.error(error)) }
      return
    }
    guard let ticket = tickets.removeValue(forKey: number), let question = asked[ticket]?.question else { return }
    if case .failure(let error) = reply, error.reason == "server.draining" {
      isDraining = true
      return tryAgain(ticket, .error(error), isUntaken: true)
    }
    let answer = question.answer(reply)
    guard answer.verdict == .away, case .failure(let error) = reply else { return settle(ticket, answer, nil) }
    settle(ticket, answer, .error(error))
  }

  /// Once the stopping regd has answered all that it accepted, connects to the next regd and sends it the delayed
  /// questions.
  private func goOnWithNext() {
    guard isDraining, tickets.isEmpty else { return }
    let tickets = delayed
    close()
    for ticket in tickets { send(ticket) }
  }

  private func close() {
    conversation = nil
    isDraining = false
    (tickets, delayed) = ([:], [])
  }

  /// Closes the connection. Sends the delayed questions, and those in flight that may be repeated, over a new
  /// connection. Answers `away` to all other questions.
  private func lose(_ trouble: HelperTrouble) {
    let waiting = delayed
    close()
    for ticket in asked.keys.sorted() where !waiting.contains(ticket) { tryAgain(ticket, trouble, isUntaken: false) }
    for ticket in waiting { send(ticket) }
  }

  /// Sends a question again if that is harmless and in time. Otherwise answers `away` to it.
  private func tryAgain(_ ticket: Int, _ trouble: HelperTrouble, isUntaken: Bool) {
    guard var again = asked[ticket] else { return }
    let isLost = trouble == .failure(.disconnected) && again.question.isRepeatable && again.isOverOldConnection
    let isInTime = again.deadline > MonotonicInstant.now
    guard isUntaken || isLost, isInTime, again.tries < Self.mostTries else { return settle(ticket, trouble) }
    again.tries += 1
    again.isOverOldConnection = false
    asked[ticket] = again
    send(ticket)
  }

  private func settle(_ ticket: Int, _ trouble: HelperTrouble) { settle(ticket, .away(trouble.reason), trouble) }

  private func settle(_ ticket: Int, _ answer: HelperAnswer, _ trouble: HelperTrouble?) {
    guard asked.removeValue(forKey: ticket) != nil else { return }
    // forgets the request's number: when a late reply comes, the ticket may be that of another question
    tickets = tickets.filter { $0.value != ticket }
    settled.append((ticket, answer))
    if let trouble, trouble != lastTrouble { report(trouble) }
    lastTrouble = trouble
  }
}

/// Why regd has not decided a question.
package enum HelperTrouble: Error, Equatable {
  /// No answer came.
  case failure(RegdClientFailure)
  /// regd answered with an error.
  case error(RegdError)

  /// The reason of regd's error, or regctl's own name for a missing answer.
  package var reason: String {
    switch self {
    case .error(let error): error.reason
    case .failure(.cannotConnect): "cannotConnect"
    case .failure(.timedOut): "timedOut"
    case .failure(.disconnected): "disconnected"
    case .failure(.notAReply): "notAReply"
    }
  }
}
