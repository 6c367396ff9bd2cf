internal import RehearsedNetworks

/// How far a request comes with a script: to an answer, or not even through the connection.
enum Reach: Equatable {
  case answers
  case fault(UpstreamFault)

  /// A connection does not know which operation will be asked over it, so a script has one connection-level fault and
  /// nothing else, or none at all. Options of such a step have no effect.
  init(_ script: Script) throws(Hindrance) {
    let answers = Script.Operation.allCases.flatMap { script.steps(of: $0).map(\.answer) }
    let faults = answers.compactMap { answer in
      if case .fault(let fault) = answer, fault.isOfConnection { fault } else { nil }
    }
    guard let fault = faults.first else {
      self = .answers
      return
    }
    guard faults.count == answers.count, faults.allSatisfy({ $0 == fault }) else {
      throw Hindrance(
        "\"\(fault.rawValue)\" happens to a connection, before anybody knows what is asked over it: it has to be the only step of all operations"
      )
    }
    self = .fault(fault)
  }

  /// Whether it can only be played where the base URL is https.
  var needsTLS: Bool {
    switch self {
    case .answers: false
    case .fault(let fault): [.resetBefore, .untrusted, .wrongHost, .expired].contains(fault)
    }
  }
}
