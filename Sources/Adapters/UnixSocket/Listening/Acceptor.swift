internal import Linux
internal import Synchronization
internal import WireProtocols

/// An accepted caller, on its way to the loop that will serve it.
struct NewCaller: Sendable {
  /// The connection's descriptor, which the loop closes.
  let descriptor: Int32
  let listener: Listener
  let caller: Peer
  let quota: PeerQuota
  let refusal: Connection.Refusal?
  let membership: Connections.Membership
}

/// Accepts callers on one event loop: identifies them, checks whether there is room, and chooses the loop that serves
/// them.
///
/// One loop accepts for all, so that each caller is counted before the next one is checked. This loop serves the caller
/// itself unless another loop has at least two connections fewer. A handover wakes another thread, and a caller that
/// connects for each request would pay for this each time.
final class Acceptor {
  /// The pause after a failed accept, usually for lack of descriptors.
  private static let pause = Duration.seconds(1)
  /// Descriptors that connections leave free for the rest of regd: for the store's files, a reload, an upstream.
  /// libdispatch inspects its threads through /proc, and ends the process if it gets no descriptor for that.
  static let reserve = 8

  /// A listening socket, with the kernel's queue of its callers.
  private final class Queue {
    let listener: Listener
    let socket: Descriptor
    /// Whether callers may be waiting in the kernel's queue.
    var hasCallers = false

    init(_ listener: Listener) {
      self.listener = listener
      socket = Descriptor(owning: listener.socket.descriptor)
    }
  }

  /// The queues in the order of their turns: the next `accept` begins with the first one.
  private var queues: [Queue]
  private let loops: [LoopHandle]
  private let connections: Connections
  private let rules: ServerRules.InForce
  private let quotas: PeerQuotas
  private let report: @Sendable (ServerEvent) -> Void
  /// Called when a socket stops listening for a reason other than `stop`.
  private let ended: @Sendable () -> Void
  /// Whether callers may be waiting in a queue of the kernel and no pause prevents accepting them.
  var hasCallers: Bool { pausedUntil == nil && queues.contains(where: \.hasCallers) }
  /// No caller is accepted before this time.
  private(set) var pausedUntil: MonotonicInstant?
  /// The first descriptor number of the reserve. The kernel gives the lowest free number (POSIX.1-2017, 2.6), so a
  /// caller with a lower number leaves the reserve free.
  private let ceiling = Int32(clamping: (ThisProcess.descriptorLimit ?? .max) - reserve)
  /// The uid of all unmapped users. Nil after the first such caller, because regd reports it only once.
  private var overflowUser: UInt32? = UserDatabase.overflowUser
  /// Whether regd has reported a denied caller whose groups are unknown. It reports only the first one.
  private var hasReportedGroups = false
  /// How many descriptors were free for connections at the start, less those of listening sockets that were added
  /// later.
  private var room: Int
  /// Whether the last caller's descriptor was at or above the ceiling: descriptors may be short now.
  private var isTight = false

  /// The values from which an acceptor is made on its loop's thread.
  struct Parts: Sendable {
    /// The first loop polls the listeners' sockets, and the acceptor closes them.
    let listeners: [Listener]
    let loops: [LoopHandle]
    let connections: Connections
    let rules: ServerRules.InForce
    let quotas: PeerQuotas
    let report: @Sendable (ServerEvent) -> Void
    let ended: @Sendable () -> Void
  }

  init(_ parts: Parts) {
    queues = parts.listeners.map { Queue($0) }
    (loops, connections, rules, quotas) = (parts.loops, parts.connections, parts.rules, parts.quotas)
    (report, ended) = (parts.report, parts.ended)
    let used = parts.listeners.first.flatMap { Descriptor(borrowing: $0.socket.descriptor).lowestFreeNumber } ?? ceiling
    room = Int(max(0, ceiling - used))
  }

  func note(_ event: EventPoll.Event) {
    guard let queue = queues.first(where: { $0.listener.token == event.token }) else { return }
    guard !event.isHungUp else {
      queues.removeAll { $0 === queue }
      return ended()
    }
    queue.hasCallers = true
  }

  /// Accepts at one more listening socket, which the poll watches already.
  func listen(at listener: Listener) {
    queues.append(Queue(listener))
    // Callers may have connected before this. The acceptor ignored their event, because it had no queue for the socket.
    queues[queues.count - 1].hasCallers = true
    room = max(0, room - ListeningSocket.descriptors)
  }

  /// Accepts all waiting callers before it serves them, because a full queue of the kernel keeps every user out.
  ///
  /// - Parameter end: When to leave the remaining callers to the next round.
  func accept(_ loop: EventLoop, until end: MonotonicInstant) {
    if let end = pausedUntil {
      guard end <= loop.now else { return }
      pausedUntil = nil
      for queue in queues { queue.hasCallers = true }
    }
    guard hasCallers else { return }
    var admitted: [NewCaller] = []
    for queue in queues where queue.hasCallers && pausedUntil == nil { take(queue, loop, until: end, &admitted) }
    // the sockets take turns, so that many callers of one socket do not keep out the callers of the others
    if queues.count > 1 { queues.append(queues.removeFirst()) }
    for new in admitted { serve(new, loop) }
  }

  private func take(_ queue: Queue, _ loop: EventLoop, until end: MonotonicInstant, _ admitted: inout [NewCaller]) {
    repeat {
      loop.look()
      if isTight {
        isTight = (queue.socket.lowestFreeNumber ?? .max) >= ceiling
        guard !isTight else { return pause(SystemError.tooManyFiles, loop) }
      }
      do throws(SystemError) {
        guard let caller = try queue.socket.acceptNow() else {
          queue.hasCallers = false
          return
        }
        isTight = caller.number >= ceiling
        if let new = greet(caller.release(), at: queue.listener, loop) { admitted.append(new) }
      } catch {
        guard error.number != SystemError.connectionAborted else { continue }
        return pause(error.number, loop)
      }
    } while loop.now < end
  }

  private func pause(_ errorNumber: Int32, _ loop: EventLoop) {
    pausedUntil = loop.now + Self.pause
    for queue in queues { queue.hasCallers = false }
    report(.acceptFailed(errorNumber: errorNumber))
  }

  /// Stops accepting at the listening points that stop, and closes their sockets.
  func stop(_ poll: borrowing EventPoll) {
    let before = queues.count
    // removed explicitly, because closing a socket that was passed in does not end its events: other processes keep it
    // open
    for queue in queues where queue.listener.isDraining { try? poll.remove(queue.socket.number) }
    queues.removeAll { $0.listener.isDraining }
    if queues.isEmpty { pausedUntil = nil }
    room += (before - queues.count) * ListeningSocket.descriptors
  }

  /// Serves callers that connected before the listening point began to stop but were not accepted yet. Without this,
  /// closing the socket would reset their connections without an answer.
  func greet(_ descriptors: [Int32], at listener: Listener, _ loop: EventLoop) {
    for descriptor in descriptors { if let new = greet(descriptor, at: listener, loop) { serve(new, loop) } }
  }

  /// - Returns: Nil if the caller was refused and its connection is closed already.
  private func greet(_ descriptor: Int32, at listener: Listener, _ loop: EventLoop) -> NewCaller? {
    let socket = Descriptor(borrowing: descriptor)
    // an unknown caller gets the uid and gid that mean "none" in the kernel
    let caller = listener.peer(descriptor) ?? Peer(uid: .max, gid: .max, pid: 0)
    let rules = rules.now
    let denial = rules.access.denial(of: caller, on: socket)
    if denial != nil, !hasReportedGroups, !rules.access.denied.gids.isEmpty, socket.peerGroups() == nil {
      hasReportedGroups = true
      report(.groupsUnknown(caller))
    }
    let goesOn = if let denial { listener.explains(denial) } else { listener.admits(caller, on: socket) }
    guard goesOn else {
      report(.notAdmitted(caller, at: listener.name))
      try? Descriptor(owning: descriptor).close()
      return nil
    }
    let quota = quotas.quota(of: caller.uid)
    let (refusal, membership) =
      if let denial { connections.refuse(denial, caller.uid, room: room) } else {
        place(for: caller, quota, socket, at: listener, by: rules)
      }
    if caller.uid == overflowUser {
      overflowUser = nil
      report(.unmapped(caller))
    }
    if let refusal {
      report(.refused(caller, refusal.reason))
      guard refusal.lingers else {
        // sends the reason and closes, without the cost of a `Connection`
        let connection = Descriptor(owning: descriptor)
        _ = listener.wire.text(of: refusal.reason).withUnsafeBytes { connection.sendNow($0) }
        try? connection.close()
        return nil
      }
    }
    return NewCaller(
      descriptor: descriptor, listener: listener, caller: caller, quota: quota, refusal: refusal,
      membership: membership)
  }

  private func serve(_ new: NewCaller, _ loop: EventLoop) {
    let serving = leastBusy(but: loop.handle)
    serving.connections.wrappingAdd(1, ordering: .relaxed)
    if serving === loop.handle { loop.add(new) } else { serving.post(.caller(new)) }
  }

  private func place(
    for caller: Peer, _ quota: PeerQuota, _ socket: borrowing Descriptor, at listener: Listener, by rules: ServerRules
  ) -> (Connection.Refusal?, Connections.Membership) {
    // While the listening point stops, requests that a caller has sent already are still read and answered. A caller that has
    // sent nothing is refused at once.
    if listener.isDraining, socket.readableBytes == 0 {
      return (Connection.Refusal(reason: .draining, lingers: false), .none)
    }
    return connections.admit(
      caller, quota, by: rules.limits, room: room,
      isAdministrator: rules.access.access(of: caller, on: socket) == .admin)
  }

  private func leastBusy(but own: LoopHandle) -> LoopHandle {
    guard loops.count > 1 else { return own }
    var (least, count) = (own, own.connections.load(ordering: .relaxed) - 1)
    for loop in loops where loop.connections.load(ordering: .relaxed) < count {
      (least, count) = (loop, loop.connections.load(ordering: .relaxed))
    }
    return least
  }

  /// The process that connected, as the kernel noted it at connect (SO_PEERCRED). Nil if the kernel does not know it.
  static func peer(of socket: borrowing Descriptor) -> Peer? {
    guard let peer = try? socket.peerCredentials() else { return nil }
    return Peer(uid: peer.uid, gid: peer.gid, pid: peer.pid)
  }
}
