internal import ArgumentParser
internal import DoorHelpers
internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages
internal import WireFormats

/// `regctl metrics`: prints regd's metrics, or hands them to a monitoring system.
struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics", abstract: .said(AdministeringHelp.metrics), discussion: .said(AdministeringHelp.metricsMore)
  )

  @Flag(help: .said(AdministeringHelp.metricsHTTP)) var http = false
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard !(http && connection.json) else { throw ValidationError(UsageMessageKey.httpOrJSON) }
  }

  func run() throws {
    if http { return try serve() }
    try connection.call("daemon.metrics") { result in
      if !connection.json { Terminal.print(result["text"]?.string ?? "", terminator: "") }
    }
  }

  /// Answers one HTTP request, as a service that systemd starts for each connection (`Accept=yes`). If regd cannot be
  /// reached, the answer says so and the command succeeds, because otherwise each scrape would leave a failed unit.
  private func serve() throws {
    let head = HandedInput.read(
      .standardInput, atMost: ScrapeRequest.longest, seconds: connection.timeout, until: ScrapeRequest.isWhole)
    let answer: ScrapeAnswer
    switch ScrapeRequest.read(head) {
    case .refused(let refusal): answer = refusal
    case .metrics(let withBody): answer = metrics().saying(body: withBody)
    }
    do throws(SystemError) {
      try Descriptor.standardOutput.writeAll(answer.text)
    } catch {
      throw Refusal(FailureMessageKey.outputLost)
    }
  }

  private func metrics() -> ScrapeAnswer {
    do {
      switch try connection.answer(to: "daemon.metrics") {
      case .success(let result): return .metrics(result["text"]?.string ?? "")
      case .failure(let error):
        return away(
          ConnectionOptions.line(of: error), reason: error.reason,
          error.reason == "access.denied" ? .forbidden : .unavailable)
      }
    } catch {
      let text = (error as? RegdClientFailure).map { Speech.text($0.sentence) } ?? "\(error)"
      return away(text, reason: "regd.away", .unavailable)
    }
  }

  /// The answer without metrics. Also reports the reason on standard error, which systemd sends to the journal.
  private func away(_ text: String, reason: String, _ status: HTTPStatus) -> ScrapeAnswer {
    Terminal.report(text: text)
    return .plain(status, HarmlessText.line(text), [("X-Regd-Reason", reason)])
  }
}
