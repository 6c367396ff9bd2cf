package import CCurl
internal import Linux

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
