internal import RehearsedMails
internal import RehearsedNetworks

/// `environment`: the situation that a configuration simulates. Only configurations for tests of front ends and for the
/// test matrix set it.
package struct EnvironmentSettings: Equatable, Sendable {
  package var name: String
  package var summary: String
  /// The condition that callers meet: an `EnvironmentCondition`, a `MailSituation` or an `AdmissionSituation`.
  package var gives: String

  private static let conditions =
    EnvironmentCondition.allCases.map(\.rawValue) + MailSituation.allCases.map(\.rawValue)
    + AdmissionSituation.allCases.map(\.rawValue)

  init?(_ reader: inout SettingsReader) {
    name = reader.string("environment.name", default: "")
    summary = reader.lines("environment.summary", default: "")
    gives = reader.choice("environment.gives", default: "", of: Self.conditions)
    if name.isEmpty, summary.isEmpty, gives.isEmpty { return nil }
    if name.isEmpty { reader.refuse("environment.name", "is missing; an environment needs a name") }
    if gives.isEmpty, !reader.has("environment.gives") {
      reader.refuse("environment.gives", "is missing; it must be one of \(Self.conditions.joined(separator: ", "))")
    }
  }
}
