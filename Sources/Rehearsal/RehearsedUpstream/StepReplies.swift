internal import JSONRPC
internal import RehearsedNetworks
internal import WireFormats

/// The reply on the wire for each step of a script.
struct StepReplies {
  let call: RegistrationService.Call
  let outcome: RegistrationService.Outcome
  /// The target of redirects.
  let elsewhere: String
  let isLast: Bool

  var reply: Reply {
    guard case .fault(let fault) = call.step.answer else { return success }
    switch fault {
    case .unavailable: return error(503, retryAfter)
    case .fail: return error(500)
    case .forbidden: return error(403)
    case .notFound: return error(404)
    case .requestTimeout: return error(408)
    case .gone: return error(410)
    case .reject: return error(422)
    case .locked: return error(423)
    case .tooEarly: return error(425)
    case .throttle: return error(429, retryAfter)
    case .redirect: return Reply(302, [("Location", elsewhere)], isLast: isLast)
    case .empty: return Reply(call.request.operation == .register ? 201 : 200, isLast: isLast)
    case .malformed: return Reply(200, body: Array("{\"\(member)\": tru".utf8), isLast: isLast)
    case .wrongType: return Reply(200, body: wrongType, isLast: isLast)
    case .oversize: return Reply(200, body: oversized, isLast: isLast)
    case .truncate: return half(.finish)
    case .stall: return half(.hold)
    case .timeout: return Reply(.hold)
    case .resetAfter: return Reply(.reset)
    // under these faults no request arrives here
    case .offline, .unroutable, .unresolvable, .resetBefore, .untrusted, .wrongHost, .expired: return Reply(.reset)
    }
  }

  private var success: Reply { Reply(status, body: body, isLast: isLast) }

  private var status: Int {
    switch outcome {
    case .available, .accepted: 200
    case .registered(_, let isRepeat): isRepeat ? 200 : 201
    case .taken: 409
    case .rejected: 401
    }
  }

  private var body: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      switch outcome {
      case .available(let isAvailable): json.member("available", isAvailable)
      case .registered(let id, _), .accepted(let id): json.member("id", id)
      case .taken: json.member("error", "taken" as StaticString)
      case .rejected: json.member("error", "rejected" as StaticString)
      }
    }
    return json.bytes
  }

  /// The JSON member that a successful answer must have.
  private var member: String { call.request.operation == .checkEmail ? "available" : "id" }

  private var wrongType: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      if call.request.operation == .checkEmail {
        json.member("available", "yes" as StaticString)
      } else {
        json.member("id", true)
      }
    }
    return json.bytes
  }

  /// A successful answer padded with spaces to 4 MiB. Only a client that limits the size of answers rejects it.
  private var oversized: [UInt8] {
    let body = body
    return body.dropLast() + [UInt8](repeating: 0x20, count: 4 * 1_048_576 - body.count) + body.suffix(1)
  }

  private func half(_ ending: Reply.Ending) -> Reply {
    let body = body
    return Reply(status, body: body.prefix(body.count / 2), length: body.count, isLast: false, ending: ending)
  }

  private var retryAfter: [(name: String, value: String)] {
    call.step.retryAfterSeconds.map { [("Retry-After", String($0))] } ?? []
  }

  private func error(_ status: Int, _ headers: [(name: String, value: String)] = []) -> Reply {
    Reply(status, headers, body: Array("{\"error\":\"rehearsed\"}".utf8), isLast: isLast)
  }
}

/// The bytes to send, and what the server then does with the connection.
struct Reply: Equatable {
  enum Ending: Equatable {
    /// Reads the next request.
    case keep
    /// Sends FIN.
    case finish
    /// Sends RST.
    case reset
    /// Waits until the peer closes or the server stops.
    case hold
  }

  var bytes: [UInt8]
  var ending: Ending

  /// Sends nothing.
  init(_ ending: Ending) {
    bytes = []
    self.ending = ending
  }

  /// - Parameters:
  ///   - length: The Content-Length, if it differs from the body's.
  ///   - isLast: Whether the head has `Connection: close`. The server then sends FIN, unless `ending` is given.
  init(
    _ status: Int, _ headers: [(name: String, value: String)] = [], body: some Collection<UInt8> = [],
    length: Int? = nil, isLast: Bool, ending: Ending? = nil
  ) {
    var fields: [(name: String, value: String)] = body.isEmpty ? [] : [("Content-Type", "application/json")]
    fields.append(("Content-Length", "\(length ?? body.count)"))
    fields += headers
    if isLast { fields.append(("Connection", "close")) }
    bytes = Array(HTTPStatus(status).head(fields).utf8) + body
    self.ending = ending ?? (isLast ? .finish : .keep)
  }
}
