/// The result of a request: everything that a verdict is based on.
struct UpstreamReply: Equatable, Sendable {
  var end: TransferEnd
  /// How often the request was given to an established connection (after TLS). If 0, the upstream cannot have seen it.
  var sendings: Int
  /// The final status, or nil if the upstream sent no status, or only interim ones (1xx).
  var status: Int?
  var retryAfter: String?
  var body: [UInt8] = []
  /// libcurl's message for the failure, for operators.
  var message = ""

  /// The reply to a request that was never given to libcurl.
  static func unsent(_ end: TransferEnd, _ message: String) -> UpstreamReply {
    UpstreamReply(end: end, sendings: 0, message: message)
  }
}
