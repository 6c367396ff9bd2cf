internal import Glibc
internal import JSONRPC
internal import NIOCore

/// What makes a connection of a channel that was accepted: who calls, whether there is room, and what serves it.
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
    try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { descriptor in
      caller = PeerCredentials.caller(of: descriptor, access)
      var waiting: Int32 = 0
      isMute = isDraining && ioctl(descriptor, UInt(FIONREAD), &waiting) == 0 && waiting == 0
    }
    // who is not known is nobody: uid and gid as the kernel writes "none"
    let known = caller ?? Caller(uid: .max, gid: .max, pid: 0)
    let usage = usages.usage(of: known.uid)
    // While regd stops, what a caller has sent is still read, so that each request is told so. One that has sent nothing is
    // told at once: nobody waits for what it may say.
    let refusal =
      isMute
      ? ConnectionHandler.Refusal(error: .draining, lingers: false)
      : connections.admit(channel, usage, isAdministrator: known.access == .admin)
    if let refusal { parts.report(.refused(known, refusal.error)) }
    try channel.pipeline.syncOperations.addHandler(
      ConnectionHandler(
        parts, caller: known, usage: usage, scheduler: scheduler, refusal: refusal, isDraining: isDraining))
  }
}
