internal import ArgumentParser
internal import FullScreen
internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import TopTerminal
internal import UserMessages

struct TopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "top", abstract: .said(WatchingHelp.top),
    discussion: .said(WatchingHelp.topMore))

  @Option(help: .said(WatchingHelp.topInterval, valueName: "seconds")) var interval = 2.0
  @Flag(help: .said(WatchingHelp.topOnce)) var once = false
  @OptionGroup var connection: ConnectionOptions

  /// The longest wait for an answer, in seconds. regd answers requests for status and metrics at once, unless it hangs.
  private static let longestWait = 10

  func validate() throws {
    guard TopState.periods.contains(interval) else {
      throw ValidationError(UsageMessageKey.interval, ["value": "\(interval)"])
    }
  }

  func run() throws {
    let timeout = min(connection.timeout, Self.longestWait)
    if once || connection.json { try stream(timeout) } else { try show(timeout) }
  }

  private func stream(_ timeout: Int) throws {
    let glyphs = Glyphs.ofLocale()
    let stream = TopStream(partner(timeout), period: interval)
    try stream.run { interval, screen in
      if connection.json {
        Terminal.print(interval.text)
      } else {
        for line in screen(Terminal.width, glyphs) { Terminal.print(line) }
      }
      try Terminal.checkOutput()
      return !once
    } lost: { reason in
      Terminal.report(text: reason)
    }
  }

  private func partner(_ timeout: Int) -> TopPartner {
    TopPartner(
      path: connection.path, timeoutSeconds: timeout, language: Speech.language, wish: Speech.locale.wish,
      patience: connection.patience, silence: { [path = connection.path] in SilentUnit.failure(path) })
  }

  private func show(_ timeout: Int) throws {
    let screen: TerminalScreen
    do throws(TerminalScreen.Unusable) {
      screen = try TerminalScreen(styled: Terminal.allowsColour)
    } catch {
      throw ValidationError(FailureMessageKey.screenNotNeeded, ["reason": .sentence(error.sentence)])
    }
    let top = try TopOnTerminal(partner(timeout), period: interval, screen, Glyphs.ofLocale())
    switch try top.run() {
    case .quit: return
    case .signal(let signal):
      // the terminal is restored before the signal takes effect
      signal.takeEffect()
      throw Refusal(message: nil)
    }
  }
}
