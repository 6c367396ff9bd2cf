internal import Linux
internal import WireProtocols

/// Changes of rules that reach all connections: a reload, a drain, and the shutdown.
extension Connection {
  /// Applies new limits and what the listening point's protocol says now, and gives the caller the access class that the
  /// new rules say. A connection ends, once its requests in flight are answered, if its listening point now speaks another
  /// protocol or no longer admits its caller, or if the new rules deny its user.
  func adopt(_ rules: ServerRules, _ loop: EventLoop) {
    guard state.phase != .closed, !isExpelled else { return }
    if refusal == nil, !mayStay(by: rules.access) { return expel(by: rules, loop) }
    guard !isDraining else { return }
    guard refusal != nil || listener.wire.name == wireName else { return drain(loop) }
    let before = limits
    limits = listener.wire.limits(rules.limits)
    listener.wire.renew(session, with: caller)
    session.adopt(limits, rules.access.access(of: caller, on: Descriptor(borrowing: descriptor)))
    outgoing.limits = limits
    timers.deadlines.allowed = .seconds(limits.requestSeconds)
    if limits.idleSeconds != before.idleSeconds, refusal == nil {
      // idleness was not tracked while there was no limit
      if before.idleSeconds == 0 { timers.lastRequest = loop.now }
      timers.idleCheck = limits.idleSeconds > 0 ? loop.now : nil
      schedule(loop)
    }
    // the new limits may leave room for bytes that are not read yet
    loop.serve(self, .changed)
  }

  private func mayStay(by access: AccessRules) -> Bool {
    let socket = Descriptor(borrowing: descriptor)
    return access.denial(of: caller, on: socket) == nil && listener.admits(caller, on: socket)
  }

  /// Ends the connection of a user that may no longer connect, with the reason if the protocol has words for it. Also
  /// limits the time of a connection that is ending already, because its user may read the replies slowly.
  private func expel(by rules: ServerRules, _ loop: EventLoop) {
    isExpelled = true
    limits = listener.wire.limits(rules.limits)
    outgoing.limits = limits
    let denial = WireProtocols.Refusal.denied(caller.uid)
    parts.report(listener.explains(denial) ? .refused(caller, denial) : .notAdmitted(caller, at: listener.name))
    // the user also loses the rights by which it gets notifications
    session.adopt(limits, .open)
    if !session.readiness(within: outgoing.room).isEnding { session.end(because: denial) }
    loop.serve(self, .changed)
  }

  /// If the listening point stops, refuses new requests.
  func drainIfNeeded(_ loop: EventLoop) {
    if listener.isDraining, !isDraining, state.phase != .closed { drain(loop) }
  }

  /// Refuses new requests. The kernel still delivers the bytes that the peer has sent, and the connection reads them to
  /// the end. Later sends of the peer fail.
  private func drain(_ loop: EventLoop) {
    isDraining = true
    session.drain()
    Descriptor(borrowing: descriptor).shutdown(.reading)
    loop.serve(self, .happened([.input, .boundary]))
  }

  func shutDown(_ loop: EventLoop) {
    session.shutDown()
    loop.serve(self, .changed)
  }
}

extension AccessRules {
  /// - Parameter socket: The caller's connection. The kernel keeps the caller's groups as of the connect.
  func access(of caller: Peer, on socket: borrowing Descriptor) -> Access {
    let access = access(uid: caller.uid, gid: caller.gid, groups: [])
    guard access != .admin, haveGroups else { return access }
    // callers of unknown groups get no rights by them
    return self.access(uid: caller.uid, gid: caller.gid, groups: socket.peerGroups() ?? [])
  }

  /// Why the caller may not connect, or nil if it may. The rules do not concern callers that the kernel does not name. A caller
  /// of unknown groups may not connect if the rules deny groups.
  func denial(of caller: Peer, on socket: borrowing Descriptor) -> Refusal? {
    guard caller.isNamed else { return nil }
    let groups = denied.gids.isEmpty ? [] : socket.peerGroups()
    return denies(uid: caller.uid, gid: caller.gid, groups: groups) ? .denied(caller.uid) : nil
  }
}
