internal import CCurl
internal import CurlTransfers
internal import Linux

/// The mails of the loop's thread: those that wait for the connection, in order, and the one that libcurl sends.
struct MailsUnderWay: LoopTransfers {
  private let multi: UnsafeMutableRawPointer
  private let configuration: SMTPMail.Configuration
  private var waiting: [MailTransfer] = []
  /// Keyed by easy handle.
  private var running: [UnsafeMutableRawPointer: RunningMail] = [:]

  init(_ multi: UnsafeMutableRawPointer, _ configuration: SMTPMail.Configuration) {
    self.multi = multi
    self.configuration = configuration
  }

  mutating func add(_ transfer: MailTransfer) {
    // the caller may have been cancelled before the loop took the transfer
    guard !transfer.isCancelled else { return transfer.stopped() }
    waiting.append(transfer)
  }

  mutating func cancel(_ transfer: MailTransfer) {
    // the progress callback ends a mail that libcurl sends
    waiting.removeAll { $0 === transfer }
    transfer.stopped()
  }

  mutating func advance() {
    repeat {
      endOverdue()
      while running.isEmpty, !waiting.isEmpty { start(waiting.removeFirst()) }
      var count: Int32 = 0
      // if it fails, the transfers stay as they are, and their deadlines end them
      _ = curl_multi_perform(multi, &count)
    } while finishDone()
  }

  func pause() {
    let connecting = running.values.filter { !$0.isConnected }.map(\.connectDeadline)
    let first = (connecting + waiting.map(\.deadline)).min()
    let milliseconds = first.map { min(60_000, ($0 - .now).wholeMilliseconds) } ?? 60_000
    if curl_multi_poll(multi, nil, 0, Int32(milliseconds), nil) != CURLM_OK {
      ThisThread.sleep(for: .milliseconds(10))  // no busy loop if waiting fails
    }
  }

  mutating func endAll() {
    for transfer in waiting { transfer.stopped() }
    waiting = []
    for running in running.values { running.end(.cancelled) }
    var count: Int32 = 0
    _ = curl_multi_perform(multi, &count)
    _ = finishDone()
    for running in running.values { running.transfer.stopped() }
  }

  private mutating func endOverdue() {
    let now = ContinuousClock.now
    for transfer in waiting where transfer.deadline <= now { transfer.finish(SMTPOutcome(.outOfTime)) }
    waiting.removeAll { $0.deadline <= now }
    for running in running.values where running.connectDeadline <= now && !running.isConnected {
      running.end(.unconnected)
    }
  }

  private mutating func start(_ transfer: MailTransfer) {
    let milliseconds = (transfer.deadline - .now).wholeMilliseconds
    guard let started = RunningMail(transfer, configuration, milliseconds: milliseconds),
      curl_multi_add_handle(multi, started.easy) == CURLM_OK
    else { return transfer.finish(SMTPOutcome(.broken, message: "libcurl has refused the transfer")) }
    running[started.easy] = started
  }

  /// - Returns: Whether any mail was done.
  private mutating func finishDone() -> Bool {
    var hasDone = false
    var rest: Int32 = 0
    while let message = curl_multi_info_read(multi, &rest) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
      let result = curl_result_of(message)
      guard let done = running.removeValue(forKey: easy) else { continue }
      hasDone = true
      let outcome = done.outcome(result)
      curl_multi_remove_handle(multi, easy)
      done.transfer.finish(outcome)
    }
    return hasDone
  }
}
