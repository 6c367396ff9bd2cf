internal import RegdClient

/// What a check came to.
struct Finding: Equatable {
  enum Verdict: String {
    case ok
    /// Works today, and will not for long; or works otherwise than its operator means.
    case warning
    case problem
    /// What would decide cannot be seen from here.
    case unknown

    var isTrouble: Bool {
      switch self {
      case .warning, .problem: true
      case .ok, .unknown: false
      }
    }
  }

  /// Of the check.
  var name = ""
  let verdict: Verdict
  /// What was seen, as a sentence without a full stop.
  let evidence: String
  /// What to type; nil if there is nothing to be done.
  var advice: String?

  static func ok(_ evidence: String) -> Finding { Finding(verdict: .ok, evidence: evidence, advice: nil) }

  static func warning(_ evidence: String, type advice: String) -> Finding {
    Finding(verdict: .warning, evidence: evidence, advice: advice)
  }

  static func problem(_ evidence: String, type advice: String) -> Finding {
    Finding(verdict: .problem, evidence: evidence, advice: advice)
  }

  static func unknown(_ evidence: String, type advice: String? = nil) -> Finding {
    Finding(verdict: .unknown, evidence: evidence, advice: advice)
  }

  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(name)), .init("verdict", .string(verdict.rawValue)), .init("evidence", .string(evidence)),
    ]
    if let advice { members.append(.init("advice", .string(advice))) }
    return .object(members)
  }
}
