internal import CCurl
internal import CurlTransfers

/// The transfers of the loop's thread: those that wait for a connection, and those that libcurl runs.
struct TransfersInFlight: LoopTransfers {
  private let configuration: HTTPNetwork.Configuration
  private let sockets = OpenSockets()
  private var turns: TransferTurns<Transfer>
  /// The transfers that wait for a connection. `turns` determines their order.
  private var waiting: [ObjectIdentifier: Transfer] = [:]
  /// The time of the next search for transfers that have waited too long, at or before the first `latestStart`, or nil
  /// if none waits.
  private var nextLatestStart: ContinuousClock.Instant?
  private var running: RunningHandles<RunningTransfer>

  init(_ multi: UnsafeMutableRawPointer, _ configuration: HTTPNetwork.Configuration) {
    running = RunningHandles(multi)
    self.configuration = configuration
    turns = TransferTurns(
      connections: configuration.maximumConnections, maximumWaiting: configuration.maximumWaiting)
  }

  mutating func add(_ transfer: Transfer) {
    // the caller may have been cancelled before the loop took the transfer
    guard !transfer.isCancelled else { return transfer.finish(.unsent(.unstarted, "cancelled")) }
    guard turns.append(transfer, of: transfer.share) else {
      return transfer.finish(.unsent(.unstarted, "its user has too many waiting"))
    }
    waiting[ObjectIdentifier(transfer)] = transfer
    nextLatestStart = min(nextLatestStart ?? transfer.latestStart, transfer.latestStart)
  }

  mutating func cancel(_ transfer: Transfer) {
    if waiting[ObjectIdentifier(transfer)] != nil {
      withdraw(transfer, "cancelled")
    } else if let running = running.all.first(where: { $0.transfer === transfer }) {
      end(running, .outOfTime, "cancelled")
    }
  }

  /// Does all that is possible now without waiting.
  mutating func advance() {
    var hasDone = true
    while hasDone {
      startWaiting()
      let done = running.perform()
      for (running, code, reply) in done {
        if code == CURLE_ABORTED_BY_CALLBACK, running.needsFreshConnection {
          start(running.transfer, after: running)
        } else {
          turns.ended(of: running.transfer.share)
          running.transfer.finish(reply)
        }
      }
      hasDone = !done.isEmpty
    }
  }

  func pause() { running.pause(until: nextLatestStart) }

  mutating func endAll() {
    for transfer in waiting.values { transfer.finish(.unsent(.broken, "stopped")) }
    waiting = [:]
    for running in Array(running.all) { end(running, .broken, "stopped") }
  }

  private mutating func startWaiting() {
    let now = ContinuousClock.now
    if let first = nextLatestStart, first <= now {
      for transfer in waiting.values where transfer.latestStart <= now {
        withdraw(transfer, "no connection became free in time")
      }
      nextLatestStart = waiting.values.map(\.latestStart).min()
    }
    while let transfer = turns.next() {
      waiting[ObjectIdentifier(transfer)] = nil
      start(transfer)
    }
  }

  private mutating func withdraw(_ transfer: Transfer, _ message: String) {
    waiting[ObjectIdentifier(transfer)] = nil
    _ = turns.withdraw(of: transfer.share) { $0 === transfer }
    transfer.finish(.unsent(.unstarted, message))
  }

  private mutating func start(_ transfer: Transfer, after former: RunningTransfer? = nil) {
    let milliseconds = (transfer.deadline - .now).wholeMilliseconds
    let started = RunningTransfer(transfer, configuration, sockets, milliseconds: milliseconds, after: former)
    guard let started, running.add(started) else {
      let words = "libcurl has refused the transfer"
      turns.ended(of: transfer.share)
      return transfer.finish(former?.reply(.broken, words) ?? .unsent(.broken, words))
    }
  }

  /// Ends a transfer that libcurl still runs.
  private mutating func end(_ stopped: RunningTransfer, _ end: TransferEnd, _ message: String) {
    let reply = stopped.reply(end, message)
    running.remove(stopped)
    turns.ended(of: stopped.transfer.share)
    stopped.transfer.finish(reply)
  }
}
