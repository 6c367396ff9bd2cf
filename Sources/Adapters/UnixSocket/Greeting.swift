internal import JSONRPC
internal import Linux
internal import NIOCore

/// Sets up an accepted channel: finds the caller, checks whether there is room, and adds the handler.
struct Greeting: Sendable {
  let parts: ConnectionHandler.Parts
  let schedulers: LoopSchedulers
  let rules: ServerRules.InForce
  let usages: PeerUsages

  struct UnknownLoop: Error {}

  /// A connection keeps a buffer of this size; one read a turn leaves time to others.
  static var reading: any RecvByteBufferAllocator {
    AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 2048, maximum: 32_768)
  }

  func greet(_ channel: any Channel, _ connections: Connections) throws {
    guard let scheduler = schedulers[channel.eventLoop] else { throw UnknownLoop() }
    var peer: (caller: Caller, groups: [UInt32])?
    var isMute = false
    let isDraining = connections.isDraining
    try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { number in
      let descriptor = Descriptor(borrowing: number)
      peer = Self.peer(of: descriptor)
      isMute = isDraining && descriptor.readableBytes == 0
    }
    // an unknown caller has the uid and gid that stand for "none" in the kernel
    let known = peer?.caller ?? Caller(uid: .max, gid: .max, pid: 0)
    let groups = peer?.groups ?? []
    let before = rules.now
    let usage = usages.usage(of: known.uid)
    // While regd stops, what a caller has sent is still read, so that each request is answered. A caller that has sent
    // nothing is refused at once.
    let refusal =
      isMute
      ? ConnectionHandler.Refusal(error: .draining, lingers: false)
      : connections.admit(
        channel, usage, by: before.limits, isAdministrator: before.access.access(of: known, groups) == .admin)
    if let refusal { parts.report(.refused(known, refusal.error)) }
    // read again: of rules that are replaced from here on, the connection is told, for it is counted now
    try channel.pipeline.syncOperations.addHandler(
      ConnectionHandler(
        parts, caller: known, groups: groups, rules: rules.now, usage: usage, scheduler: scheduler, refusal: refusal,
        isDraining: isDraining))
  }

  /// The process that connected and its groups, as the kernel noted them then; nil if it does not say.
  static func peer(of descriptor: borrowing Descriptor) -> (Caller, [UInt32])? {
    guard let peer = try? descriptor.peerCredentials() else { return nil }
    return (Caller(uid: peer.uid, gid: peer.gid, pid: peer.pid), descriptor.peerGroups())
  }
}

extension AccessRules {
  /// - Parameter groups: The caller's supplementary groups.
  func access(of caller: Caller, _ groups: [UInt32]) -> Access {
    access(uid: caller.uid, gid: caller.gid, groups: groups)
  }
}
