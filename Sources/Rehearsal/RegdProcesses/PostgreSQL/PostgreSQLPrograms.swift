internal import Linux

/// The programs of one PostgreSQL installation.
package struct PostgreSQLPrograms: Equatable, Sendable {
  /// The environment variable with the programs' directory, if it is not Debian's: tests run against several major
  /// versions.
  package static let variable = "REGD_TEST_POSTGRESQL_BIN"

  package let directory: String

  /// Looks for a server's programs.
  ///
  /// - Parameters:
  ///   - directory: Their directory, or nil to look among Debian's packages.
  ///   - debian: The directory of Debian's packages, with one per major version. The newest is used.
  /// - Throws: If there are no programs. The message names the package to install.
  package static func find(
    _ directory: String? = ThisProcess.variable(variable), debian: String = "/usr/lib/postgresql"
  ) throws(RegdProcess.Failure) -> PostgreSQLPrograms {
    if let directory {
      guard FileSystem.isExecutable("\(directory)/postgres") else {
        throw RegdProcess.Failure(description: "\(variable)=\(directory): there is no program postgres in it")
      }
      return PostgreSQLPrograms(directory: directory)
    }
    let versions = ((try? FileSystem.names(in: debian)) ?? []).compactMap { Int($0) }.sorted(by: >)
    for version in versions where FileSystem.isExecutable("\(debian)/\(version)/bin/postgres") {
      return PostgreSQLPrograms(directory: "\(debian)/\(version)/bin")
    }
    throw RegdProcess.Failure(description: "there is no PostgreSQL server; Debian's package postgresql contains one")
  }

  package func path(_ name: String) -> String { "\(directory)/\(name)" }
}

/// The user that servers run as. PostgreSQL refuses to run as root, so root runs it as Debian's user `postgres`.
enum PostgreSQLUser {
  private static let name = "postgres"

  /// The words before a command that make this user run it, or no words unless this process is root.
  static func starter() throws(RegdProcess.Failure) -> [String] {
    guard ThisProcess.effectiveUser == 0 else { return [] }
    guard (try? UserDatabase.user(named: name)) != nil else {
      throw RegdProcess.Failure(
        description:
          "a PostgreSQL server does not run as root, and there is no user \(name); Debian's package postgresql creates it"
      )
    }
    return ["setpriv", "--reuid", name, "--regid", name, "--clear-groups", "--"]
  }
}

/// Runs programs.
enum Command {
  /// This process's variables without those that configure regd, or PostgreSQL's programs and library.
  static var environment: [String: String] {
    ThisProcess.environment.filter { !$0.key.hasPrefix("PG") && !$0.key.hasPrefix("REGD_") }
  }

  /// Starts a program in a directory.
  ///
  /// - Parameter words: The program and its arguments.
  /// - Returns: The program's process id.
  static func start(
    _ words: [String], in directory: String, _ descriptors: [Int32: ChildProcess.Descriptor],
    adding variables: [String: String] = [:]
  ) throws(ChildProcess.Failure) -> Int32 {
    try ChildProcess.start(
      "/bin/sh", ["-c", #"cd "$0" && exec "$@""#, directory] + words,
      environment: environment.merging(variables) { $1 }, descriptors, resetsSignals: true)
  }

  /// Runs a program in a directory, to its end. Blocks.
  ///
  /// - Returns: Its standard output without the last line's end.
  /// - Throws: If its exit status is not 0. The message has its output.
  @discardableResult
  static func run(
    _ words: [String], in directory: String, adding variables: [String: String] = [:]
  ) throws -> String {
    let pair = try Descriptor.pipe()
    let theirs = pair.second
    let ours = pair.first
    let pid = try start(
      words, in: directory, [0: .null, 1: .parents(theirs.number), 2: .child(1)], adding: variables)
    try theirs.close()
    let read = Result { try ours.readToEnd(beyond: .max - 1) }
    let status = ChildProcess.reap(pid) ?? -1
    var output = String(decoding: try read.get(), as: UTF8.self)
    guard status == 0 else {
      throw RegdProcess.Failure(description: "\(words.joined(separator: " ")) (exit status \(status)): \(output)")
    }
    if output.last == "\n" { output.removeLast() }
    return output
  }
}
