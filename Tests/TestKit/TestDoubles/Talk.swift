package import JSONRPC
package import WireProtocols

/// A conversation without a connection: bytes in, all replies out.
package final class Talk {
  private var conversation: Conversation
  private var output = JSONWriter()
  private let quota: PeerQuota
  package let session: Session
  /// The begun replies that are not finished yet.
  package private(set) var pending: [PendingReply] = []

  package init(
    _ dispatcher: Dispatcher, limits: Limits = Limits(),
    caller: Peer = Peer(uid: 7, gid: 8, pid: 9, access: .open), heldBytesLimit: Int = .max
  ) {
    quota = PeerQuota(uid: caller.uid, requestsPerSecond: limits.requestsPerSecondPerUID)
    session = Session(
      caller: caller, quota: quota, heldBytesLimit: heldBytesLimit,
      languages: dispatcher.languages)
    conversation = Conversation(dispatcher, session: session, quota: quota)
  }

  /// Sends each piece as if one read(2) had delivered it.
  package func send(_ pieces: [[UInt8]]) {
    for piece in pieces { send(piece) }
  }

  package func send(_ text: String) { send(Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) {
    var allowance = Conversation.Allowance(requests: .max, outputBytes: .max)
    var taken = -1
    var rest = bytes[...]
    while !rest.isEmpty && taken != 0 || conversation.hasUnfinishedBatch {
      taken = rest.withUnsafeBytes {
        conversation.receive($0, into: &output, within: &allowance) { pending.append($0) }
      }
      rest = rest.dropFirst(taken)
      guard answersCostlyTexts, let text = takeCostlyText() else { continue }
      comeBack(text)
      taken = -1
    }
  }

  /// Whether `send` answers a costly message at once. In a server, another thread answers it.
  package var answersCostlyTexts = true

  package func takeCostlyText() -> OffloadedCall? { conversation.takeOffloadedCall() }

  package func comeBack(_ call: OffloadedCall) {
    conversation.resume(call, with: call.answer(), into: &output) { pending.append($0) }
  }

  package var isAway: Bool { conversation.isOffloading }
  package var hasUnfinishedBatch: Bool { conversation.hasUnfinishedBatch }
  package var heldBytes: Int { quota.heldBytes }
  package var waitingBytes: Int { conversation.waitingBytes }

  /// Sends the part of the text that the allowance permits. Returns the number of bytes taken.
  package func send(_ text: String, within allowance: inout Conversation.Allowance) -> Int {
    Array(text.utf8).withUnsafeBytes {
      conversation.receive($0, into: &output, within: &allowance) { pending.append($0) }
    }
  }

  package func finishSending() { conversation.finish(into: &output) { pending.append($0) } }

  /// Waits for all begun replies, in order.
  package func settle() async {
    while !pending.isEmpty { await settleFirst() }
  }

  package func settleFirst() async { await settle(0) }

  /// Waits for one of the begun replies.
  package func settle(_ index: Int) async {
    let first = pending.remove(at: index)
    complete(first, await first.finish(width: 64))
  }

  /// Takes the first of the begun replies. The test performs its work itself, and ends it with `complete`.
  package func takeFirst() -> PendingReply { pending.removeFirst() }

  package func complete(_ reply: PendingReply, _ response: [UInt8]?) {
    conversation.complete(reply, response, into: &output)
  }

  /// Sends notifications as the event loop does when it is woken.
  package func sendNotifications() { conversation.sendNotifications(into: &output) }

  package func drain() { conversation.drain() }
  package func hurry() { conversation.shutDown(into: &output) }
  package func expire(_ number: Int, afterSeconds seconds: Int) {
    conversation.expire(number, afterSeconds: seconds, into: &output)
  }
  package func abandon() { conversation.abandon() }
  package var isEnding: Bool { conversation.isEnding }
  package var inFlight: Int { conversation.inFlight }
  package var usedInFlight: Int { quota.inFlight }
  package var mayTakeMore: Bool { conversation.mayTakeMore }
  package var requests: UInt64 { quota.requests }

  /// All output since the last call.
  package func receive() -> String {
    defer { output.removeAll() }
    return String(decoding: output.bytes, as: UTF8.self)
  }
}
