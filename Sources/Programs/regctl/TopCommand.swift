internal import ArgumentParser
internal import FullScreen
internal import Linux
internal import RegdClient
internal import TopTerminal

struct TopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "top", abstract: "Shows what regd does now, on the whole terminal; for administrators.",
    discussion: """
      Requests and latencies by method, what waits to be hashed, users, the breaker, the outbox, the store and the log, \
      in intervals. h says which keys there are. A regd that goes is waited for. With --json a line an interval, and no \
      terminal is needed.
      """)

  @Option(help: "Seconds between two looks, 0.5 to 60.") var interval = 2.0
  @Flag(help: "Measure one interval, print it, and end; needs no terminal.") var once = false
  @OptionGroup var connection: ConnectionOptions

  /// regd answers status and metrics at once: one that takes longer hangs.
  private static let longestWait = 10

  func validate() throws {
    guard TopState.periods.contains(interval) else {
      throw ValidationError("--interval takes seconds from 0.5 to 60, not \(interval)")
    }
  }

  func run() throws {
    let timeout = min(connection.timeout, Self.longestWait)
    do {
      if once || connection.json { try stream(timeout) } else { try show(timeout) }
    } catch let error as RegdError {
      throw connection.refusal(error)
    }
  }

  private func stream(_ timeout: Int) throws {
    let glyphs = Glyphs.ofLocale()
    let stream = TopStream(path: connection.path, timeoutSeconds: timeout, period: interval)
    try stream.run { interval, screen in
      if connection.json { print(interval.text) } else { for line in screen(Terminal.width, glyphs) { print(line) } }
      try Terminal.checkOutput()
      return !once
    } lost: { reason in
      Terminal.report(reason)
    }
  }

  private func show(_ timeout: Int) throws {
    let screen: TerminalScreen
    do throws(TerminalScreen.Unusable) {
      screen = try TerminalScreen(styled: Terminal.allowsColour)
    } catch {
      throw ValidationError("\(error); --once and --json need none")
    }
    let top = try TopOnTerminal(
      path: connection.path, timeoutSeconds: timeout, period: interval, screen, Glyphs.ofLocale())
    switch try top.run() {
    case .quit: return
    case .signal(let signal):
      // the terminal is restored
      signal.takeEffect()
      throw Refusal(message: nil)
    }
  }
}
