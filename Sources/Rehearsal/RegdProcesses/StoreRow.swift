/// A store that a regd supports, from `regd --list-backends`.
package struct StoreRow: Equatable, Sendable {
  /// The value of `store.backend`.
  package let name: String
  /// Whether accounts outlive the process.
  package let isDurable: Bool
  /// The variable with the address of the store's server, or nil if it has none.
  package let serverVariable: String?
  /// The names of the store's files, by the environment variables that hold the files' paths.
  private let files: [String: String]

  /// - Throws: If the program does not list its stores.
  package static func all(of regd: String) throws -> [StoreRow] {
    let run = try TemporaryDirectory.with {
      try RegdProcess.run(program: regd, arguments: ["--list-backends"], directory: $0)
    }
    let rows = run.output.split(separator: "\n").compactMap { StoreRow($0) }
    guard run.status == 0, !rows.isEmpty else {
      throw RegdProcess.Failure(description: "\(regd) does not list its stores: \(run.output)")
    }
    return rows
  }

  /// The only row of a regd that does not list its stores. All its cells in the report are red, because such a regd
  /// does not start.
  package static let unknown = StoreRow(
    name: "unknown", isDurable: false, serverVariable: nil, files: [:])

  private init(name: String, isDurable: Bool, serverVariable: String?, files: [String: String]) {
    (self.name, self.isDurable, self.serverVariable, self.files) = (name, isDurable, serverVariable, files)
  }

  /// Reads a line of `regd --list-backends`. Returns nil if it does not describe a store.
  private init?(_ line: Substring) {
    let words = line.split(separator: " ")
    guard words.count > 1, words[0] == "store" else { return nil }
    let files = words.dropFirst(2).compactMap { word -> (String, String)? in
      guard let equals = word.firstIndex(of: "="), let file = word.split(separator: "/").last else { return nil }
      return (String(word[..<equals]), String(file))
    }
    let server = words.first { $0.hasPrefix("server:") }?.dropFirst("server:".count)
    self.init(
      name: String(words[1]), isDurable: words.contains("durable"), serverVariable: server.map { String($0) },
      files: Dictionary(files) { first, _ in first })
  }

  /// Environment variables that put the store's files into `directory`, and its accounts into a database of their own.
  ///
  /// - Parameter database: Makes a database on a shared server. Called if the store needs one.
  /// - Throws: Errors of `database`.
  package func places<Failure: Error>(
    in directory: String, _ database: () throws(Failure) -> PostgreSQLDatabase
  ) throws(Failure) -> [String: String] {
    var places = files.mapValues { "\(directory)/\($0)" }
    if let serverVariable, serverVariable.hasSuffix("_URL") {
      places[serverVariable] = try database().url
      // the server is shared by many processes at once, and may answer slowly
      for limit in ["CONNECT", "ANSWER"] { places["\(serverVariable.dropLast(3))\(limit)_SECONDS"] = "20" }
    }
    return places
  }

  /// Environment variables that put the store's files into `directory`.
  package func files(in directory: String) -> [String: String] { files.mapValues { "\(directory)/\($0)" } }
}
