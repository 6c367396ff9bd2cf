internal import JSONRPC
internal import RehearsedNetworks
internal import RehearsedPorts

/// Serves one connection: reads requests, executes them, answers.
struct ConnectionHandler: Sendable {
  let service: RegistrationService
  let baseURL: String
  let bearerToken: String?
  let onRequest: UpstreamServer.RequestHook?

  static let basePath = "/v1"
  /// The target of redirects.
  private static let moved = "/moved"

  /// Serves a connection until it is closed. Runs on the connection's thread.
  func serve(_ socket: SharedSocket) {
    var reader = RequestReader(socket)
    while true {
      var isLast = true
      let reply: Reply?
      do {
        guard let request = try reader.next() else { return }
        isLast = request.isLast
        reply = try answer(request, on: socket)
      } catch {
        reply = refusal(error, isLast: isLast)
      }
      guard let reply, socket.send(reply.bytes) else { return }
      switch reply.ending {
      case .keep: continue
      case .finish: return socket.finish()
      case .reset: return socket.reset()
      case .hold: return socket.waitForEnd()
      }
    }
  }

  /// Executes a request. Returns nil if the connection ended meanwhile.
  private func answer(_ request: HTTPRequest, on socket: SharedSocket) throws(HTTPRequest.Refusal) -> Reply? {
    guard request.target.hasPrefix(Self.basePath + "/") else {
      throw HTTPRequest.Refusal(status: 404, reason: "\(request.method) of a path outside of \(Self.basePath)")
    }
    let path = request.target.dropFirst(Self.basePath.utf8.count)
    if path.hasPrefix(Self.moved + "/") { return followed(request) }
    if let bearerToken, request.values(of: "authorization") != ["Bearer \(bearerToken)"] {
      throw HTTPRequest.Refusal(status: 401, reason: "the bearer token is missing or wrong")
    }
    let call = try service.take(try ServiceRequest(request, path: path))
    onRequest?(UpstreamServer.Moment(call, .read))
    guard socket.isOpen(after: call.step.delay) else { return nil }
    let outcome = service.act(call)
    onRequest?(UpstreamServer.Moment(call, .acted))
    let elsewhere = baseURL + Self.moved + path
    return StepReplies(call: call, outcome: outcome, elsewhere: elsewhere, isLast: request.isLast).reply
  }

  /// Answers a request to the target of a redirect. Every client takes the answer for a success.
  private func followed(_ request: HTTPRequest) -> Reply {
    service.complain("a redirect was followed, with \(request.method)")
    let body = "{\"available\":true,\"id\":\"elsewhere\"}"
    return Reply(200, body: Array(body.utf8), isLast: request.isLast)
  }

  private func refusal(_ refusal: HTTPRequest.Refusal, isLast: Bool) -> Reply {
    service.complain("\(refusal.status): \(refusal.reason)")
    var json = JSONWriter()
    json.object { $0.member("error", refusal.reason) }
    return Reply(refusal.status, body: json.bytes, isLast: isLast)
  }
}
