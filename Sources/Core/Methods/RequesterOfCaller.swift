internal import JSONRPC
internal import Registration

extension Caller {
  /// The caller as the audit knows it.
  var requester: Requester { Requester(uid: uid, pid: pid) }
}
