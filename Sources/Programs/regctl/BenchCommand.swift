internal import ArgumentParser
internal import FullScreen
internal import Linux
internal import LoadGenerator
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: .said(WatchingHelp.bench),
    discussion: .said(WatchingHelp.benchMore))

  @Option(help: .said(WatchingHelp.benchMethod)) var method: [String] = []
  @Option(help: .said(WatchingHelp.benchParams, valueName: "json")) var params: String?
  @Option(help: .said(WatchingHelp.benchConnections, valueName: "count")) var connections = 8
  @Option(help: .said(WatchingHelp.benchInFlight, valueName: "count")) var inFlight = 1
  @Option(help: .said(WatchingHelp.benchRate, valueName: "number")) var rate: Double?
  @Option(help: .said(WatchingHelp.benchDuration, valueName: "seconds")) var duration: Double?
  @Option(help: .said(WatchingHelp.benchRequests, valueName: "count")) var requests: Int?
  @Flag(help: .said(WatchingHelp.benchYes)) var yes = false
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    let bounds: [(name: String, value: Double, range: ClosedRange<Double>)] = [
      ("--connections", Double(connections), 1...1000), ("--in-flight", Double(inFlight), 1...1000),
      ("--rate", rate ?? 1, 0.001...10_000_000), ("--duration", duration ?? 1, 0.1...86_400),
      ("--requests", Double(requests ?? 1), 1...1e12),
    ]
    for (name, value, range) in bounds where !range.contains(value) {
      throw ValidationError(
        UsageMessageKey.range,
        [
          "option": .text(name), "least": .text(Self.plain(range.lowerBound)),
          "most": .text(Self.plain(range.upperBound)), "value": .text(Self.plain(value)),
        ])
    }
    if params != nil, method.count != 1 {
      throw ValidationError(UsageMessageKey.paramsOfOneMethod)
    }
  }

  /// The number as it can be typed.
  private static func plain(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }

  func run() throws {
    let plans = try methods.map { try plan($0) }
    if !yes { try BenchedMethods(connection).check(plans.map(\.method)) }
    Interruption.catchSignals()
    var reports: [LoadReport] = []
    for plan in plans where !Interruption.hasCome {
      let report = try run(plan)
      reports.append(report)
      if !connection.json { show(report) }
    }
    if connection.json { Terminal.print(JSONValue.object([.init("runs", .array(reports.map(\.json)))]).text) }
    if reports.contains(where: { $0.errorCount > 0 }) { throw Refusal(message: nil) }
  }

  private var methods: [String] { method.isEmpty ? ["rpc.ping", "registration.validate"] : method }

  private func plan(_ method: String) throws -> LoadPlan {
    var plan = LoadPlan(method: method)
    plan.params = try params.map { try Call.json($0 == "-" ? Terminal.readStandardInput() : Array($0.utf8)) }
    if plan.params == nil, method == "registration.validate" {
      let password = "a phrase to measure with"
      plan.params = RegdClient.entry(email: "bench@example.com", password: password, confirmation: password)
    }
    (plan.connections, plan.inFlight, plan.rate) = (connections, inFlight, rate)
    (plan.seconds, plan.requests) = (duration ?? (requests == nil ? 5 : nil), requests)
    plan.timeoutSeconds = connection.timeout
    return plan
  }

  private func run(_ plan: LoadPlan) throws(RegdClientFailure) -> LoadReport {
    let load = try LoadRun(plan, path: connection.path)
    var bar = ProgressBar(of: .requests)
    return load.run { progress in
      bar.show(progress.fraction, count: progress.finished)
      return !Interruption.hasCome
    }
  }

  private func show(_ report: LoadReport) {
    Terminal.print(report.drawing(width: Terminal.width, Glyphs.ofLocale(), Speech.language))
    Terminal.print()
  }
}

/// Decides which methods may be put under load without harm.
private struct BenchedMethods {
  /// Methods that only read, and hash no password.
  private static let harmless = [
    "rpc.ping", "rpc.discover", "rpc.serverInfo", "registration.validate", "registration.status", "account.get",
    "account.list", "outbox.list", "events.list", "daemon.status", "daemon.metrics",
  ]
  /// A method that only reads, but makes regd ask the upstream, which other people operate. Allowed only without an
  /// upstream.
  private static let asking = "registration.checkEmail"

  private let discovery: Discovery
  private let hasUpstream: Bool

  /// - Throws: `Refusal` or `RegdClientFailure` if regd does not describe itself.
  init(_ connection: ConnectionOptions) throws {
    discovery = try Discovery(connection)
    let info = try connection.client().call("rpc.serverInfo")
    guard case .success(let info) = info else { throw Refusal(FailureMessageKey.networkUnknown) }
    hasUpstream = info["network"]?["backend"]?.string == "http"
  }

  /// - Throws: `Refusal` for the first method that may do harm, or `ValidationError` for a method that does not exist.
  func check(_ methods: [String]) throws {
    for name in methods {
      _ = try discovery.method(name)
      if Self.harmless.contains(name) || (name == Self.asking && !hasUpstream) { continue }
      throw Refusal(
        name == Self.asking ? FailureMessageKey.benchAsks : .benchChanges,
        ["method": .text(name), "methods": .list(Self.harmless)])
    }
  }
}
