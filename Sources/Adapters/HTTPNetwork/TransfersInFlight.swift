internal import AsyncPrimitives
internal import CCurl
internal import CurlTransfers
internal import Linux
internal import Registration
internal import Synchronization

/// The transfers of the loop's thread: those that wait for a connection, and those that libcurl runs.
struct TransfersInFlight: LoopTransfers {
  private let configuration: HTTPNetwork.Configuration
  private let sockets = OpenSockets()
  private var turns: TransferTurns<Transfer>
  /// The transfers that wait for a connection. `turns` determines their order.
  private var waiting: [ObjectIdentifier: Transfer] = [:]
  /// The time of the next search for transfers that have waited too long, at or before the first `latestStart`, or nil
  /// if none waits.
  private var nextLatestStart: ContinuousClock.Instant?
  private var running: RunningHandles<RunningTransfer>

  init(_ multi: UnsafeMutableRawPointer, _ configuration: HTTPNetwork.Configuration) {
    running = RunningHandles(multi)
    self.configuration = configuration
    turns = TransferTurns(
      connections: configuration.maximumConnections, maximumWaiting: configuration.maximumWaiting)
  }

  mutating func add(_ transfer: Transfer) {
    // the caller may have been cancelled before the loop took the transfer
    guard !transfer.isCancelled else { return transfer.finish(.unsent(.unstarted, "cancelled")) }
    guard turns.append(transfer, of: transfer.share) else {
      return transfer.finish(.unsent(.unstarted, "its user has too many waiting"))
    }
    waiting[ObjectIdentifier(transfer)] = transfer
    nextLatestStart = min(nextLatestStart ?? transfer.latestStart, transfer.latestStart)
  }

  mutating func cancel(_ transfer: Transfer) {
    if waiting[ObjectIdentifier(transfer)] != nil {
      withdraw(transfer, "cancelled")
    } else if let running = running.all.first(where: { $0.transfer === transfer }) {
      end(running, .outOfTime, "cancelled")
    }
  }

  /// Does all that is possible now without waiting.
  mutating func advance() {
    var hasDone = true
    while hasDone {
      startWaiting()
      let done = running.perform()
      for (running, code, reply) in done {
        if code == CURLE_ABORTED_BY_CALLBACK, running.needsFreshConnection {
          start(running.transfer, after: running)
        } else {
          turns.ended(of: running.transfer.share)
          running.transfer.finish(reply)
        }
      }
      hasDone = !done.isEmpty
    }
  }

  func pause() { running.pause(until: nextLatestStart) }

  mutating func endAll() {
    for transfer in waiting.values { transfer.finish(.unsent(.broken, "stopped")) }
    waiting = [:]
    for running in Array(running.all) { end(running, .broken, "stopped") }
  }

  private mutating func startWaiting() {
    let now = ContinuousClock.now
    if let first = nextLatestStart, first <= now {
      for transfer in waiting.values where transfer.latestStart <= now {
        withdraw(transfer, "no connection became free in time")
      }
      nextLatestStart = waiting.values.map(\.latestStart).min()
    }
    while let transfer = turns.next() {
      waiting[ObjectIdentifier(transfer)] = nil
      start(transfer)
    }
  }

  private mutating func withdraw(_ transfer: Transfer, _ message: String) {
    waiting[ObjectIdentifier(transfer)] = nil
    _ = turns.withdraw(of: transfer.share) { $0 === transfer }
    transfer.finish(.unsent(.unstarted, message))
  }

  private mutating func start(_ transfer: Transfer, after former: RunningTransfer? = nil) {
    let milliseconds = (transfer.deadline - .now).wholeMilliseconds
    let started = RunningTransfer(transfer, configuration, sockets, milliseconds: milliseconds, after: former)
    guard let started, running.add(started) else {
      let words = "libcurl has refused the transfer"
      turns.ended(of: transfer.share)
      return transfer.finish(former?.reply(.broken, words) ?? .unsent(.broken, words))
    }
  }

  /// Ends a transfer that libcurl still runs.
  private mutating func end(_ stopped: RunningTransfer, _ end: TransferEnd, _ message: String) {
    let reply = stopped.reply(end, message)
    running.remove(stopped)
    turns.ended(of: stopped.transfer.share)
    stopped.transfer.finish(reply)
  }
}

/// A request in flight, shared by the calling task and the loop. Only the loop finishes it.
final class Transfer: LoopTransfer {
  let request: UpstreamRequest
  let share: Share
  /// The latest time for the loop to start the transfer. After that time, the loop finishes it as `unstarted`.
  let latestStart: ContinuousClock.Instant
  let deadline: ContinuousClock.Instant
  /// The reply for the caller. The loop fulfills it once for each submitted transfer.
  let reply = Promise<UpstreamReply>()
  private let cancelled = Atomic<Bool>(false)

  init(
    _ request: UpstreamRequest, _ share: Share, startBy latestStart: ContinuousClock.Instant,
    until deadline: ContinuousClock.Instant
  ) {
    self.request = request
    self.share = share
    self.latestStart = latestStart
    self.deadline = deadline
  }

  /// Marks the transfer as cancelled, so that the loop refuses it. After the loop has accepted it, only
  /// `TransferLoop.cancel` ends it.
  func cancel() { cancelled.store(true, ordering: .sequentiallyConsistent) }

  var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

  func stopped() { finish(.unsent(.broken, "stopped")) }

  /// Resumes the caller. Only the first call counts.
  func finish(_ reply: UpstreamReply) { self.reply.fulfill(reply) }
}

/// The result of a request: everything that a verdict is based on.
struct UpstreamReply: Equatable, Sendable {
  var end: TransferEnd
  /// How often the request was given to an established connection (after TLS). If 0, the upstream cannot have seen it.
  var sendings: Int
  /// The final status, or nil if the upstream sent no status, or only interim ones (1xx).
  var status: Int?
  var retryAfter: String?
  var body: [UInt8] = []
  /// libcurl's message for the failure, for operators.
  var message = ""

  /// The reply to a request that was never given to libcurl.
  static func unsent(_ end: TransferEnd, _ message: String) -> UpstreamReply {
    UpstreamReply(end: end, sendings: 0, message: message)
  }
}

/// Tracks the sockets of libcurl's connections, so that regd can check a connection before it sends a request on it.
/// Used on the loop's thread only. Must outlive the multi handle, because libcurl closes its last connections through
/// these callbacks.
///
/// libcurl 7.88 reuses a kept-alive connection on which bytes have arrived, and takes these bytes for the answer to the next
/// request: a 408 after idling, or any other unsolicited answer. If that answer were a "no", regd would take it as certain
/// although the upstream has not read the request yet.
final class OpenSockets {
  private var descriptors: Set<Int32> = []

  /// Registers the callbacks that libcurl calls when the handle's connection opens and closes its socket.
  ///
  /// - Returns: CURLE_OK if libcurl accepts the callbacks.
  func observe(_ easy: UnsafeMutableRawPointer) -> CURLcode {
    curl_set_socket_functions(
      easy,
      { context, descriptor, _ in
        OpenSockets.from(context)?.descriptors.insert(descriptor)
        return CURL_SOCKOPT_OK
      },
      { context, descriptor in
        OpenSockets.from(context)?.descriptors.remove(descriptor)
        return (try? Descriptor(owning: descriptor).close()) == nil ? -1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> OpenSockets? {
    context.map { Unmanaged<OpenSockets>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether the connection with this local port has no unread bytes and its peer has not closed it. False if no known
  /// socket has the port.
  func isSilent(localPort: Int32) -> Bool {
    let same = descriptors.filter { Self.port(of: $0) == localPort }
    return !same.isEmpty
      && same.allSatisfy { !Polling.isReady(.readable($0), atMost: .zero) }
  }

  private static func port(of descriptor: Int32) -> Int32? {
    (try? Descriptor(borrowing: descriptor).localAddress())?.port.map(Int32.init)
  }
}
