extension Schema {
  /// From version 11 to 12: autovacuum soon removes the dead rows of each table with data about end users. A regd of
  /// version 11 may continue to run.
  ///
  /// The statements take the lock SHARE UPDATE EXCLUSIVE: changes continue, but a VACUUM of the same table that an
  /// operator has started must end first. The server ends an autovacuum that is in the way.
  static let vacuuming = Step(
    statements: addressesInIndexes.map { "ALTER TABLE \($0) SET (\(early), \(indexesToo))" }
      + addressesInRows.map { "ALTER TABLE \($0) SET (\(early))" }, oldest: 11)

  /// Tables whose indexes also contain addresses, keyed hashes of addresses, origins or names of requests.
  private static let addressesInIndexes = [
    "account", "request", "claim", "wrong_code", "mail", "mail_ask", "released", "guess", "invitation_use",
  ]

  /// Tables whose indexes contain only ids, numbers and times.
  private static let addressesInRows = ["audit", "audit_address", "entry_without_number", "delivery", "invitation"]

  /// Autovacuum starts when more rows of a table are dead than the threshold and the scale factor's part of all rows
  /// (PostgreSQL's manual, "The Autovacuum Daemon"). By default, that is 50 rows and a fifth of all: erased addresses
  /// would remain for months in a big table that seldom changes. A thousandth is 1000 rows of a million. It is not a
  /// fixed number, because each vacuum may read all indexes of the table, which have 100 GB if there are a billion
  /// accounts.
  static let early = "autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0.001"

  /// By default, VACUUM leaves the indexes as they are if very few rows are dead (PostgreSQL's manual, "VACUUM",
  /// INDEX_CLEANUP). With a threshold as low as `early`, they would always be few.
  private static let indexesToo = "vacuum_index_cleanup = on"
}
