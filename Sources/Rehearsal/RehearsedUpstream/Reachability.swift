internal import RehearsedNetworks
internal import RehearsedPorts

/// Whether a script lets clients reach the server's answers, or stops every connection with a fault.
enum Reachability: Equatable {
  case answers
  case fault(UpstreamFault)

  /// - Throws: If the script has a fault of connections and also another step: when a connection opens, the server
  ///   does not know yet for which operations the client uses it. Options of a fault of connections have no effect.
  init(_ script: Script) throws(UpstreamServer.Failure) {
    let answers = Script.Operation.allCases.flatMap { script.steps(of: $0).map(\.answer) }
    let faults = answers.compactMap { answer in
      if case .fault(let fault) = answer, fault.isOfConnection { fault } else { nil }
    }
    guard let fault = faults.first else {
      self = .answers
      return
    }
    guard faults.count == answers.count, faults.allSatisfy({ $0 == fault }) else {
      throw UpstreamServer.Failure(
        description:
          "\"\(fault.rawValue)\" happens to a connection, before anybody knows what is asked over it: it has to be the only step of all operations"
      )
    }
    self = .fault(fault)
  }

  /// The behaviour of the server's port that shows this fault to clients.
  var behaviour: Endpoint.Behaviour {
    guard case .fault(let fault) = self else { return .answering }
    if let kind = Certificates.Kind(rawValue: fault.rawValue) { return .impostor(kind) }
    if fault == .unroutable { return .swallowing }
    return fault == .resetBefore ? .resetting : .refusing
  }

  /// Whether the fault needs an https base URL.
  var needsTLS: Bool {
    switch self {
    case .answers: false
    case .fault(let fault): [.resetBefore, .untrusted, .wrongHost, .expired].contains(fault)
    }
  }
}
