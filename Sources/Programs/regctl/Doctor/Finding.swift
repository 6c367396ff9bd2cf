internal import RegdClient
internal import Sentences

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
  let seen: Sentence
  /// What to type; nil if there is nothing to be done.
  var advice: String?

  /// What was seen, in the user's language.
  var evidence: String { Speech.text(seen) }

  static func ok(_ seen: Sentence) -> Finding { Finding(verdict: .ok, seen: seen, advice: nil) }

  static func warning(_ seen: Sentence, type advice: String) -> Finding {
    Finding(verdict: .warning, seen: seen, advice: advice)
  }

  static func problem(_ seen: Sentence, type advice: String) -> Finding {
    Finding(verdict: .problem, seen: seen, advice: advice)
  }

  static func unknown(_ seen: Sentence, type advice: String? = nil) -> Finding {
    Finding(verdict: .unknown, seen: seen, advice: advice)
  }

  /// A command with a note behind it, as the shell has one.
  static func typing(
    _ command: String, _ note: DoctorAdvice, _ values: KeyValuePairs<String, Sentence.Content> = [:]
  ) -> String { "\(command)   # \(Speech.text(note, values))" }

  var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(name)), .init("verdict", .string(verdict.rawValue)), .init("evidence", .string(evidence)),
    ]
    if let advice { members.append(.init("advice", .string(advice))) }
    return .object(members)
  }
}
