/// A database of a server, and its role.
package struct PostgreSQLDatabase: Sendable {
  /// The directory of the server's socket.
  let directory: String
  package let port: UInt16
  package let name: String
  package let role: String

  /// The URL for a client, over the Unix socket.
  package var url: String { "postgresql://\(role)@/\(name)?host=\(directory)&port=\(port)" }
  /// The URL over TCP.
  package var networkURL: String { url(port: port) }
  /// The URL over TCP through another port.
  package func url(port: UInt16) -> String { "postgresql://\(role)@127.0.0.1:\(port)/\(name)" }

  /// The same database, for a client that connects as the superuser.
  package var administrator: PostgreSQLDatabase {
    PostgreSQLDatabase(directory: directory, port: port, name: name, role: "postgres")
  }

  /// Runs one or more statements with psql(1).
  ///
  /// - Returns: Rows as lines, columns separated by `|`.
  /// - Throws: The server's message, with its SQLSTATE.
  @discardableResult
  package func query(_ statements: String) throws -> String { try psql("--command", statements) }

  /// Writes a script to a file with pg_dump(1).
  package func dump(to file: String, _ options: [String] = []) throws {
    try Command.run(
      [try PostgreSQLPrograms.find().path("pg_dump"), "--dbname", url, "--file", file] + options, in: directory)
  }

  /// Runs a script that `dump` has written.
  package func restore(_ file: String) throws { try psql("--file", file) }

  @discardableResult
  private func psql(_ option: String, _ value: String) throws -> String {
    try Command.run(
      [
        try PostgreSQLPrograms.find().path("psql"), "--no-psqlrc", "--no-align", "--tuples-only", "--quiet", "--set",
        "ON_ERROR_STOP=1", "--set", "VERBOSITY=verbose", "--dbname", url, option, value,
      ], in: directory, adding: ["PGOPTIONS": "-c client_min_messages=error", "PGCONNECT_TIMEOUT": "60"])
  }
}

extension PostgreSQLServer {
  /// Runs one or more statements as `role`. postgres is the superuser.
  ///
  /// - Returns: Rows as lines, columns separated by `|`.
  /// - Throws: The server's message, with its SQLSTATE.
  @discardableResult
  package func query(
    _ statements: String, as role: String = "postgres", in database: String = "postgres"
  ) throws -> String {
    try PostgreSQLDatabase(directory: directory, port: port, name: database, role: role).query(statements)
  }

  /// Makes databases in about a millisecond each. Such a database is only a role and a schema in the database postgres.
  /// The role is not a superuser and sees no other role's tables. The schema has the role's name and comes first in its
  /// search_path.
  ///
  /// - Parameter names: Roles that do not exist yet.
  package func makeDatabases(_ names: [String]) throws -> [PostgreSQLDatabase] {
    let statements = names.map { "CREATE ROLE \($0) LOGIN; CREATE SCHEMA AUTHORIZATION \($0);" }
    try query(statements.joined(separator: "\n"))
    return names.map { PostgreSQLDatabase(directory: directory, port: port, name: "postgres", role: $0) }
  }

  package func makeDatabase(_ name: String) throws -> PostgreSQLDatabase { try makeDatabases([name])[0] }

  /// Makes a database with CREATE DATABASE, so that it can have its own locale. Takes a tenth of a second.
  ///
  /// - Parameters:
  ///   - name: The name of the database and of its owner.
  ///   - clauses: Added to CREATE DATABASE.
  package func makeWholeDatabase(_ name: String, _ clauses: String = "") throws -> PostgreSQLDatabase {
    try query("CREATE ROLE \(name) LOGIN")
    try query("CREATE DATABASE \(name) OWNER \(name) \(clauses)")
    return PostgreSQLDatabase(directory: directory, port: port, name: name, role: name)
  }

  /// A database of this server that was made elsewhere, such as on the primary whose standby this server is or was.
  package func database(like other: PostgreSQLDatabase) -> PostgreSQLDatabase {
    PostgreSQLDatabase(directory: directory, port: port, name: other.name, role: other.role)
  }
}
