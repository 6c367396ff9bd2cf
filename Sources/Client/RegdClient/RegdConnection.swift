internal import Linux

/// A connection to regd's socket: bytes out, lines in. It blocks, and may be used by one thread at a time.
public final class RegdConnection {
  private let socket: Descriptor
  private let timeoutSeconds: Int
  private var received: [UInt8] = []
  private var next = 0
  /// Whether regd may have received a part of the bytes of the last `send`.
  private(set) var mayHaveSent = false
  /// Checks a silent regd. Nil once anything has arrived.
  private var patience: Patience?
  private var looks = 0

  /// - Parameters:
  ///   - path: The path of the Unix socket, at most 107 bytes.
  ///   - timeoutSeconds: How long a line or a write may take, 1 or more.
  /// - Throws: `.cannotConnect`.
  public convenience init(path: String, timeoutSeconds: Int) throws(RegdClientFailure) {
    try self.init(path: path, timeoutSeconds: timeoutSeconds, patience: nil)
  }

  package init(path: String, timeoutSeconds: Int, patience: Patience?) throws(RegdClientFailure) {
    self.timeoutSeconds = timeoutSeconds
    self.patience = patience
    do throws(SystemError) {
      socket = try Descriptor.socket(.localStream)
      socket.setSendTimeout(seconds: timeoutSeconds)
      try socket.connect(to: SocketAddress(path: path))
    } catch {
      throw .cannotConnect(path: path, reason: error.text)
    }
  }

  /// Sends all of `bytes`.
  ///
  /// - Throws: `.timedOut` or `.disconnected`. A part of the bytes may have been sent.
  public func send(_ bytes: [UInt8]) throws(RegdClientFailure) {
    mayHaveSent = false
    do throws(SystemError) {
      try socket.sendAll(bytes) { _ in mayHaveSent = true }
    } catch {
      throw failure(error)
    }
  }

  public func send(_ text: String) throws(RegdClientFailure) { try send(Array(text.utf8)) }

  /// Ends the sending direction. Replies still arrive.
  public func finishSending() { socket.shutdown(.writing) }

  /// Waits for the next line, without its line feed. Returns nil once the connection has ended.
  ///
  /// - Throws: `.timedOut`, after which the next call continues with the bytes that have arrived, or `.disconnected`.
  public func receiveLine() throws(RegdClientFailure) -> [UInt8]? {
    let deadline = ContinuousClock.now + .seconds(timeoutSeconds)
    var searched = next
    while true {
      if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { next = end + 1 }
        return Array(received[next..<end])
      }
      received.removeFirst(next)
      next = 0
      searched = received.count
      guard try fill(by: deadline) else {
        defer { received = [] }
        return received.isEmpty ? nil : received
      }
    }
  }

  /// The descriptor for poll(2).
  var pollable: Int32 { socket.number }

  /// Takes all complete lines that have arrived, without their line feeds. Does not wait.
  ///
  /// - Throws: `.disconnected` once the connection has ended and all lines were returned.
  func receiveAvailableLines() throws(RegdClientFailure) -> [[UInt8]] {
    var hasEnded = false
    do throws(SystemError) {
      let chunk = try socket.receive(atMost: Self.chunkBytes, waits: false)
      hasEnded = chunk.isEmpty
      received += chunk
    } catch {
      guard error.number == SystemError.wouldBlock else { throw .disconnected }
    }
    var lines: [[UInt8]] = []
    while let end = received[next...].firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(Array(received[next..<end]))
      next = end + 1
    }
    received.removeFirst(next)
    next = 0
    guard !hasEnded || !lines.isEmpty else { throw .disconnected }
    return lines
  }

  private static let chunkBytes = 65_536

  /// Waits for bytes. Returns whether the connection is still open.
  private func fill(by deadline: ContinuousClock.Instant) throws(RegdClientFailure) -> Bool {
    let begin = deadline - .seconds(timeoutSeconds)
    while true {
      let look = patience.flatMap { looks < $0.looks.count ? begin + $0.looks[looks] : nil } ?? deadline
      let left = min(look, deadline) - .now
      if left > .zero, Polling.isReady(.readable(socket.number), atMost: left) { break }
      // a check that is due at the deadline is still made
      guard let patience, looks < patience.looks.count, look <= deadline else {
        throw .timedOut(seconds: timeoutSeconds)
      }
      looks += 1
      if let failure = patience.look(looks - 1, try? socket.peerCredentials().pid) { throw failure }
    }
    patience = nil
    do throws(SystemError) {
      let chunk = try socket.receive(atMost: Self.chunkBytes)
      received += chunk
      return !chunk.isEmpty
    } catch { throw failure(error) }
  }

  private func failure(_ error: SystemError) -> RegdClientFailure {
    error.number == SystemError.wouldBlock ? .timedOut(seconds: timeoutSeconds) : .disconnected
  }
}
