internal import Linux
internal import WireProtocols

extension Connection {
  /// Sends what the kernel accepts of the waiting bytes: first the rest of an earlier output, then the session's
  /// output.
  func send(_ loop: EventLoop) -> ConnectionState.Event {
    let socket = Descriptor(borrowing: descriptor)
    if !outgoing.isEmpty {
      switch socket.sendNow(rest.unsent) {
      case .failed: return .broken
      case .bytes(let taken): rest.advance(by: taken)
      }
      guard rest.isEmpty else { return waitForOutput(loop) }
      outgoing.hasGone()
    }
    let output = session.output
    if !output.isEmpty {
      switch socket.sendNow(output) {
      case .failed: return .broken
      case .bytes(let taken):
        if taken < output.count {
          rest.hold(UnsafeRawBufferPointer(rebasing: output[taken...]))
          outgoing.handOver(rest.count)
        }
        session.removeOutput()
      }
      guard rest.isEmpty else { return waitForOutput(loop) }
    }
    if awaitsOutput {
      awaitsOutput = false
      try? loop.handle.poll.change(descriptor, for: .readable, token: place.token)
    }
    return .sent(isAll: true)
  }

  /// Updates the counts of the bytes that wait for the peer.
  func count() { outgoing.update(waiting: session.pendingBytes) }

  /// Watches for writability, but only until all is sent: afterwards the kernel would wake the loop for each reply that
  /// the peer reads.
  private func waitForOutput(_ loop: EventLoop) -> ConnectionState.Event {
    watchProgress(loop)
    guard !awaitsOutput else { return .sent(isAll: false) }
    awaitsOutput = true
    do throws(SystemError) {
      try loop.handle.poll.change(descriptor, for: [.readable, .writable], token: place.token)
    } catch {
      // during `begin`, the descriptor is not in the poll yet, because `begin` adds it afterwards
      if error.number != SystemError.notFound { return .broken }
    }
    return .sent(isAll: false)
  }
}
