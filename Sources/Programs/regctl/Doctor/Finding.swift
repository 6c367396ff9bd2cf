internal import Localization
internal import RegdClient
internal import UserMessages

/// The result of a check.
struct Finding: Equatable {
  enum Verdict: String {
    case ok
    /// The checked thing works today, but not for long, or differs from the operator's intention.
    case warning
    case problem
    /// This user cannot see the fact on which the check depends.
    case unknown

    var isTrouble: Bool {
      switch self {
      case .warning, .problem: true
      case .ok, .unknown: false
      }
    }
  }

  /// The check's name, which `DoctorCheck.findings` sets.
  var name = ""
  let verdict: Verdict
  /// The evidence, as a sentence without a full stop.
  let seen: LocalizedMessage
  /// The command to type, or nil if there is nothing to do.
  var advice: String?

  /// The evidence in the user's language.
  var evidence: String { Speech.text(seen) }

  static func ok(_ seen: LocalizedMessage) -> Finding { Finding(verdict: .ok, seen: seen, advice: nil) }

  static func warning(_ seen: LocalizedMessage, type advice: String) -> Finding {
    Finding(verdict: .warning, seen: seen, advice: advice)
  }

  static func problem(_ seen: LocalizedMessage, type advice: String) -> Finding {
    Finding(verdict: .problem, seen: seen, advice: advice)
  }

  static func unknown(_ seen: LocalizedMessage, type advice: String? = nil) -> Finding {
    Finding(verdict: .unknown, seen: seen, advice: advice)
  }

  /// A command followed by a note, in the form of a shell comment.
  static func typing(
    _ command: String, _ note: DoctorAdvice, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]
  ) -> String { "\(command)   # \(Speech.text(note, values))" }

  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(name)), .init("verdict", .string(verdict.rawValue)), .init("evidence", .string(evidence)),
    ]
    if let advice { members.append(.init("advice", .string(advice))) }
    return .object(members)
  }
}
