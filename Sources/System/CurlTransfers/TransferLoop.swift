package import CCurl
internal import Linux
internal import Synchronization
internal import WorkerThreads

/// libcurl's multi interface on a thread of its own. Other threads put transfers into the inbox and wake the thread.
///
/// `Transfers` limits how many transfers libcurl runs at once. CURLMOPT_MAX_TOTAL_CONNECTIONS is not used for that. A
/// transfer that waits inside libcurl for a connection has no deadline, and libcurl does not let users take turns.
package final class TransferLoop<Transfers: LoopTransfers>: Sendable {
  package typealias Transfer = Transfers.Transfer

  private struct Inbox {
    var submitted: [Transfer] = []
    var cancelled: [Transfer] = []
    var isStopping = false
    /// Whether the multi handle is gone, and the thread that empties the inbox has ended.
    var hasEnded = false
  }

  private let inbox = Mutex(Inbox())
  private let thread: WorkerThreads
  // Used on the loop's thread only, except for curl_multi_wakeup(3), which other threads may call. They do so only under the
  // inbox's lock and before `hasEnded`.
  private nonisolated(unsafe) let multi: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - name: The thread's name.
  ///   - keeping: How many idle connections are kept for later transfers.
  ///   - make: Makes the value that holds the loop's transfers. Called once, on the loop's thread.
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

  /// Cancels a transfer. This is a no-op if it has ended.
  package func cancel(_ transfer: Transfer) {
    // marked first, because the loop may not have the transfer yet: it may be in the inbox, or be submitted later
    transfer.cancel()
    inbox.withLock { inbox in
      guard !inbox.hasEnded else { return }
      inbox.cancelled.append(transfer)
      curl_multi_wakeup(multi)
    }
  }

  /// Ends the loop soon. Does not wait.
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
    // with CURLOPT_NOSIGNAL, libcurl leaves SIGPIPE to the program that uses it
    Signal.block([.brokenPipe])

    var transfers = make(multi)
    while true {
      let mail = inbox.withLock { inbox in
        defer { (inbox.submitted, inbox.cancelled) = ([], []) }
        return inbox
      }
      for transfer in mail.submitted { transfers.add(transfer) }
      for transfer in mail.cancelled { transfers.cancel(transfer) }
      // nothing more can come: `submit` refuses transfers once `isStopping` is set
      if mail.isStopping { break }
      transfers.advance()
      transfers.pause()
    }
    transfers.endAll()
    inbox.withLock { inbox in
      inbox.hasEnded = true
      inbox.cancelled = []
      // libcurl's last connections may call back into objects that `transfers` owns
      withExtendedLifetime(transfers) { _ = curl_multi_cleanup(multi) }
    }
  }
}

/// A transfer in flight, shared by the task that waits for it and the loop that does it.
package protocol LoopTransfer: AnyObject, Sendable {
  /// Marks the transfer as unwanted. Called on any thread, perhaps before the loop has taken the transfer.
  func cancel()
  /// Resumes the waiting task with a failure, because the loop has stopped.
  func stopped()
}

/// The transfers of a loop: those that wait for their turn, and those that libcurl runs. Used on the loop's thread
/// only.
package protocol LoopTransfers: SendableMetatype {
  associatedtype Transfer: LoopTransfer
  mutating func add(_ transfer: Transfer)
  mutating func cancel(_ transfer: Transfer)
  /// Does all that is possible now without waiting.
  mutating func advance()
  /// Waits for a socket, a timer, or a wake-up.
  func pause()
  /// Ends all transfers, because the loop ends.
  mutating func endAll()
}

package enum LoopFailure: Error, Equatable {
  /// libcurl could not be loaded or set up. `CurlLibrary.failure` has the reason for an operator.
  case libraryFailed
  case threadFailed(errorNumber: Int32)
}

/// A transfer that libcurl runs.
package protocol RunningHandle: AnyObject {
  associatedtype End
  var handle: EasyHandle { get }
  /// Makes the transfer's result. Called before the easy handle leaves libcurl's multi handle.
  func end(_ code: CURLcode) -> End
}

/// The transfers that a multi handle runs. Used on the loop's thread only.
package struct RunningHandles<Running: RunningHandle> {
  private let multi: UnsafeMutableRawPointer
  private var running: [UnsafeMutableRawPointer: Running] = [:]

  package init(_ multi: UnsafeMutableRawPointer) { self.multi = multi }

  package var all: some Collection<Running> { running.values }

  /// - Returns: False if libcurl refused the transfer.
  package mutating func add(_ transfer: Running) -> Bool {
    guard curl_multi_add_handle(multi, transfer.handle.easy) == CURLM_OK else { return false }
    running[transfer.handle.easy] = transfer
    return true
  }

  /// Takes a transfer out of the multi handle. If it has not ended, libcurl closes its connection, because the answer
  /// may still arrive there.
  package mutating func remove(_ transfer: Running) {
    running[transfer.handle.easy] = nil
    curl_multi_remove_handle(multi, transfer.handle.easy)
  }

  /// Does all that is possible now without waiting.
  ///
  /// - Returns: The transfers that have ended.
  package mutating func perform() -> [(running: Running, code: CURLcode, end: Running.End)] {
    var count: Int32 = 0
    // if the call fails, the transfers remain as they are until their deadlines end them
    _ = curl_multi_perform(multi, &count)
    var ended: [(Running, CURLcode, Running.End)] = []
    while let message = curl_multi_info_read(multi, &count) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle, let done = running[easy] else {
        continue
      }
      let code = curl_result_of(message)
      ended.append((done, code, done.end(code)))
      remove(done)
    }
    return ended
  }

  /// Waits for a socket, a timer of libcurl, a wake-up or `time`, but for at most a minute.
  package func pause(until time: ContinuousClock.Instant?) {
    let milliseconds = time.map { min(60_000, ($0 - .now).wholeMilliseconds) } ?? 60_000
    if curl_multi_poll(multi, nil, 0, Int32(milliseconds), nil) != CURLM_OK {
      ThisThread.sleep(for: .milliseconds(10))  // no busy loop if waiting fails
    }
  }
}

/// libcurl itself, loaded at its first use.
package enum CurlLibrary {
  /// Why libcurl cannot be used, for an operator. Meaningful only after libcurl has failed.
  package static var failure: String {
    curl_load_failure().map { "libcurl cannot be loaded: \(String(cString: $0))" } ?? "libcurl cannot be set up"
  }

  /// Why libcurl has returned no object: memory is short, or `failure`.
  static var refusal: String { curl_load_failure() == nil ? "out of memory" : failure }
}

private let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
