internal import JSONRPC
internal import NIOCore

extension ConnectionHandler {
  /// Goes on by other limits and rights.
  func adopt(_ rules: ServerRules, _ context: ChannelHandlerContext) {
    let before = limits
    limits = rules.limits
    session.adopt(access: rules.access.access(of: caller, groups), heldBytesLimit: limits.heldBytesPerUID)
    conversation.adopt(limits)
    outgoing.limits = limits
    deadlines.allowed = .seconds(Int64(limits.requestSeconds))
    if limits.idleSeconds != before.idleSeconds, refusal == nil {
      // it was not looked at while there was no limit
      if before.idleSeconds == 0 { lastRequest = .now() }
      idleTimer += 1
      if limits.idleSeconds > 0 { watchIdleness(context) }
    }
    // there may be room for what was not read
    proceed(context)
  }
}
