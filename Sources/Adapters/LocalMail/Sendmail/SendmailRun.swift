internal import AsyncPrimitives
internal import Linux
internal import MailComposition
internal import Registration

/// One run of sendmail: its input, its messages, its end. `play` must be called on a thread that may block.
final class SendmailRun: Sendable {
  /// How the run ended. `play` fulfills this promise.
  let end = Promise<SendmailEnd>()
  private let program: String
  private let arguments: [String]
  private let input: [UInt8]
  private let deadline: ContinuousClock.Instant
  /// A pipe whose first end is readable once the run is cancelled.
  private let cancellation: DescriptorPair

  /// How many bytes of the program's messages are kept.
  private static let longestWords = 2000

  init(
    _ program: String, _ arguments: [String], input: [UInt8], until deadline: ContinuousClock.Instant
  ) throws(SystemError) {
    self.program = program
    self.arguments = arguments
    self.input = input
    self.deadline = deadline
    cancellation = try Descriptor.pipe()
  }

  /// Makes `play` end the program. Does not wait, and may be called on any thread.
  func cancel() { try? cancellation.second.writeAll([0]) }

  func play() {
    do throws(SystemError) {
      end.fulfill(try ended())
    } catch { end.fulfill(.unstarted(error.description)) }
  }

  private func ended() throws(SystemError) -> SendmailEnd {
    if Polling.isReady(.readable(cancellation.first.number), atMost: .zero) { return .cancelled }
    guard deadline > .now else { return .overdue }
    // the whole mail is in memory before the program starts, so that it never reads only a part, even if regd dies
    let input = try Descriptor.inMemory(input)
    let forWords = try Descriptor.pipe()
    let pid: Int32
    do {
      // regd's variables, which may be secrets, are not passed on
      pid = try ChildProcess.start(
        program, arguments, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"],
        [0: .parents(input.number), 1: .null, 2: .parents(forWords.second.number)], resetsSignals: true)
    } catch { return .unstarted(error.description) }
    try? forWords.second.close()
    return attend(pid, words: forWords.first)
  }

  /// Waits for the end of the process. Ends the process if it takes too long or the run is cancelled.
  private func attend(_ pid: Int32, words: borrowing Descriptor) -> SendmailEnd {
    var talk = Talk()
    guard let process = try? Descriptor.ofProcess(pid) else { return stop(pid, .unstarted("pidfd_open has failed")) }
    while true {
      let left = deadline - .now
      guard left > .zero else { return stop(pid, .overdue) }
      let ready = Polling.wait(
        for: [
          .readable(process.number), .readable(cancellation.first.number),
          // poll(2) ignores a negative number
          .readable(talk.isOpen ? words.number : -1),
        ], atMost: left)
      // reads the pipe first, because it may still have messages of a process that has ended
      if ready[2] { talk.hear(words, atMost: Self.longestWords) }
      if ready[0] {
        while talk.isOpen, Polling.isReady(.readable(words.number), atMost: .zero) {
          talk.hear(words, atMost: Self.longestWords)
        }
        return status(ChildProcess.reap(pid), talk.heard)
      }
      if ready[1] { return stop(pid, .cancelled) }
    }
  }

  private func status(_ status: Int32?, _ heard: [UInt8]) -> SendmailEnd {
    guard let status else { return .unstarted("its exit status is lost") }
    return status > 128
      ? .signalled(status - 128) : .exited(status: status, words: String(decoding: heard, as: UTF8.self))
  }

  /// Asks the program to end, so that it can undo its work. After a second, kills it with all processes that it
  /// started.
  private func stop(_ pid: Int32, _ end: SendmailEnd) -> SendmailEnd {
    Signal.terminate.send(to: -pid)
    _ = ChildProcess.hasEnded(pid, within: .seconds(1))
    Signal.kill.send(to: -pid)
    ChildProcess.reap(pid)
    return end
  }
}

/// How a run of sendmail ended.
enum SendmailEnd: Equatable, Sendable {
  /// The program exited. Holds its messages on standard error.
  case exited(status: Int32, words: String)
  /// The program was ended by a signal that regd did not send.
  case signalled(Int32)
  /// regd ended the program because its time was up.
  case overdue
  /// regd ended the program because the caller was cancelled or regd stops.
  case cancelled
  /// The program does not exist, or the system could not start it. Holds the reason.
  case unstarted(String)
}

/// The one table from the ends of sendmail runs to mail failures.
enum SendmailVerdict {
  /// EX_TEMPFAIL of sysexits.h: the program asks for another attempt later.
  static let tryAgain: Int32 = 75

  /// - Returns: The failure for the caller, or nil if the program accepted the mail.
  static func failure(_ end: SendmailEnd) -> MailFailure? {
    switch end {
    case .exited(status: 0, words: _): nil
    case .exited(status: tryAgain, let words): .deferred(text(tryAgain, words))
    case .exited(let status, let words): .refused(text(status, words))
    // a crash or an operator ended the program: this shows nothing about the mail
    case .signalled(let number): .deferred("sendmail was killed by signal \(number)")
    // no mail can be sent by it
    case .unstarted(let words): .unusable(words)
    case .overdue: .timeout
    case .cancelled: .cancelled
    }
  }

  private static func text(_ status: Int32, _ words: String) -> String {
    let words = HarmlessWords.of(words)
    return "sendmail: exit status \(status)" + (words.isEmpty ? "" : ": \(words)")
  }
}

/// The messages of a program.
private struct Talk: ~Copyable {
  private(set) var heard: [UInt8] = []
  /// Whether more messages may come.
  private(set) var isOpen = true

  mutating func hear(_ words: borrowing Descriptor, atMost limit: Int) {
    let some = (try? words.read(atMost: 4096)) ?? []
    if some.isEmpty { isOpen = false }
    heard += some.prefix(max(0, limit - heard.count))
  }
}
