internal import CCurl
internal import CurlTransfers
internal import Linux

/// The transfers of the loop's thread: those that wait for their turn, and those that libcurl runs.
struct TransfersUnderWay: LoopTransfers {
  private let multi: UnsafeMutableRawPointer
  private let configuration: HTTPNetwork.Configuration
  private let sockets = OpenSockets()
  private var turns: TransferTurns<Transfer>
  /// The transfers that wait for their turn.
  private var waiting: [ObjectIdentifier: Transfer] = [:]
  /// Not later than the latest start of any waiting transfer; nil if none waits.
  private var nextLatestStart: ContinuousClock.Instant?
  /// Keyed by easy handle.
  private var running: [UnsafeMutableRawPointer: RunningTransfer] = [:]

  init(_ multi: UnsafeMutableRawPointer, _ configuration: HTTPNetwork.Configuration) {
    self.multi = multi
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
    } else if let (easy, running) = running.first(where: { $0.value.transfer === transfer }) {
      end(easy, running, .outOfTime, "cancelled")
    }
  }

  /// Does all that is possible now without waiting.
  mutating func advance() {
    repeat {
      startWaiting()
      var count: Int32 = 0
      // if it fails, the transfers stay as they are, and their deadlines end them
      _ = curl_multi_perform(multi, &count)
    } while finishDone()
  }

  /// Waits for a socket, a timer of libcurl, the earliest latest start of a waiting transfer, or a wake-up.
  func pause() {
    var milliseconds = 60_000
    if let first = nextLatestStart { milliseconds = min(milliseconds, Self.milliseconds(until: first)) }
    if curl_multi_poll(multi, nil, 0, Int32(milliseconds), nil) != CURLM_OK {
      ThisThread.sleep(for: .milliseconds(10))  // no busy loop if waiting fails
    }
  }

  mutating func endAll() {
    for transfer in waiting.values { transfer.finish(.unsent(.broken, "stopped")) }
    waiting = [:]
    for (easy, running) in running { end(easy, running, .broken, "stopped") }
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
    let milliseconds = Self.milliseconds(until: transfer.deadline)
    let started = RunningTransfer(transfer, configuration, sockets, milliseconds: milliseconds, after: former)
    guard let started, curl_multi_add_handle(multi, started.easy) == CURLM_OK else {
      let words = "libcurl has refused the transfer"
      turns.ended(of: transfer.share)
      return transfer.finish(former?.reply(.broken, words) ?? .unsent(.broken, words))
    }
    running[started.easy] = started
  }

  /// - Returns: Whether any transfer was done.
  private mutating func finishDone() -> Bool {
    var hasDone = false
    var rest: Int32 = 0
    while let message = curl_multi_info_read(multi, &rest) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
      let code = curl_result_of(message)
      guard let done = running.removeValue(forKey: easy) else { continue }
      hasDone = true
      let reply = done.reply(code)
      curl_multi_remove_handle(multi, easy)
      if code == CURLE_ABORTED_BY_CALLBACK, done.needsFreshConnection {
        start(done.transfer, after: done)
      } else {
        turns.ended(of: done.transfer.share)
        done.transfer.finish(reply)
      }
    }
    return hasDone
  }

  /// Ends a transfer before libcurl has. libcurl then closes the connection, because the answer may still arrive on
  /// it.
  private mutating func end(
    _ easy: UnsafeMutableRawPointer, _ stopped: RunningTransfer, _ end: TransferEnd, _ message: String
  ) {
    running[easy] = nil
    let reply = stopped.reply(end, message)
    curl_multi_remove_handle(multi, easy)
    turns.ended(of: stopped.transfer.share)
    stopped.transfer.finish(reply)
  }

  /// At least 1, because libcurl takes 0 for no limit; at most a day.
  private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int {
    (deadline - .now).wholeMilliseconds
  }
}
