internal import CSimulation
internal import RegdClient

/// A simulated program that calls regd over its socket.
final class SimulatedCaller {
  /// How its bytes are divided over writes.
  enum Pace { case whole, drip, random }

  let number: Int
  let uid: UInt32
  /// The number of the regd that it is connected to.
  let daemon: Int
  let pace: Pace
  let isFramed: Bool
  private let descriptor: Int32
  let began = simulated_now()
  /// Whether it has got a reply.
  var isAccepted = false
  /// Until when the caller may have waited in the kernel's queue because regd had no descriptor. regd's time for an
  /// answer counts from then.
  var queuedUntil: Int64 = 0
  private(set) var isOpen = true
  private(set) var isHalfClosed = false
  /// Whether regd has closed the connection, other than by the end of its process.
  private(set) var isEnded = false
  var closesSoon = false
  private var outgoing: [UInt8] = []
  private(set) var sent = 0
  private(set) var queued = 0
  /// How many bytes were sent before regd was asked to stop.
  var sentBeforeStop = 0
  private var incoming: [UInt8] = []
  /// When it reads again, or began to read again after its last pause.
  var readsAgain: Int64 = 0
  /// When it sends again, because the connection had no room.
  private(set) var sendsAgain: Int64 = 0
  /// All requests without a reply, in their order.
  var waiting: [Request] = []
  /// The ids of batches without a reply.
  var batches: [[String]] = []
  /// How many replies with a null id are due.
  var nulls = 0
  /// The notifications that it got.
  var notices: [JSONValue] = []
  /// All bytes that it has read, to compare them with its twin's, or nil for a caller without a twin.
  var collected: [UInt8]?

  init(number: Int, uid: UInt32, daemon: Int, descriptor: Int32, pace: Pace, isFramed: Bool) {
    (self.number, self.uid, self.daemon, self.descriptor) = (number, uid, daemon, descriptor)
    (self.pace, self.isFramed) = (pace, isFramed)
  }

  func readOn() { readsAgain = min(readsAgain, simulated_now()) }

  var hasOutgoing: Bool { isOpen && !outgoing.isEmpty }
  var isReadable: Bool { isOpen && !isEnded && readsAgain <= simulated_now() && simulated_is_readable(descriptor) }
  var wantsTurn: Bool {
    (hasOutgoing && sendsAgain <= simulated_now()) || isReadable
      || (closesSoon && !isHalfClosed && isOpen && outgoing.isEmpty)
  }
  /// When the caller reads or sends again, or `Int64.max` if it waits for neither.
  var goesOn: Int64 {
    let now = simulated_now()
    return min(
      isOpen && readsAgain > now ? readsAgain : .max, hasOutgoing && sendsAgain > now ? sendsAgain : .max)
  }
  var isIdle: Bool { waiting.isEmpty && batches.isEmpty && nulls == 0 && outgoing.isEmpty }

  func queue(_ text: String) {
    let bytes = isFramed ? Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8) : Array(text.utf8)
    outgoing += bytes
    queued += bytes.count
  }

  /// Sends a piece of the waiting bytes. If none wait, half-closes the connection.
  ///
  /// - Returns: Whether some bytes still wait.
  func send(_ chance: inout Chance) -> Bool {
    guard !outgoing.isEmpty else {
      simulated_half_close(descriptor)
      isHalfClosed = true
      return false
    }
    let count =
      switch pace {
      case .whole: outgoing.count
      case .drip: min(outgoing.count, chance.within(1...9))
      case .random: chance.within(1...outgoing.count)
      }
    let taken = simulated_send(descriptor, outgoing, Int32(count))
    guard taken >= 0 else {
      outgoing = []
      return false
    }
    if taken == 0 { sendsAgain = simulated_now() + 1_000_000 }
    outgoing.removeFirst(Int(taken))
    sent += Int(taken)
    return !outgoing.isEmpty
  }

  /// - Returns: The complete texts that arrived.
  func read(_ chance: inout Chance) -> [[UInt8]] {
    var buffer = [UInt8](repeating: 0, count: pace == .whole ? 65_536 : chance.within(1...4096))
    let count = simulated_receive(descriptor, &buffer, Int32(buffer.count))
    guard count > 0 else {
      if count != -1 { isEnded = true }
      return []
    }
    incoming += buffer.prefix(Int(count))
    collected?.append(contentsOf: buffer.prefix(Int(count)))
    var texts: [[UInt8]] = []
    while let text = isFramed ? takeFramed() : takeLine() { texts.append(text) }
    return texts
  }

  private func takeLine() -> [UInt8]? {
    guard let end = incoming.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { incoming.removeFirst(end + 1) }
    return Array(incoming[..<end])
  }

  private func takeFramed() -> [UInt8]? {
    guard let end = incoming.firstIndex(of: UInt8(ascii: "\n")), incoming.count > end + 2,
      let length = Int(String(decoding: incoming[..<end], as: UTF8.self).filter(\.isNumber)),
      incoming.count >= end + 3 + length
    else { return nil }
    defer { incoming.removeFirst(end + 3 + length) }
    return Array(incoming[(end + 3)..<(end + 3 + length)])
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    simulated_close(descriptor)
  }
}

/// A request of a simulated caller, and the closure that gets its outcome.
final class Request {
  enum End {
    case reply(JSONValue)
    /// No reply will come. regd may have read the request.
    case lost
    /// regd has not read the whole request.
    case unsent
  }

  /// The id as a JSON text.
  let id: String
  let method: String
  /// Where the request ends in the stream of all bytes that its caller sends.
  let endOfBytes: Int
  let since: Int64
  let end: (End) -> Void

  init(id: String, method: String, endOfBytes: Int, since: Int64, end: @escaping (End) -> Void) {
    (self.id, self.method, self.endOfBytes, self.since, self.end) = (id, method, endOfBytes, since, end)
  }
}
