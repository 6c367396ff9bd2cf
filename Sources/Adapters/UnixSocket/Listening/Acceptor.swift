internal import JSONRPC
internal import Linux
internal import Sentences
internal import Synchronization

/// An accepted caller, on its way to the loop that will serve it.
struct NewCaller: Sendable {
  /// The loop closes it.
  let descriptor: Int32
  let caller: Caller
  let usage: PeerUsage
  let refusal: Connection.Refusal?
  let membership: Connections.Membership
}

/// Accepts callers on one event loop: identifies them, checks whether there is room, and chooses the loop that serves
/// them.
///
/// One loop accepts for all, so that each caller is counted before the next one is looked at. This loop serves the
/// caller
/// itself unless another has at least two connections fewer: handing a caller over wakes another thread, and a caller
/// that
/// connects for each request would pay for that each time.
final class Acceptor {
  /// The token of the listening socket's events.
  static let token: UInt64 = 1
  /// The pause after a failed accept, mostly for lack of descriptors.
  private static let pause = Duration.seconds(1)
  /// Descriptors that callers leave to the rest of regd: the store's files, a reload, an upstream. libdispatch
  /// inspects its
  /// threads through /proc, and ends the process if it gets no descriptor for that.
  static let reserve = 8

  private var socket: Descriptor?
  private let loops: [LoopHandle]
  private let connections: Connections
  private let rules: ServerRules.InForce
  private let usages: PeerUsages
  private let report: @Sendable (ServerEvent) -> Void
  /// Called when the socket stops listening, but not because of `stop`.
  private let ended: @Sendable () -> Void
  /// Whether callers may be waiting in the kernel's queue.
  private(set) var hasCallers = false
  /// No caller is accepted before this time.
  private(set) var pausedUntil: MonotonicInstant?
  /// A descriptor below it leaves the reserve untouched: the kernel gives the lowest free number (POSIX.1-2017, 2.6).
  private let ceiling = Int32(clamping: (ThisProcess.descriptorLimit ?? .max) - reserve)
  /// The uid of all unmapped users; nil after the first such caller, because regd reports it only once.
  private var overflowUser: UInt32? = UserDatabase.overflowUser
  /// How many descriptors were free for connections at the start.
  private let room: Int
  /// Whether the last caller's descriptor was at or above the ceiling.
  private var isTight = false

  /// The values from which an acceptor is made on its loop's thread.
  struct Parts: Sendable {
    /// A listening, non-blocking socket in the first loop's poll; the acceptor closes it.
    let socket: Int32
    let loops: [LoopHandle]
    let connections: Connections
    let rules: ServerRules.InForce
    let usages: PeerUsages
    let report: @Sendable (ServerEvent) -> Void
    let ended: @Sendable () -> Void
  }

  init(_ parts: Parts) {
    socket = Descriptor(owning: parts.socket)
    (loops, connections, rules, usages) = (parts.loops, parts.connections, parts.rules, parts.usages)
    (report, ended) = (parts.report, parts.ended)
    let used = Descriptor(borrowing: parts.socket).lowestFreeNumber ?? ceiling
    room = Int(max(0, ceiling - used))
  }

  func note(_ event: EventPoll.Event) {
    guard !event.isHungUp else {
      stop()
      return ended()
    }
    hasCallers = true
  }

  /// Accepts the waiting callers first, and serves them afterwards: the kernel's queue knows no turns, so that a full
  /// queue keeps
  /// every user out.
  ///
  /// - Parameter end: When to leave the rest to the next round.
  func accept(_ loop: EventLoop, until end: MonotonicInstant) {
    if let end = pausedUntil {
      guard end <= loop.now else { return }
      (pausedUntil, hasCallers) = (nil, true)
    }
    guard hasCallers else { return }
    var admitted: [NewCaller] = []
    takeQueue(loop, until: end, &admitted)
    for new in admitted { serve(new, loop) }
  }

  private func takeQueue(_ loop: EventLoop, until end: MonotonicInstant, _ admitted: inout [NewCaller]) {
    repeat {
      loop.look()
      if isTight {
        isTight = (socket?.lowestFreeNumber ?? .max) >= ceiling
        guard !isTight else { return pause(SystemError.tooManyFiles, loop) }
      }
      do throws(SystemError) {
        guard let caller = try socket?.acceptNow() else {
          hasCallers = false
          return
        }
        isTight = caller.number >= ceiling
        if let new = greet(caller.release(), loop) { admitted.append(new) }
      } catch {
        guard error.number != SystemError.connectionAborted else { continue }
        return pause(error.number, loop)
      }
    } while loop.now < end
  }

  private func pause(_ errorNumber: Int32, _ loop: EventLoop) {
    (hasCallers, pausedUntil) = (false, loop.now + Self.pause)
    report(.acceptFailed(errorNumber: errorNumber))
  }

  /// Stops accepting, and closes the socket.
  func stop() {
    socket = nil
    (hasCallers, pausedUntil) = (false, nil)
  }

  /// Serves callers that connected before regd began to stop and were not accepted yet: closing the socket would have
  /// reset them
  /// without an answer.
  func greet(_ descriptors: [Int32], _ loop: EventLoop) {
    for descriptor in descriptors { if let new = greet(descriptor, loop) { serve(new, loop) } }
  }

  /// - Returns: Nil if the caller was refused and its connection is closed already.
  private func greet(_ descriptor: Int32, _ loop: EventLoop) -> NewCaller? {
    let socket = Descriptor(borrowing: descriptor)
    // an unknown caller gets the uid and gid that mean "none" in the kernel
    let caller = Self.peer(of: socket) ?? Caller(uid: .max, gid: .max, pid: 0)
    let usage = usages.usage(of: caller.uid)
    let (refusal, membership) = place(for: caller, usage, socket)
    if caller.uid == overflowUser {
      overflowUser = nil
      report(.unmapped(caller))
    }
    if let refusal {
      report(.refused(caller, refusal.error))
      guard refusal.lingers else {
        refuse(Descriptor(owning: descriptor), refusal.error, loop)
        return nil
      }
    }
    return NewCaller(
      descriptor: descriptor, caller: caller, usage: usage, refusal: refusal, membership: membership)
  }

  /// Sends the reason and closes, without the cost of a `Connection`.
  private func refuse(_ socket: consuming Descriptor, _ error: RPCError, _ loop: EventLoop) {
    let text = error.line(in: loop.parts.dispatcher.languages.current.standard)
    _ = text.withUnsafeBytes { socket.sendNow($0) }
    try? socket.close()
  }

  private func serve(_ new: NewCaller, _ loop: EventLoop) {
    let serving = leastBusy(but: loop.handle)
    serving.connections.wrappingAdd(1, ordering: .relaxed)
    if serving === loop.handle { loop.add(new) } else { serving.post(.caller(new)) }
  }

  private func place(
    for caller: Caller, _ usage: PeerUsage, _ socket: borrowing Descriptor
  ) -> (Connection.Refusal?, Connections.Membership) {
    // While regd stops, requests that a caller has sent already are still read and answered. A caller that has sent
    // nothing is
    // refused at once.
    if connections.isDraining, socket.readableBytes == 0 {
      return (Connection.Refusal(error: .draining, lingers: false), .none)
    }
    let rules = rules.now
    return connections.admit(
      usage, by: rules.limits, room: room, isAdministrator: rules.access.access(of: caller, on: socket) == .admin)
  }

  private func leastBusy(but own: LoopHandle) -> LoopHandle {
    guard loops.count > 1 else { return own }
    var (least, count) = (own, own.connections.load(ordering: .relaxed) - 1)
    for loop in loops where loop.connections.load(ordering: .relaxed) < count {
      (least, count) = (loop, loop.connections.load(ordering: .relaxed))
    }
    return least
  }

  /// The process that connected, as the kernel noted it at connect; nil if the kernel does not tell.
  static func peer(of socket: borrowing Descriptor) -> Caller? {
    guard let peer = try? socket.peerCredentials() else { return nil }
    return Caller(uid: peer.uid, gid: peer.gid, pid: peer.pid)
  }
}
