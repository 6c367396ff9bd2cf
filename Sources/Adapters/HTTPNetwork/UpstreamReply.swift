/// What came of a request: all that the verdict is made of.
struct UpstreamReply: Equatable, Sendable {
  var end: TransferEnd
  /// How often the request was handed to a connection that stood, TLS included. 0: the upstream cannot have seen it.
  var sendings: Int
  /// The final status; nil as long as there was none, or only interim ones (1xx).
  var status: Int?
  var retryAfter: String?
  var body: [UInt8] = []
  /// libcurl's words for the failure, for operators.
  var message = ""

  /// Never given to libcurl.
  static func unsent(_ end: TransferEnd, _ message: String) -> UpstreamReply {
    UpstreamReply(end: end, sendings: 0, message: message)
  }
}
