internal import AsyncPrimitives
internal import Linux
package import Liveness
internal import Synchronization
package import WireProtocols
internal import WorkerThreads

/// Serves the callers of listening points until `drain`. All points share the event loops and the limits, and all users
/// take turns.
package struct Server: Sendable {
  private let listeners: ListenerTable
  private let rules: ServerRules.InForce
  private let quotas: PeerQuotas
  private let report: @Sendable (ServerEvent) -> Void
  private let loops = RunningLoops()
  private let connections = Connections()
  private let work = WorkQueue()
  /// The queues of look-ups, one per event loop.
  private let lookUps: [WorkQueue]

  /// - Parameters:
  ///   - points: The points. The server takes over their sockets.
  ///   - listeners: An empty table, which the server fills and keeps up to date.
  ///   - loops: How many event loops, each with a thread. Must be 1 or more.
  ///   - access: Decides which callers are administrators or observers, and which may not connect.
  ///   - quotas: Counts each user's connections and bytes.
  ///   - report: Called on an event loop, so it must not block, with events that an operator may want to know.
  package init(
    _ points: [ListeningPoint], in listeners: ListenerTable = ListenerTable(), loops: Int = 1, limits: Limits,
    access: AccessRules = AccessRules(), quotas: PeerQuotas, report: @escaping @Sendable (ServerEvent) -> Void
  ) {
    self.listeners = listeners
    _ = listeners.replace(with: points)
    lookUps = (0..<loops).map { _ in WorkQueue() }
    rules = ServerRules.InForce(ServerRules(limits: limits, access: access))
    self.quotas = quotas
    self.report = report
  }

  /// How many descriptors `run` opens besides those of its connections: those of the loops, and one for the offload
  /// threads.
  package static func descriptors(loops: Int) -> Int { LoopHandle.descriptors * loops + 1 }

  /// A listening socket stopped listening without `drain`.
  package struct ListeningEnded: Error {}

  /// Accepts and serves. Returns after `drain`, once every connection is done. Closes the listening sockets and
  /// removes their names.
  ///
  /// - Parameter ready: Called once callers are accepted, with the event loops' probes (which show whether a loop
  ///   still runs), which may be used until `drain`.
  /// - Throws: `ListeningEnded`, or `SystemError` or `WorkerThreads.StartFailure` if the machine has no descriptor or
  ///   thread left.
  package func run(ready: @Sendable (_ loops: [Probe]) async -> Void) async throws {
    defer { for listener in listeners.all { listener.socket.release() } }
    let group = try LoopGroup(lookUps)
    let offloadThreads = try OffloadThreads(threads: lookUps.count)
    for listener in listeners.all { try Self.watch(listener, group) }
    let running = try await group.start(
      Acceptor.Parts(
        listeners: listeners.all, loops: group.loops, connections: connections, rules: rules, quotas: quotas,
        report: report,
        ended: { if !connections.isDraining { closeWork(by: .now) } }),
      Connection.Parts(
        work: work, offloadThreads: offloadThreads, connections: connections, report: report))
    loops.began(group)
    await ready(group.probes)
    await doWork(group)
    // stopped before the loops end, because the threads post answers to the loops
    offloadThreads.stop()
    await LoopGroup.end(running)
    guard connections.isDraining else { throw ListeningEnded() }
  }

  private static func watch(_ listener: Listener, _ group: LoopGroup) throws(SystemError) {
    let listening = Descriptor(borrowing: listener.socket.descriptor)
    try listening.stopWaiting()
    try group.first.poll.add(listening.number, for: .readable, token: listener.token)
  }

  /// Returns once `closeWork` was called and all work is done.
  private func doWork(_ group: LoopGroup) async {
    await withDiscardingTaskGroup { tasks in
      for loop in group.loops {
        tasks.addTask(executorPreference: LoopExecutor(loop, user: LoopUsers.regd)) { await loop.lookUps.run() }
      }
      tasks.addTask { await work.run() }
    }
  }

  private func closeWork(by deadline: ContinuousClock.Instant) {
    for queue in [work] + lookUps { queue.close(by: deadline) }
  }

  /// Applies new limits and access rules. Every connection has them when this returns. Requests in flight keep their
  /// time limits, and a lower limit closes no open connection. Connections of users that the rules now deny end once their
  /// requests in flight are answered, and at most `stalledSeconds` later.
  package func adopt(_ limits: Limits, _ access: AccessRules) async {
    let new = ServerRules(limits: limits, access: access)
    quotas.adopt(limits)
    if rules.replace(with: new), let group = loops.group { await Self.spread(new, group) }
  }

  /// Gives all connections the rules.
  private static func spread(_ rules: ServerRules, _ group: LoopGroup) async {
    await group.tell(.adopt(rules))
    // once more, because a caller that was admitted by the former rules may have come to its loop after the order
    await group.tell(.adopt(rules))
  }

  /// Listens at these points and no others. A stopping server adds no points. The connections of a remaining point are
  /// kept, and have the point's new rules when this returns. The connections of a removed point end once their requests
  /// in flight are answered.
  ///
  /// - Parameter points: The points. The server takes over the sockets of new ones.
  package func listen(at points: [ListeningPoint]) async {
    guard let group = loops.group, !connections.isDraining else {
      for point in points where !listeners.all.contains(where: { $0.serves(point) }) { point.socket.discard() }
      return
    }
    let (added, removed) = listeners.replace(with: points)
    await Self.spread(rules.now, group)
    for listener in added {
      do throws(SystemError) { try Self.watch(listener, group) } catch {
        report(.acceptFailed(errorNumber: error.number))
      }
      group.first.post(.listen(listener))
    }
    await stop(removed, group)
    for listener in removed { listener.socket.release() }
  }

  /// Stops accepting at these listeners. When this returns, all callers that connected before are counted, and new
  /// requests of the listeners' connections are refused.
  private func stop(_ listeners: [Listener], _ group: LoopGroup) async {
    for listener in listeners { listener.beginDraining() }
    await group.tell(.stopListening)
    for listener in listeners { group.first.post(.lateCallers(listener.socket.takeQueue(), listener)) }
    // after the first loop's round trip, all accepted callers are counted
    await group.first.roundTrip()
    await group.tell(.drain)
  }

  /// How long connections may take after `shutDown` to send the last replies.
  private static let lastMoment = Duration.seconds(1)

  /// Stops accepting, refuses new requests, lets requests in flight finish, and closes. Requests still in flight after
  /// `grace` are answered with an error, which states that regd stops or that the registration is pending. A second
  /// later all connections are closed. If the task is cancelled, this closes them at once.
  ///
  /// - Parameter hasClosed: Called once no further caller is accepted and no new request begins.
  package func drain(within grace: Duration, hasClosed: @Sendable () -> Void = {}) async {
    let deadline = ContinuousClock.now + grace + Self.lastMoment
    if let group = loops.group { await drain(group, within: grace, hasClosed) } else { hasClosed() }
    // posted without waiting for the loops, because the next line lets them end
    loops.group?.post(.closeAll)
    closeWork(by: deadline)
  }

  private func drain(_ group: LoopGroup, within grace: Duration, _ hasClosed: @Sendable () -> Void) async {
    connections.beginDraining()
    await stop(listeners.all, group)
    hasClosed()
    let empty = connections.whenEmpty()
    await withTaskGroup { tasks in
      tasks.addTask { await empty.value(onCancel: { empty.fulfill(()) }) }
      tasks.addTask {
        do {
          try await Task.sleep(for: grace)
          await group.tell(.shutDown)
          try await Task.sleep(for: Self.lastMoment)
        } catch {
          // all connections have ended before
        }
      }
      await tasks.next()
      tasks.cancelAll()
    }
  }
}

/// An event that an operator may want to know.
package enum ServerEvent: Sendable {
  /// A connection could not be accepted, usually because no descriptor was free. regd tries again after a pause.
  case acceptFailed(errorNumber: Int32)
  /// A connection was closed because its caller took none of the bytes that wait for it, or not all of them within the time
  /// that a user who may no longer connect has.
  case stalled(Peer, bytes: Int)
  /// A connection was refused because there are too many, because regd stops, or because the rules deny its user. Also an
  /// open connection whose user a reload denies.
  case refused(Peer, Refusal)
  /// A connection was closed without a byte, because the listening point does not admit its user, or the rules deny it. Also
  /// an open connection whose user loses the right to connect at a reload.
  case notAdmitted(Peer, at: String)
  /// The first caller whose user is not mapped in regd's user namespace. All such users share this uid
  /// (user_namespaces(7)).
  case unmapped(Peer)
  /// The first caller that was denied although the kernel does not report its groups. The rules deny a group, so they deny
  /// every such caller.
  case groupsUnknown(Peer)
}

/// The settings of a server that a reload of the configuration replaces, for new and for open connections.
struct ServerRules: Equatable, Sendable {
  var limits: Limits
  /// Which callers are administrators or observers, and which may not connect.
  var access: AccessRules

  /// The rules in force, for new connections.
  final class InForce: Sendable {
    private let rules: Mutex<ServerRules>

    init(_ rules: ServerRules) { self.rules = Mutex(rules) }

    var now: ServerRules { rules.withLock { $0 } }

    /// - Returns: Whether the new rules differ from the former ones.
    func replace(with new: ServerRules) -> Bool {
      rules.withLock { rules in
        defer { rules = new }
        return rules != new
      }
    }
  }
}
