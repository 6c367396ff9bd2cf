package import FullScreen
package import Localization

extension LoadReport {
  /// The report for a terminal: the load, its outcome, and the latencies as a histogram with logarithmic ranges.
  ///
  /// - Parameter width: In columns. Less than 60 counts as 60.
  package func drawing(width: Int, _ glyphs: Glyphs, _ language: Language = .english) -> [[Drawing.Span]] {
    let plan = language.text(
      of: LocalizedMessage(BenchMessageKey.plan, ["method": .text(plan.method), "load": .sentence(plan.sentence)]))
    var rows = [Self.spans(plan, [(self.plan.method, .title)]), outcome(language)]
    for (reason, count) in errors.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      rows.append([.init("  \(language.text(of: Self.sentence(of: reason, count)))", .bad)])
    }
    if unanswered > 0 {
      let text = language.text(of: LocalizedMessage(BenchMessageKey.unanswered, ["count": .number(unanswered)]))
      rows.append([.init("  \(text)", .faint)])
    }
    if latencies.count > 0 {
      rows += [percentiles, []]
      rows += histogram(width: max(60, width), glyphs)
      rows.append([])
    }
    if let generator = generator(language) { rows.append(generator) }
    return rows
  }

  private func outcome(_ language: Language) -> [Drawing.Span] {
    let failed = language.text(
      of: errorCount == 0
        ? LocalizedMessage(BenchMessageKey.noErrors)
        : LocalizedMessage(BenchMessageKey.errors, ["count": .number(errorCount)]))
    let rate = "\(Figures.short(throughput))/s"
    let text = language.text(
      of: LocalizedMessage(
        BenchMessageKey.results,
        [
          "results": .number(results), "time": .text(Figures.duration(seconds)), "rate": .text(rate),
          "errors": .text(failed),
        ]))
    return Self.spans("  \(text)", [(rate, .title), (failed, errorCount == 0 ? .good : .bad)])
  }

  /// Divides a text into spans, and gives the first occurrence of each part its style. The order of the parts depends
  /// on the language.
  private static func spans(_ text: String, _ parts: [(text: String, style: Drawing.Style)]) -> [Drawing.Span] {
    let found = parts.compactMap { part in text.firstRange(of: part.text).map { (range: $0, style: part.style) } }
    var spans: [Drawing.Span] = []
    var end = text.startIndex
    for (range, style) in found.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) where range.lowerBound >= end
    {
      spans += [.init(String(text[end..<range.lowerBound])), .init(String(text[range]), style)]
      end = range.upperBound
    }
    return spans + [.init(String(text[end...]))]
  }

  private static func sentence(of reason: String, _ count: Int) -> LocalizedMessage {
    let meaning: BenchMessageKey? =
      switch reason {
      case Missing.disconnected: .disconnected
      case Missing.timedOut: .timedOut
      case Missing.notSent: .notSent
      default: nil
      }
    guard let meaning else {
      return LocalizedMessage(BenchMessageKey.error, ["count": .number(count), "reason": .text(reason)])
    }
    return LocalizedMessage(
      BenchMessageKey.errorMeans,
      ["count": .number(count), "reason": .text(reason), "meaning": .sentence(LocalizedMessage(meaning))])
  }

  /// The quantiles that a report shows, with their names.
  static let shares: [(name: String, share: Double)] = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)]

  private var percentiles: [Drawing.Span] {
    let quantiles =
      Self.shares.map { name, share in (name, latencies.quantile(share) ?? 0) } + [("max", latencies.most)]
    return quantiles.flatMap { name, value -> [Drawing.Span] in
      [.init("  \(name) ", .faint), .init(Figures.duration(Double(value) / 1e9), .title)]
    }
  }

  // MARK: Histogram

  private static let mostRows = 20

  private func histogram(width: Int, _ glyphs: Glyphs) -> [[Drawing.Span]] {
    let limits = Self.limits(from: latencies.least, to: latencies.most)
    let counts = latencies.counts(from: limits)
    let most = counts.max() ?? 1
    let marks = Self.shares.map { ($0.name, latencies.quantile($0.share) ?? 0) } + [("max", latencies.most)]
    let columns = width - 1 - 12 - 10 - 26
    return zip(limits, counts).enumerated().map { index, row in
      let (limit, count) = row
      let next = index + 1 < limits.count ? limits[index + 1] : .max
      let names = marks.filter { $0.1 >= limit && $0.1 < next }.map(\.0).joined(separator: " ")
      let share = Double(count) / Double(latencies.count)
      let bar = Self.bar(Double(count) / Double(most), columns: columns, glyphs)
      return [
        .init(Self.right(Figures.duration(Double(limit) / 1e9), 10) + "  ", .faint), .init(bar.done, .good),
        .init(bar.rest + Self.right(count > 0 ? Figures.percent(share) : "", 10)),
        .init(names.isEmpty ? "" : "  \(names)", .faint),
      ]
    }
  }

  /// The beginnings of logarithmic ranges that cover all durations: ten ranges per power of ten, or five, three or one
  /// if ten would be too many.
  static func limits(from least: Int64, to most: Int64) -> [Int64] {
    let series: [[Double]] = [
      [1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8], [1, 1.6, 2.5, 4, 6.3], [1, 2, 5], [1],
    ]
    for steps in series {
      let limits = limits(from: max(1, least), to: max(1, most), steps)
      if limits.count <= mostRows { return limits }
    }
    return limits(from: max(1, least), to: max(1, most), [1])
  }

  private static func limits(from least: Int64, to most: Int64, _ steps: [Double]) -> [Int64] {
    var limits: [Int64] = []
    var power = 1.0
    while power <= Double(most) {
      for step in steps where Double(most) >= power * step {
        let limit = Int64((power * step).rounded())
        // keeps only the last limit that is not above the least duration
        if limit <= least { limits = [] }
        limits.append(limit)
      }
      power *= 10
    }
    return limits
  }

  /// A bar of this many columns. Any share above 0 is visible.
  private static func bar(_ share: Double, columns: Int, _ glyphs: Glyphs) -> (done: String, rest: String) {
    let steps = glyphs.parts.count - 1
    let full = share > 0 ? max(1, Int((share * Double(columns * steps)).rounded())) : 0
    let done = String(repeating: glyphs.parts[steps], count: full / steps) + glyphs.parts[full % steps]
    return (done, String(repeating: " ", count: columns - full / steps - (full % steps > 0 ? 1 : 0)))
  }

  private static func right(_ text: String, _ columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - text.count)) + text
  }

  // MARK: The generator

  /// From this share of a core on, the generator's own speed limits the results.
  private static let busyShare = 0.9
  /// Beyond this lag, the generator distorts the latencies of an open loop.
  private static let lateNanoseconds = 1_000_000

  /// The load of the generator itself, and whether it distorts the numbers.
  private func generator(_ language: Language) -> [Drawing.Span]? {
    guard let share = processorShare else { return nil }
    var isBad = share >= Self.busyShare
    var sentence = LocalizedMessage(
      isBad ? BenchMessageKey.generatorBusy : .generator, ["share": .text(Figures.percent(share))])
    if let lag = lags.quantile(0.99) {
      sentence = LocalizedMessage(
        BenchMessageKey.generatorLate,
        ["generator": .sentence(sentence), "time": .text(Figures.duration(Double(lag) / 1e9))])
      isBad = isBad || lag > Self.lateNanoseconds
    }
    return [.init("  \(language.text(of: sentence))", isBad ? .warning : .faint)]
  }
}

extension LoadPlan {
  /// The load in words: "closed loop, 8 connections x 1 in flight".
  var sentence: LocalizedMessage {
    LocalizedMessage(
      rate == nil ? BenchMessageKey.closedLoop : .openLoop,
      [
        "rate": .text(Figures.short(rate ?? 0)), "connections": .number(connections), "inFlight": .number(inFlight),
      ])
  }
}
