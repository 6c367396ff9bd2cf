internal import Linux
internal import RegdClient

/// A connection under load. Requests wait in memory until regd reads them, so sending never blocks. For one thread at a time.
final class LoadConnection {
  private let socket: Descriptor
  private var unsent: [UInt8] = []
  private var received: [UInt8] = []
  /// The times at which the requests were due, by id, in nanoseconds since the start, or nil for a free id.
  private var begun: [Int64?]
  private var free: [Int]

  private static let chunkBytes = 262_144

  /// - Throws: `.cannotConnect`.
  init(path: String, inFlight: Int, timeoutSeconds: Int) throws(RegdClientFailure) {
    begun = Array(repeating: nil, count: inFlight)
    free = Array((0..<inFlight).reversed())
    do throws(SystemError) {
      socket = try Descriptor.socket(.localStream)
      // SO_SNDTIMEO also limits connect(2), which blocks while the backlog is full
      socket.setSendTimeout(seconds: timeoutSeconds)
      try socket.connect(to: SocketAddress(path: path))
    } catch {
      throw .cannotConnect(path: path, reason: error.text)
    }
  }

  var isFull: Bool { free.isEmpty }
  /// Requests without an answer.
  var waiting: Int { begun.count - free.count }

  /// The descriptors for poll(2).
  var interests: [Polling.Interest] {
    unsent.isEmpty ? [.readable(socket.number)] : [.readable(socket.number), .writable(socket.number)]
  }

  /// Adds a request, for `flush` to send. The connection must not be full.
  ///
  /// - Parameter time: When the request was due.
  func add(_ template: RequestTemplate, number: Int, at time: Int64) {
    guard let id = free.popLast() else { return }
    begun[id] = time
    template.append(to: &unsent, id: id, number: number)
  }

  /// Sends as much as regd reads without waiting.
  ///
  /// - Returns: Whether the connection still exists.
  func flush() -> Bool {
    guard !unsent.isEmpty else { return true }
    do throws(SystemError) {
      let count = try socket.sendSome(unsent)
      if count == unsent.count { unsent.removeAll(keepingCapacity: true) } else { unsent.removeFirst(count) }
    } catch { return error.number == SystemError.wouldBlock }
    return true
  }

  /// Reads the bytes that have arrived.
  ///
  /// - Parameter take: Gets each reply, with the time at which its request was due, or nil for a reply without a request.
  /// - Returns: Whether the connection still exists.
  func receive(_ take: (LoadReply, Int64?) -> Void) -> Bool {
    do throws(SystemError) {
      let chunk = try socket.receive(atMost: Self.chunkBytes, waits: false)
      if chunk.isEmpty { return false }
      received += chunk
    } catch { return error.number == SystemError.wouldBlock }
    var rest = received[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      if let reply = LoadReply(rest[..<end]) { take(reply, finish(reply.id)) }
      rest = rest[(end + 1)...]
    }
    received.removeFirst(received.count - rest.count)
    return true
  }

  private func finish(_ id: Int?) -> Int64? {
    guard let id, begun.indices.contains(id), let time = begun[id] else { return nil }
    begun[id] = nil
    free.append(id)
    return time
  }
}
