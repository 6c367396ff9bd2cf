internal import CCurl
internal import Linux
internal import Synchronization
internal import WorkerThreads

/// A transfer on its way, as its caller and the loop both know it.
package protocol LoopTransfer: AnyObject, Sendable {
  /// Notes that it is not wanted any more; the loop may not have taken it yet.
  func cancel()
  /// Has its caller go on: the loop has stopped.
  func stopped()
}

/// What the loop's thread has in hand: transfers that wait for their turn, and those that are with libcurl. Of that thread only.
package protocol LoopTransfers: SendableMetatype {
  associatedtype Transfer: LoopTransfer
  mutating func add(_ transfer: Transfer)
  mutating func cancel(_ transfer: Transfer)
  /// Does all that can be done now.
  mutating func advance()
  /// Waits for a socket, a timer, or a wake-up.
  func pause()
  /// The loop ends: so do all of them.
  mutating func endAll()
}

/// libcurl's multi interface on a thread of its own. Other threads put transfers into the inbox and wake it.
///
/// How many transfers are with libcurl at once is counted by `Transfers` and not by CURLMOPT_MAX_TOTAL_CONNECTIONS: a transfer that
/// libcurl lets wait for a connection has no deadline there, and no turn by user.
package final class TransferLoop<Transfers: LoopTransfers>: Sendable {
  package typealias Transfer = Transfers.Transfer

  private struct Inbox {
    var submitted: [Transfer] = []
    var cancelled: [Transfer] = []
    var isStopping = false
    /// The multi handle is gone, and the thread that would empty the inbox has ended.
    var hasEnded = false
  }

  private let inbox = Mutex(Inbox())
  private let thread: WorkerThreads
  // used by the loop's thread alone, but for curl_multi_wakeup(3), which is made to be called from others; and that only
  // under the inbox's lock and before `hasEnded`
  private nonisolated(unsafe) let multi: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - name: The thread's.
  ///   - keeping: Connections that are kept for later transfers.
  ///   - make: Called once, on the thread.
  package init(
    name: String, keeping connections: Int, _ make: @escaping @Sendable (_ multi: UnsafeMutableRawPointer) -> Transfers
  ) throws(LoopFailure) {
    guard isLibraryReady, let multi = curl_multi_init() else { throw .libraryFailed }
    self.multi = multi
    do {
      thread = try WorkerThreads(name: name, count: 1)
    } catch {
      curl_multi_cleanup(multi)
      throw .threadFailed(errorNumber: error.errorNumber)
    }
    curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connections)
    thread.submit { self.run(make) }
  }

  // MARK: From any thread

  package func submit(_ transfer: Transfer) {
    let isTaken = inbox.withLock { inbox in
      guard !inbox.isStopping else { return false }
      inbox.submitted.append(transfer)
      curl_multi_wakeup(multi)
      return true
    }
    if !isTaken { transfer.stopped() }
  }

  /// Ends the wait for it, if it has not ended.
  package func cancel(_ transfer: Transfer) {
    // first the mark: if it is submitted only afterwards, or has not been taken from the inbox, that is what counts
    transfer.cancel()
    inbox.withLock { inbox in
      guard !inbox.hasEnded else { return }
      inbox.cancelled.append(transfer)
      curl_multi_wakeup(multi)
    }
  }

  /// The loop ends soon.
  package func stop() {
    inbox.withLock { inbox in
      inbox.isStopping = true
      if !inbox.hasEnded { curl_multi_wakeup(multi) }
    }
  }

  package func stopAndWait() {
    stop()
    thread.stop()
  }

  // MARK: The thread

  private func run(_ make: (UnsafeMutableRawPointer) -> Transfers) {
    // with CURLOPT_NOSIGNAL libcurl leaves SIGPIPE to us
    Signal.block([.brokenPipe])

    var transfers = make(multi)
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
      // libcurl's last connections may call back what the transfers own
      withExtendedLifetime(transfers) { _ = curl_multi_cleanup(multi) }
    }
  }
}

private let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

package enum LoopFailure: Error, Equatable {
  /// libcurl could not be loaded or set up; `CurlLibrary.failure` says it for an operator.
  case libraryFailed
  case threadFailed(errorNumber: Int32)
}
