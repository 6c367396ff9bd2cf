internal import ArgumentParser
internal import FullScreen
internal import Linux
internal import LoadGenerator
internal import RegdClient

struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures a regd that runs: throughput, latencies, errors; exit status 1 if there are any.",
    discussion: """
      Without --rate the next request goes as soon as one is answered (a closed loop). With it requests go when they are \
      due, and their latency counts from then (an open loop). Control-C ends the load and prints what there is.

      What changes accounts, works on passwords or asks an upstream is measured with --yes only. {n} in the texts of \
      --params is the request's number, from 1.
      """)

  @Option(help: "The method, as often as needed; else rpc.ping and registration.validate.") var method: [String] = []
  @Option(help: "Its params, as JSON; - reads them from standard input.") var params: String?
  @Option(help: "Connections, 1 to 1000.") var connections = 8
  @Option(help: "Requests without an answer for each connection, 1 to 1000.") var inFlight = 1
  @Option(help: "Requests a second, for an open loop.") var rate: Double?
  @Option(help: "Seconds to send requests for each method; else 5, or as long as --requests takes.") var duration:
    Double?
  @Option(help: "Requests for each method.") var requests: Int?
  @Flag(help: "Measure also what changes accounts, works on passwords or asks an upstream.") var yes = false
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    let bounds: [(name: String, value: Double, range: ClosedRange<Double>)] = [
      ("--connections", Double(connections), 1...1000), ("--in-flight", Double(inFlight), 1...1000),
      ("--rate", rate ?? 1, 0.001...10_000_000), ("--duration", duration ?? 1, 0.1...86_400),
      ("--requests", Double(requests ?? 1), 1...1e12),
    ]
    for (name, value, range) in bounds where !range.contains(value) {
      throw ValidationError(
        "\(name) takes \(Figures.short(range.lowerBound)) to \(Figures.short(range.upperBound)), not \(value)")
    }
    if params != nil, method.count != 1 {
      throw ValidationError("--params are those of one method: --method names it")
    }
  }

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
    if connection.json { print(JSONValue.object([.init("runs", .array(reports.map(\.json)))]).text) }
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
    var bar = ProgressBar(unit: "requests")
    return load.run { progress in
      bar.show(progress.fraction, count: progress.finished)
      return !Interruption.hasCome
    }
  }

  private func show(_ report: LoadReport) {
    for row in report.drawing(width: Terminal.width, Glyphs.ofLocale()) {
      print(Drawing.text(row, styled: Terminal.wantsColour))
    }
    print()
  }
}

/// Which methods a load does no harm with.
private struct BenchedMethods {
  /// They read, and work on no password.
  private static let harmless = [
    "rpc.ping", "rpc.discover", "rpc.serverInfo", "registration.validate", "registration.status", "account.get",
    "account.list", "outbox.list", "events.list", "daemon.status", "daemon.metrics",
  ]
  /// It only reads, but asks the upstream where there is one, which belongs to others.
  private static let asking = "registration.checkEmail"

  private let discovery: Discovery
  private let hasUpstream: Bool

  /// - Throws: `Refusal` or `RegdClientFailure` where regd does not say what it has.
  init(_ connection: ConnectionOptions) throws {
    discovery = try Discovery(connection)
    let info = try RegdClient(path: connection.path, timeoutSeconds: connection.timeout).call("rpc.serverInfo")
    guard case .success(let info) = info else { throw Refusal(message: "regd does not say what its network is") }
    hasUpstream = info["network"]?["backend"]?.string == "http"
  }

  /// - Throws: `Refusal` for the first that may do harm; `ValidationError` for one that does not exist.
  func check(_ methods: [String]) throws {
    for name in methods {
      _ = try discovery.method(name)
      if Self.harmless.contains(name) || (name == Self.asking && !hasUpstream) { continue }
      let why = name == Self.asking ? "asks the upstream" : "may change accounts, work on passwords or hold things open"
      throw Refusal(
        message: "\(name) \(why), so that a load of it needs --yes; without: \(Self.harmless.joined(separator: ", "))")
    }
  }
}
