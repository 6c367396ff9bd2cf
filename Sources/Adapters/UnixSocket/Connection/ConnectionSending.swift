internal import Dialogues
internal import Linux

/// Sending.
extension Connection {
  /// Sends the waiting bytes, the oldest first.
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
    let output = dialogue.output
    if !output.isEmpty {
      switch socket.sendNow(output) {
      case .failed: return .broken
      case .bytes(let taken):
        if taken < output.count {
          rest.hold(UnsafeRawBufferPointer(rebasing: output[taken...]))
          outgoing.handOver(rest.count)
        }
        dialogue.removeOutput()
      }
      guard rest.isEmpty else { return waitForOutput(loop) }
    }
    if awaitsOutput {
      awaitsOutput = false
      try? loop.handle.poll.change(descriptor, for: .readable, token: place.token)
    }
    return .sent(isAll: true)
  }

  /// Counts the bytes that wait for the peer.
  func count() { outgoing.update(waiting: dialogue.pendingBytes) }

  /// Watches for writability only until all is sent, because the kernel reports each reply that the peer has read.
  private func waitForOutput(_ loop: EventLoop) -> ConnectionState.Event {
    watchProgress(loop)
    guard !awaitsOutput else { return .sent(isAll: false) }
    awaitsOutput = true
    do throws(SystemError) {
      try loop.handle.poll.change(descriptor, for: [.readable, .writable], token: place.token)
    } catch {
      // the descriptor is not in the poll yet in a connection's first round
      if error.number != SystemError.notFound { return .broken }
    }
    return .sent(isAll: false)
  }
}
