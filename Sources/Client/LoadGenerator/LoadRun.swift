internal import Linux
package import RegdClient

/// Sends load to a regd and measures its answers. Uses one thread, which blocks, and at most one core.
package final class LoadRun {
  package struct Progress: Equatable, Sendable {
    /// 0 to 1.
    package let fraction: Double
    /// Requests that were answered, or whose answer will not come.
    package let finished: Int
  }

  private let plan: LoadPlan
  private let template: RequestTemplate
  private var connections: [LoadConnection] = []
  private var report: LoadReport
  private var begin = ContinuousClock.now
  private var sent = 0
  /// Requests in flight.
  private var waiting: Int { connections.reduce(0) { $0 + $1.waiting } }
  /// The index of the connection that sent last. The next request tries the one after it.
  private var turn = 0
  /// Whether all connections are full, so that the next request of an open loop waits for regd and not for the
  /// generator.
  private var isHeldUp = false

  private static let progressEvery: Duration = .milliseconds(100)

  /// Connects, but sends nothing yet.
  ///
  /// - Throws: `.cannotConnect`.
  package init(_ plan: LoadPlan, path: String) throws(RegdClientFailure) {
    self.plan = plan
    template = RequestTemplate(plan.method, plan.params)
    report = LoadReport(plan)
    for _ in 0..<plan.connections {
      let connection = try LoadConnection(
        path: path, inFlight: plan.inFlight, timeoutSeconds: plan.timeoutSeconds)
      connections.append(connection)
    }
  }

  /// Runs the load to its end. Call it once.
  ///
  /// - Parameter isWanted: Gets the progress about ten times a second. If it returns false, the load ends at once, and the
  ///   report covers what was done so far.
  package func run(_ isWanted: (Progress) -> Bool) -> LoadReport {
    let processorTime = ThisProcess.processorTime
    begin = .now
    var nextProgress = ContinuousClock.now
    var lastAnswer = now
    while true {
      let before = answered
      let isSending = send()
      if !isSending, waiting == 0 || connections.isEmpty { break }
      if connections.isEmpty { break }
      let limit = isHeldUp || !isSending ? Self.progressEvery : min(Self.progressEvery, untilNextRequest)
      wait(atMost: limit)
      if answered != before { lastAnswer = now }
      if !isSending, now - lastAnswer > Int64(plan.timeoutSeconds) * 1_000_000_000 {
        lose(waiting, LoadReport.Missing.timedOut)
        break
      }
      guard .now >= nextProgress else { continue }
      nextProgress = .now + Self.progressEvery
      guard isWanted(Progress(fraction: fraction, finished: answered)) else {
        report.unanswered = waiting
        return finish(processorTime)
      }
    }
    let due = plan.due(at: now)
    lose(max(0, due - sent), LoadReport.Missing.notSent)
    return finish(processorTime)
  }

  private func finish(_ processorTime: Duration?) -> LoadReport {
    report.seconds = Double(now) / 1e9
    if let processorTime, let end = ThisProcess.processorTime, report.seconds > 0 {
      report.processorShare = (end - processorTime) / .seconds(1) / report.seconds
    }
    return report
  }

  /// Nanoseconds since the start.
  private var now: Int64 {
    let (seconds, attoseconds) = (ContinuousClock.now - begin).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  private var answered: Int { report.results + report.errorCount }

  private var fraction: Double {
    let time = plan.seconds.map { Double(now) / 1e9 / $0 } ?? 0
    let requests = plan.total < .max ? Double(answered) / Double(plan.total) : 0
    return min(1, max(time, requests))
  }

  private var untilNextRequest: Duration {
    plan.rate == nil ? Self.progressEvery : .nanoseconds(max(0, plan.time(of: sent) - now))
  }

  // MARK: Requests

  /// Sends the requests that are due, as far as there is room.
  ///
  /// - Returns: Whether more requests have to be sent later.
  private func send() -> Bool {
    let time = now
    let isOver = plan.seconds.map { Double(time) >= $0 * 1e9 } ?? false
    guard !isOver, sent < plan.total, !connections.isEmpty else { return false }
    if plan.rate == nil { sendClosed(time) } else { sendOpen(time) }
    drop(connections.filter { !$0.flush() })
    return sent < plan.total
  }

  private func sendClosed(_ time: Int64) {
    for connection in connections {
      while !connection.isFull, sent < plan.total {
        sent += 1
        connection.add(template, number: sent, at: time)
      }
    }
  }

  private func sendOpen(_ time: Int64) {
    let due = plan.due(at: time)
    while sent < due {
      guard let connection = roomiest else {
        isHeldUp = true
        return
      }
      let intended = plan.time(of: sent)
      if !isHeldUp { report.lags.record(time - intended) }
      sent += 1
      connection.add(template, number: sent, at: intended)
    }
    isHeldUp = false
  }

  /// The next connection that is not full, or nil if all are full.
  private var roomiest: LoadConnection? {
    for _ in connections.indices {
      turn = (turn + 1) % connections.count
      if !connections[turn].isFull { return connections[turn] }
    }
    return nil
  }

  // MARK: Answers

  private func wait(atMost limit: Duration) {
    let interests = connections.map(\.interests)
    let ready = Polling.wait(for: interests.flatMap { $0 }, atMost: limit)
    var place = 0
    var gone: [LoadConnection] = []
    for (connection, own) in zip(connections, interests) {
      let isReady = ready[place..<(place + own.count)].contains(true)
      place += own.count
      guard isReady else { continue }
      let isThere = connection.receive { reply, time in take(reply, time) }
      if !isThere || !connection.flush() { gone.append(connection) }
    }
    drop(gone)
  }

  private func take(_ reply: LoadReply, _ time: Int64?) {
    if let reason = reply.reason {
      report.errors[reason, default: 0] += 1
    }
    // no latency for a reply without a request
    else if let time {
      report.latencies.record(now - time)
    }
  }

  /// Removes connections that have ended, and counts their missing answers as errors.
  private func drop(_ gone: [LoadConnection]) {
    guard !gone.isEmpty else { return }
    lose(gone.reduce(0) { $0 + $1.waiting }, LoadReport.Missing.disconnected)
    connections.removeAll { connection in gone.contains { $0 === connection } }
  }

  private func lose(_ count: Int, _ reason: String) {
    if count > 0 { report.errors[reason, default: 0] += count }
  }
}

/// The load to generate.
package struct LoadPlan: Equatable, Sendable {
  package let method: String
  /// In texts within the params, `{n}` means the request's number, from 1.
  package var params: JSONValue?
  package var connections = 8
  /// The most requests in flight per connection, 1 or more.
  package var inFlight = 1
  /// Requests per second, whether or not regd keeps up (an open loop), or nil to send the next request as soon as one is
  /// answered (a closed loop).
  package var rate: Double?
  /// No request is sent after this many seconds. Nil means no limit.
  package var seconds: Double?
  /// The number of requests to send, or nil for no limit.
  package var requests: Int?
  /// The longest wait for answers after the last request was sent, in seconds.
  package var timeoutSeconds = 60

  package init(method: String) { self.method = method }

  /// The number of requests that an open loop must have sent by a time.
  ///
  /// - Parameter nanoseconds: The time since the start.
  func due(at nanoseconds: Int64) -> Int {
    guard let rate else { return 0 }
    let last = min(Double(nanoseconds), seconds.map { $0 * 1e9 } ?? .infinity)
    // the first request is due at once
    let due = min((last * rate / 1e9).rounded(.down) + 1, 1e15)
    return min(Int(due), total)
  }

  /// When a request of an open loop is due, in nanoseconds since the start.
  ///
  /// - Parameter number: Counted from 0.
  func time(of number: Int) -> Int64 { Int64(min(Double(number) * 1e9 / (rate ?? 1), 9e18)) }

  /// The most requests that the load can have.
  var total: Int {
    guard let rate, let seconds else { return requests ?? .max }
    return min(requests ?? .max, max(1, Int(min((seconds * rate).rounded(), 1e15))))
  }
}
