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

/// The head of a monitoring system's request (RFC 9112). Its fields are ignored, because every client may read the
/// metrics, and there is one format.
enum ScrapeRequest {
  /// A request for the metrics, where `withBody` is false for HEAD, or the answer that refuses any other request.
  enum Reading: Equatable {
    case metrics(withBody: Bool)
    case refused(ScrapeAnswer)
  }

  /// The most bytes of a head.
  static let longest = 16_384

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Whether the head is complete: it ends with an empty line.
  static func isWhole(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { index in
      guard bytes[index] == lineFeed else { return false }
      let rest = bytes[(index + 1)...]
      return rest.first == lineFeed || rest.starts(with: [carriageReturn, lineFeed])
    }
  }

  /// - Parameter bytes: Nil if the head did not come in time.
  static func read(_ bytes: [UInt8]?) -> Reading {
    guard let bytes else { return .refused(.plain(.late)) }
    guard isWhole(bytes) else { return .refused(.plain(bytes.count > longest ? .headTooLong : .badRequest)) }
    guard let line = bytes.split(separator: lineFeed, maxSplits: 1).first,
      let text = String(validating: line, as: UTF8.self)
    else { return .refused(.plain(.badRequest)) }
    let words = (text.hasSuffix("\r") ? text.dropLast() : text[...]).split(
      separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[1].hasPrefix("/"), words[2].wholeMatch(of: /HTTP\/[0-9]\.[0-9]/) != nil else {
      return .refused(.plain(.badRequest))
    }
    guard words[2].hasPrefix("HTTP/1.") else { return .refused(.plain(.otherVersion)) }
    guard words[1].prefix(while: { $0 != "?" }) == "/metrics" else { return .refused(.plain(.notFound)) }
    switch words[0] {
    case "GET": return .metrics(withBody: true)
    case "HEAD": return .metrics(withBody: false)
    default: return .refused(.plain(.methodNotAllowed, nil, [("Allow", "GET, HEAD")]))
    }
  }
}

/// An HTTP answer to a monitoring system. It closes the connection.
struct ScrapeAnswer: Equatable {
  /// Status line, fields and body.
  let text: String
  /// The part of `text` before the body.
  private let head: String

  static func metrics(_ text: String) -> ScrapeAnswer {
    ScrapeAnswer(.ok, "application/openmetrics-text; version=1.0.0; charset=utf-8", text, [])
  }

  /// - Parameters:
  ///   - line: The problem, for a person who reads the answer, or nil for the phrase of the status.
  ///   - fields: Further header fields.
  static func plain(_ status: HTTPStatus, _ line: String? = nil, _ fields: [(String, String)] = []) -> ScrapeAnswer {
    ScrapeAnswer(status, "text/plain; charset=utf-8", "\(line ?? status.phrase)\n", fields)
  }

  private init(_ status: HTTPStatus, _ type: String, _ body: String, _ fields: [(String, String)]) {
    let always = [
      ("Content-Type", type), ("Content-Length", "\(body.utf8.count)"), ("Cache-Control", "no-store"),
      ("Connection", "close"),
    ]
    head = status.head((always + fields).map { (name: $0, value: HarmlessText.line($1)) })
    text = head + body
  }

  private init(head: String) { (self.head, text) = (head, head) }

  /// - Parameter body: False for HEAD, whose answer has the length of the body that GET would get (RFC 9110 §9.3.2).
  func saying(body: Bool) -> ScrapeAnswer { body ? self : ScrapeAnswer(head: head) }
}
