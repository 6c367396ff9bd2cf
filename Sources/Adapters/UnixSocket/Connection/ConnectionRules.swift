internal import Dialogues
internal import Linux

/// Changes that apply to all connections.
extension Connection {
  /// Applies new limits and rights.
  func adopt(_ rules: ServerRules, _ loop: EventLoop) {
    guard state.phase != .closed else { return }
    let before = limits
    limits = listener.wire.limits(rules.limits)
    dialogue.adopt(limits, rules.access.access(of: caller, on: Descriptor(borrowing: descriptor)))
    outgoing.limits = limits
    timers.deadlines.allowed = .seconds(limits.requestSeconds)
    if limits.idleSeconds != before.idleSeconds, refusal == nil {
      // idleness was not tracked while there was no limit
      if before.idleSeconds == 0 { timers.lastRequest = loop.now }
      timers.idleCheck = limits.idleSeconds > 0 ? loop.now : nil
      schedule(loop)
    }
    // there may be room now for bytes that were not read
    loop.serve(self, .changed)
  }

  /// Refuses new requests if the listening point stops. Bytes that the peer has sent are still read, up to their end; the
  /// peer's later sends fail.
  func drainIfNeeded(_ loop: EventLoop) {
    guard listener.isDraining, !isDraining, state.phase != .closed else { return }
    isDraining = true
    dialogue.drain()
    Descriptor(borrowing: descriptor).shutdown(.reading)
    loop.serve(self, .happened([.input, .boundary]))
  }

  func shutDown(_ loop: EventLoop) {
    dialogue.shutDown()
    loop.serve(self, .changed)
  }
}

extension AccessRules {
  /// - Parameter socket: The caller's connection; the kernel keeps the caller's groups as of the connect.
  func access(of caller: Caller, on socket: borrowing Descriptor) -> Access {
    let access = access(uid: caller.uid, gid: caller.gid, groups: [])
    guard access != .admin, haveGroups else { return access }
    return self.access(uid: caller.uid, gid: caller.gid, groups: socket.peerGroups())
  }
}
