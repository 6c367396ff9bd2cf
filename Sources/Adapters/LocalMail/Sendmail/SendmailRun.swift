internal import AsyncPrimitives
internal import Linux

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
