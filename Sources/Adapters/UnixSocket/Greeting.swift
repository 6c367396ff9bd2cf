internal import JSONRPC
internal import Linux
internal import NIOCore

/// Sets up an accepted channel: finds the caller, checks whether there is room, and adds the handler.
struct Greeting: Sendable {
  let parts: ConnectionHandler.Parts
  let schedulers: LoopSchedulers
  let access: AccessRules
  let usages: PeerUsages

  struct UnknownLoop: Error {}

  /// A connection keeps a buffer of this size; one read a turn leaves time to others.
  static var reading: any RecvByteBufferAllocator {
    AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 2048, maximum: 32_768)
  }

  func greet(_ channel: any Channel, _ connections: Connections) throws {
    guard let scheduler = schedulers[channel.eventLoop] else { throw UnknownLoop() }
    var caller: Caller?
    var isMute = false
    let isDraining = connections.isDraining
    try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { number in
      let descriptor = Descriptor(borrowing: number)
      caller = Self.caller(of: descriptor, access)
      isMute = isDraining && descriptor.readableBytes == 0
    }
    // an unknown caller has the uid and gid that stand for "none" in the kernel
    let known = caller ?? Caller(uid: .max, gid: .max, pid: 0)
    let usage = usages.usage(of: known.uid)
    // While regd stops, what a caller has sent is still read, so that each request is answered. A caller that has sent
    // nothing is refused at once.
    let refusal =
      isMute
      ? ConnectionHandler.Refusal(error: .draining, lingers: false)
      : connections.admit(channel, usage, isAdministrator: known.access == .admin)
    if let refusal { parts.report(.refused(known, refusal.error)) }
    try channel.pipeline.syncOperations.addHandler(
      ConnectionHandler(
        parts, caller: known, usage: usage, scheduler: scheduler, refusal: refusal, isDraining: isDraining))
  }

  /// The process that connected, as the kernel noted it then; nil if it does not say.
  static func caller(of descriptor: borrowing Descriptor, _ rules: AccessRules) -> Caller? {
    guard let peer = try? descriptor.peerCredentials() else { return nil }
    return Caller(
      uid: peer.uid, gid: peer.gid, pid: peer.pid,
      access: rules.access(uid: peer.uid, gid: peer.gid, groups: descriptor.peerGroups()))
  }
}
