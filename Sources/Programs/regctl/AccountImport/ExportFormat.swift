internal import ArgumentParser
internal import RegdClient

/// The format in which `regctl export` writes accounts.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
  /// One JSON object per line.
  case jsonl
  /// RFC 4180, but with bare line feeds at line ends, which more programs can read.
  case csv

  /// The paths of a record's members and the names of their columns, in the columns' order.
  private static let columns = [
    (["email"], "email"), (["passwordHash"], "password_hash"), (["state"], "state"), (["createdAt"], "created_at"),
    (["id"], "id"), (["groups"], "groups"), (["displayName"], "display_name"),
  ]
  private static let termsColumns = [
    (["terms", "version"], "terms_version"), (["terms", "acceptedAt"], "terms_accepted_at"),
  ]

  /// - Parameter hasTerms: Whether a CSV has columns for the terms that an account has accepted.
  func heading(withTerms hasTerms: Bool) -> String {
    switch self {
    case .jsonl: ""
    case .csv: (Self.columns + (hasTerms ? Self.termsColumns : [])).map(\.1).joined(separator: ",") + "\n"
    }
  }

  /// - Parameter hasTerms: As in `heading`.
  func line(_ record: JSONValue, withTerms hasTerms: Bool) -> String {
    switch self {
    case .jsonl: "\(record.text)\n"
    case .csv:
      (Self.columns + (hasTerms ? Self.termsColumns : [])).map { path, _ in
        Self.quoted(Self.text(path.reduce(Optional(record)) { $0?[$1] }))
      }.joined(separator: ",") + "\n"
    }
  }

  /// A text, or the texts of an array with spaces between them, or "" for no value.
  private static func text(_ value: JSONValue?) -> String {
    value?.string ?? (value?.array ?? []).compactMap(\.string).joined(separator: " ")
  }

  private static func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
