internal import RehearsedNetworks
internal import RehearsedPorts

/// How far a client gets under a script: to answers, or to a fault of the connection.
enum Reachability: Equatable {
  case answers
  case fault(UpstreamFault)

  /// A connection does not know its later operations, so a script may have a fault of connections only as the single step of
  /// all operations. Options of such a step have no effect.
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

  /// The port's behaviour.
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
