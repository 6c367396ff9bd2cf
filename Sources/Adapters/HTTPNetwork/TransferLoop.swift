internal import CCurl
internal import Linux
internal import Synchronization
internal import WorkerThreads

/// libcurl's multi interface on a thread of its own. Other threads put transfers into the inbox and wake it.
///
/// How many transfers are with libcurl at once is counted in `TransferTurns` and not by CURLMOPT_MAX_TOTAL_CONNECTIONS: a
/// transfer that libcurl lets wait for a connection has no deadline there, and no turn by user.
final class TransferLoop: Sendable {
  private struct Inbox {
    var submitted: [Transfer] = []
    var cancelled: [Transfer] = []
    var isStopping = false
    /// The multi handle is gone, and the thread that would empty the inbox has ended.
    var hasEnded = false
  }

  private let configuration: HTTPNetwork.Configuration
  private let inbox = Mutex(Inbox())
  private let thread: WorkerThreads
  // used by the loop's thread alone, but for curl_multi_wakeup(3), which is made to be called from others; and that only
  // under the inbox's lock and before `hasEnded`
  private nonisolated(unsafe) let multi: UnsafeMutableRawPointer

  private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  init(_ configuration: HTTPNetwork.Configuration) throws(HTTPNetwork.StartFailure) {
    guard Self.isLibraryReady, let multi = curl_multi_init() else { throw .libraryFailed }
    self.configuration = configuration
    self.multi = multi
    do {
      thread = try WorkerThreads(name: "regd-http", count: 1)
    } catch {
      curl_multi_cleanup(multi)
      throw .threadFailed(errorNumber: error.errorNumber)
    }
    // as many as may be in use may also be kept
    curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.maximumConnections)
    thread.submit { self.run() }
  }

  // MARK: From any thread

  func submit(_ transfer: Transfer) {
    let isTaken = inbox.withLock { inbox in
      guard !inbox.isStopping else { return false }
      inbox.submitted.append(transfer)
      curl_multi_wakeup(multi)
      return true
    }
    if !isTaken { transfer.finish(.unsent(.broken, "stopped")) }
  }

  /// Ends the wait for it, if it has not ended.
  func cancel(_ transfer: Transfer) {
    // first the mark: if it is submitted only afterwards, or has not been taken from the inbox, that is what counts
    transfer.cancel()
    inbox.withLock { inbox in
      guard !inbox.hasEnded else { return }
      inbox.cancelled.append(transfer)
      curl_multi_wakeup(multi)
    }
  }

  /// The loop ends soon.
  func stop() {
    inbox.withLock { inbox in
      inbox.isStopping = true
      if !inbox.hasEnded { curl_multi_wakeup(multi) }
    }
  }

  func stopAndWait() {
    stop()
    thread.stop()
  }

  // MARK: The thread

  private func run() {
    // with CURLOPT_NOSIGNAL libcurl leaves SIGPIPE to us
    Signal.block([.brokenPipe])

    let sockets = OpenSockets()
    var transfers = TransfersUnderWay(multi, configuration, sockets)
    while true {
      let mail = inbox.withLock { inbox in
        defer { (inbox.submitted, inbox.cancelled) = ([], []) }
        return inbox
      }
      for transfer in mail.submitted { transfers.add(transfer) }
      for transfer in mail.cancelled { transfers.cancel(transfer) }
      // nothing comes behind: what is submitted after `isStopping` is refused
      if mail.isStopping { break }
      transfers.advance()
      transfers.pause()
    }
    transfers.endAll()
    inbox.withLock { inbox in
      inbox.hasEnded = true
      inbox.cancelled = []
      withExtendedLifetime(sockets) { _ = curl_multi_cleanup(multi) }
    }
  }
}
