import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("regctl migrate", .blocking, .timeLimit(.minutes(10)))
struct MigrateTests {
  @Test("regctl migrate refuses a file that is not a store of regd, and reports that a store in use is up to date")
  func sqlite() throws {
    try withRegd { regd in
      try TextFile.write("precious", to: "\(regd.directory)/notes")
      try Shell.check(
        [
          ("$regctl migrate --store x --store-file y", 2, "cannot be combined"),
          ("$regctl migrate --store notes", 2, "or a path that begins with /"),
          ("$regctl migrate --dry-run --store $PWD/none.db", 1, "the file does not exist"),
          ("$regctl migrate --store $PWD/notes", 1, "not a database"), ("cat notes", 0, "precious"),
          ("$regctl migrate --store postgresql://127.0.0.1:1/x", 1, "regctl: postgresql: "),
          ("$regctl migrate --dry-run", 0, "the schema is up to date (version "),
          ("$regctl migrate --dry-run --json", 0, #""statements":[],"done":false}"#),
          ("$regctl migrate --store \(regd.database)", 0, "the schema is up to date (version "),
        ], regd.socket, in: regd.directory)
    }
    try withRegd(["REGD_STORE_BACKEND": "memory"]) { regd in
      try Shell.check([("$regctl migrate", 2, "give the store with --store or --store-file")], regd.socket)
    }
  }

  @Test(
    "a dry run prints the changes to a PostgreSQL database without making them, and migrate then makes them",
    .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
  func postgresql() async throws {
    let database = try await PostgreSQL.database()
    try TemporaryDirectory.with { directory in
      try TextFile.write("\(database.url)\n", to: "\(directory)/store")
      try Shell.check(
        [
          ("$regctl migrate --dry-run --store-file store", 0, "CREATE TABLE account"),
          ("$regctl migrate --dry-run --store-file store", 0, "would migrate the schema from version 0 to "),
          ("$regctl migrate --store-file store", 0, "migrated the schema from version 0 to "),
          ("$regctl migrate --store-file store", 0, "the schema is up to date (version "),
        ], "/nonexistent", in: directory)
    }
  }
}
