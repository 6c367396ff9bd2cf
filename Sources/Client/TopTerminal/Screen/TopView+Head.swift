internal import FullScreen

/// The rows above the tables: regd, its load, and its parts.
extension TopView {
  var head: [Row] {
    guard let snapshot = state.snapshot else { return [title(nil), link].compactMap { $0 } + [[]] }
    return [title(snapshot)] + [link].compactMap { $0 } + [
      requests, latency, connections(snapshot), hashing(snapshot),
      part("store", snapshot.store, damage(snapshot)), part("network", snapshot.network, upstream(snapshot)),
      log(snapshot), [],
    ]
  }

  private func title(_ snapshot: Snapshot?) -> Row {
    let name = snapshot.map { "regd \($0.version), up \(Figures.span(Double($0.uptimeSeconds)))" } ?? "regd"
    let every = "every \(periodText)"
    let right = state.isPaused ? "PAUSED  \(every)" : every
    let socket = "  \(state.socket)"
    let gap = max(1, width - name.count - socket.count - right.count)
    return [
      .init(name, .title), .init(String(socket.prefix(max(0, width - name.count - right.count - 1))), .faint),
      .init(String(repeating: " ", count: gap)), .init(right, state.isPaused ? .warning : .faint),
    ]
  }

  /// Says that regd is not there; nil where it is.
  private var link: Row? {
    guard case .lost(let reason, let seconds) = state.link else { return nil }
    let again = seconds > 0 ? "again in \(Figures.span(seconds.rounded(.up)))" : "trying again\(glyphs.ellipsis)"
    return [.init("\(glyphs.invalid) \(reason); \(again)", .bad)]
  }

  var periodText: String {
    let isWhole = state.period == state.period.rounded()
    return "\(isWhole ? "\(Int(state.period))" : Figures.decimals(state.period, 2)) s"
  }

  private func label(_ text: String) -> Drawing.Span {
    .init(text + String(repeating: " ", count: max(1, 10 - text.count)), .faint)
  }

  private var requests: Row {
    let (rate, refused) = (state.interval?.rate ?? 0, state.interval?.refusedRate ?? 0)
    let share = rate > 0 && refused > 0 ? " (\(Figures.percent(refused / rate)))" : ""
    let numbers = left("\(Figures.short(rate))/s", 12)
    let refusals = left("refused \(Figures.short(refused))/s\(share)", 26)
    return [
      label("requests"), .init(numbers, .title), .init(refusals, refused > 0 ? .warning : .plain),
      .init(chart(columns: width - 10 - 12 - 26 - 1), .good),
    ]
  }

  /// Requests a second over the last intervals, the latest one at the right; the highest is a full column.
  private func chart(columns: Int) -> String {
    let rates = state.history.suffix(max(0, columns))
    guard let most = rates.max(), most > 0 else { return "" }
    let steps = Double(glyphs.levels.count - 1)
    let levels = rates.map { rate in
      // what is not nothing is seen
      glyphs.levels[rate > 0 ? max(1, Int((rate / most * steps).rounded())) : 0]
    }
    return String(repeating: " ", count: columns - rates.count) + levels.joined()
  }

  private var latency: Row {
    let latencies = state.interval?.latencies ?? LatencyBuckets()
    let texts = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)].map { name, share in
      left("\(name) \(text(latencies.quantile(share)))", 14)
    }
    return [label("latency"), .init(texts.joined()), .init("of what takes time", .faint)]
  }

  private func connections(_ snapshot: Snapshot) -> Row {
    [
      label("callers"), .init(left("\(Figures.count(snapshot.connections)) connected", 18)),
      .init(left("\(Figures.count(snapshot.inFlight)) in flight", 18)),
      .init(left("\(Figures.bytes(snapshot.queuedBytes)) queued", 18)),
      .init("\(Figures.count(snapshot.subscribers)) subscribed"),
    ]
  }

  private func hashing(_ snapshot: Snapshot) -> Row {
    let hashing = snapshot.hashing
    let share = hashing.queue > 0 ? Double(snapshot.waitingHashes) / Double(hashing.queue) : 0
    let style: Drawing.Style = share >= 0.8 ? .bad : share >= 0.3 ? .warning : .good
    let busy = min(hashing.pending, hashing.workers)
    return [label("hashing"), .init("[")] + bar(share, columns: 20, style) + [
      .init("] \(snapshot.waitingHashes) of \(hashing.queue) wait, \(busy) of \(hashing.workers) workers busy")
    ]
  }

  /// A part of regd and how it is; `more` is what is said beside it.
  private func part(_ name: String, _ part: Snapshot.Part, _ more: Row) -> Row {
    // to the minute, which fits beside the rest of it
    let since = "since \(part.since.prefix(16).replacing("T", with: " "))Z"
    let mark: Drawing.Span =
      part.isHealthy ? .init("\(glyphs.valid)  ", .good) : .init("\(glyphs.invalid)  ", .bad)
    let news: Drawing.Span =
      part.isHealthy ? .init(since, .faint) : .init("\(since): \(part.failure ?? "?")", .bad)
    return [label(name), .init("\(part.backend) "), mark] + more + [news]
  }

  private func damage(_ snapshot: Snapshot) -> Row {
    snapshot.damagedRows > 0 ? [.init("\(snapshot.damagedRows) rows cannot be read  ", .bad)] : []
  }

  private func upstream(_ snapshot: Snapshot) -> Row {
    let waiting = snapshot.outboxWaiting
    let outbox = Drawing.Span("outbox \(Figures.count(waiting)) waiting  ", waiting > 0 ? .warning : .plain)
    guard let breaker = snapshot.breaker else { return [outbox] }
    let style: Drawing.Style = breaker == "closed" ? .plain : breaker == "open" ? .bad : .warning
    return [.init("breaker \(breaker)", style), .init("  "), outbox]
  }

  private func log(_ snapshot: Snapshot) -> Row {
    let log = snapshot.log
    return [
      label("log"), .init(left("\(Figures.count(log.waiting)) waiting", 18)),
      .init(left("\(Figures.count(log.dropped)) dropped", 18), log.dropped > 0 ? .bad : .plain),
      .init("\(Figures.count(log.heldBack)) held back"),
    ]
  }
}
