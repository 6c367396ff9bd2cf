internal import ArgumentParser
internal import RegdClient

/// The format in which `regctl export` writes accounts.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
  /// One JSON object per line.
  case jsonl
  /// RFC 4180, but with bare line feeds at line ends, which more programs can read.
  case csv

  /// The members of a record and the names of their columns, in the columns' order.
  private static let columns = [
    ("email", "email"), ("passwordHash", "password_hash"), ("state", "state"), ("createdAt", "created_at"),
    ("id", "id"),
  ]

  var heading: String {
    switch self {
    case .jsonl: ""
    case .csv: Self.columns.map(\.1).joined(separator: ",") + "\n"
    }
  }

  func line(_ record: JSONValue) -> String {
    switch self {
    case .jsonl: "\(record.text)\n"
    case .csv: Self.columns.map { Self.quoted(record[$0.0]?.string ?? "") }.joined(separator: ",") + "\n"
    }
  }

  private static func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
