internal import FullScreen
internal import Localization

/// The rows above the tables: regd, its load, and its parts.
extension TopView {
  var head: [Row] {
    guard let snapshot = state.snapshot else { return [title(nil), link].compactMap { $0 } + [[]] }
    return [title(snapshot)] + [link].compactMap { $0 } + [
      requests, latency, connections(snapshot), hashing(snapshot),
      part(.store, snapshot.store, damage(snapshot)), part(.network, snapshot.network, upstream(snapshot)),
      log(snapshot),
    ] + doors + [[]]
  }

  private func title(_ snapshot: Snapshot?) -> Row {
    let name =
      snapshot.map {
        said(
          TopMessageKey.upTime,
          ["version": .text($0.version), "time": .text(Figures.span(Double($0.uptimeSeconds)))])
      } ?? "regd"
    let right = said(state.isPaused ? TopMessageKey.paused : .every, ["time": .text(periodText)])
    let taken = glyphs.cells(name).columns + glyphs.cells(right).columns
    let socket = glyphs.cells("  \(state.socket)").prefix(columns: max(0, width - taken - 1))
    let gap = max(1, width - taken - socket.columns)
    return [
      .init(name, .title), .init(socket.text, .faint),
      .init(String(repeating: " ", count: gap)), .init(right, state.isPaused ? .warning : .faint),
    ]
  }

  /// The row that reports that regd is unreachable, or nil while regd is reachable.
  private var link: Row? {
    guard case .lost(let reason, let seconds) = state.link else { return nil }
    let news =
      seconds > 0
      ? said(TopMessageKey.lost, ["reason": .text(reason), "time": .text(Figures.span(seconds.rounded(.up)))])
      : said(TopMessageKey.tryingAgain, ["reason": .text(reason)]) + glyphs.ellipsis
    return [.init("\(glyphs.invalid) \(news)", .bad)]
  }

  var periodText: String {
    let isWhole = state.period == state.period.rounded()
    return "\(isWhole ? "\(Int(state.period))" : Figures.decimals(state.period, 2)) s"
  }

  private static let labels: [TopMessageKey] = [
    .requests, .latency, .callers, .hashing, .store, .network, .log, .doors,
  ]

  /// The width of the column with the rows' names, in columns. It is ten in English.
  private var labelWidth: Int {
    min(20, max(10, (Self.labels.map { glyphs.cells(said($0)).columns }.max() ?? 0) + 1))
  }

  private func label(_ key: TopMessageKey) -> Drawing.Span { .init(left(said(key), labelWidth), .faint) }

  private var requests: Row {
    let (rate, refused) = (state.interval?.rate ?? 0, state.interval?.refusedRate ?? 0)
    let numbers = left("\(Figures.short(rate))/s", 12)
    let refusals = left(
      said(
        rate > 0 && refused > 0 ? TopMessageKey.refusedShare : .refused,
        ["rate": .text(Figures.short(refused)), "share": .text(Figures.percent(rate > 0 ? refused / rate : 0))]), 26)
    return [
      label(.requests), .init(numbers, .title), .init(refusals, refused > 0 ? .warning : .plain),
      .init(chart(columns: width - labelWidth - 12 - 26 - 1), .good),
    ]
  }

  /// Requests per second in the last intervals, the latest one at the right. The highest one fills its column.
  private func chart(columns: Int) -> String {
    let rates = state.history.suffix(max(0, columns))
    guard let most = rates.max(), most > 0 else { return "" }
    let steps = Double(glyphs.levels.count - 1)
    let levels = rates.map { rate in
      // any rate above 0 is visible
      glyphs.levels[rate > 0 ? max(1, Int((rate / most * steps).rounded())) : 0]
    }
    return String(repeating: " ", count: columns - rates.count) + levels.joined()
  }

  private var latency: Row {
    let latencies = state.interval?.latencies ?? LatencyBuckets()
    let texts = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)].map { name, share in
      left("\(name) \(text(latencies.quantile(share)))", 14)
    }
    return [label(.latency), .init(texts.joined()), .init(said(TopMessageKey.ofWhatTakesTime), .faint)]
  }

  private func connections(_ snapshot: Snapshot) -> Row {
    [
      label(.callers), count(.connected, Figures.count(snapshot.connections)),
      count(.inFlight, Figures.count(snapshot.inFlight)), count(.queued, Figures.bytes(snapshot.queuedBytes)),
      .init(said(TopMessageKey.subscribed, ["count": .text(Figures.count(snapshot.subscribers))])),
    ]
  }

  private func count(_ key: TopMessageKey, _ count: String, _ style: Drawing.Style = .plain) -> Drawing.Span {
    .init(left(said(key, ["count": .text(count)]), 18), style)
  }

  private func hashing(_ snapshot: Snapshot) -> Row {
    let hashing = snapshot.hashing
    let share = hashing.queue > 0 ? Double(snapshot.waitingHashes) / Double(hashing.queue) : 0
    let style: Drawing.Style = share >= 0.8 ? .bad : share >= 0.3 ? .warning : .good
    let busy = min(hashing.pending, hashing.workers)
    let text = said(
      TopMessageKey.waitingHashes,
      [
        "waiting": .number(snapshot.waitingHashes), "queue": .number(hashing.queue), "busy": .number(busy),
        "workers": .number(hashing.workers),
      ])
    return [label(.hashing), .init("[")] + bar(share, columns: 20, style) + [.init("] \(text)")]
  }

  /// The row for a part of regd: a mark for its condition, `more`, and since when the condition lasts.
  private func part(_ name: TopMessageKey, _ part: Snapshot.Part, _ more: Row) -> Row {
    // cut to minutes, so that it fits into the row
    let since = LocalizedMessage.Content.text("\(part.since.prefix(16).replacing("T", with: " "))Z")
    let mark: Drawing.Span =
      part.isHealthy ? .init("\(glyphs.valid)  ", .good) : .init("\(glyphs.invalid)  ", .bad)
    let news: Drawing.Span =
      part.isHealthy
      ? .init(said(TopMessageKey.since, ["time": since]), .faint)
      : .init(said(TopMessageKey.sinceFailure, ["time": since, "reason": .text(part.failure ?? "?")]), .bad)
    return [label(name), .init("\(part.backend) "), mark] + more + [news]
  }

  private func damage(_ snapshot: Snapshot) -> Row {
    guard snapshot.damagedRows > 0 else { return [] }
    return [.init("\(said(TopMessageKey.rowsUnreadable, ["count": .number(snapshot.damagedRows)]))  ", .bad)]
  }

  private func upstream(_ snapshot: Snapshot) -> Row {
    func waiting(_ key: TopMessageKey, _ count: Int) -> Drawing.Span {
      .init("\(said(key, ["count": .text(Figures.count(count))]))  ", count > 0 ? .warning : .plain)
    }
    var spans = [waiting(.outbox, snapshot.outboxWaiting)]
    if snapshot.approvalWaiting > 0 { spans.append(waiting(.approval, snapshot.approvalWaiting)) }
    guard let breaker = snapshot.breaker else { return spans }
    let style: Drawing.Style = breaker == "closed" ? .plain : breaker == "open" ? .bad : .warning
    return [.init(said(TopMessageKey.breaker, ["state": .text(breaker)]), style), .init("  ")] + spans
  }

  private static let mostDoors = 3

  /// A row for each of the busiest doors (listeners for other protocols). The last row shows how many more there are.
  private var doors: [Row] {
    let all = state.interval?.doors ?? []
    return all.prefix(Self.mostDoors).enumerated().map { index, door in
      let rates = door.rates
      let text = said(
        TopMessageKey.verdicts,
        [
          "right": .text(Figures.short(rates.right)), "wrong": .text(Figures.short(rates.wrong)),
          "refused": .text(Figures.short(rates.refused)), "away": .text(Figures.short(rates.away)),
        ])
      let style: Drawing.Style = rates.away > 0 ? .bad : rates.wrong > 0 ? .warning : .plain
      let more = index == Self.mostDoors - 1 && all.count > Self.mostDoors ? "  +\(all.count - Self.mostDoors)" : ""
      return [index == 0 ? label(.doors) : .init(left("", labelWidth)), .init(left(door.name, 14)), .init(text, style)]
        + (more.isEmpty ? [] : [.init(more, .faint)])
    }
  }

  private func log(_ snapshot: Snapshot) -> Row {
    let log = snapshot.log
    return [
      label(.log), count(.waiting, Figures.count(log.waiting)),
      count(.dropped, Figures.count(log.dropped), log.dropped > 0 ? .bad : .plain),
      .init(said(TopMessageKey.heldBack, ["count": .text(Figures.count(log.heldBack))])),
    ]
  }
}
