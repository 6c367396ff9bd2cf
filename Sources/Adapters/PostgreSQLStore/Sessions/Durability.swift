/// `store.postgresql.durability`: where an acknowledged change is stored.
enum Durability: String, CaseIterable, Sendable {
  /// The change is on the disk of the server that acknowledged it, and on standbys only if that server waits for them.
  case local
  /// The change is also on the disk of a standby, so that a failover loses nothing that was acknowledged.
  case replicated

  private static let settings = [
    "synchronous_commit", "fsync", "full_page_writes", "server_encoding", "synchronous_standby_names",
  ]

  /// SQL for whether the server sends its log to another one. A role without special rights does not see to which standbys.
  private static let isFollowed = "EXISTS (SELECT FROM pg_stat_get_wal_senders())"

  /// Asks for the settings on which the safety of commits depends, for the encoding, and whether a standby follows.
  static let look = Statement(
    "SELECT " + (settings.map { "current_setting('\($0)')" } + [isFollowed]).joined(separator: ", "))

  /// The condition that each use of a session checks in its first round trip, if any.
  ///
  /// A primary that no standby follows acknowledges nothing while commits have to wait for a standby. It may no longer be the
  /// primary: once another server has been promoted, the standbys follow that one, and only then does it acknowledge changes. So
  /// nothing that another regd has acknowledged is missing from an answer if a standby still followed after it was read.
  var condition: Connection.Condition? { self == .replicated ? Self.following : nil }

  private static let following = Connection.Condition(Statement("SELECT \(isFollowed)")) {
    (answer) throws(ServerFailure) in
    guard answer.first?.text(0) == "t" else { throw .unfollowed }
  }

  /// - Parameter answer: The answer to `look`.
  /// - Throws: `unfit`, with the wrong setting and the required one, or `unfollowed`.
  func check(_ answer: Answer) throws(ServerFailure) {
    guard let row = answer.first else { throw .unfit("the server reports no settings") }
    for (column, name, wanted, reason) in [
      (0, "synchronous_commit", "on", "a commit must be on the disk when it is acknowledged"),
      (1, "fsync", "on", "a crash of the machine would lose what was acknowledged"),
      (2, "full_page_writes", "on", "a crash of the machine could damage the database"),
      (3, "server_encoding", "UTF8", "addresses are UTF-8; make the database with ENCODING 'UTF8'"),
    ] as [(Int32, String, String, String)] where row.text(column) != wanted {
      throw .unfit("the server has \(name) = \(row.text(column)), but regd needs \(wanted): \(reason)")
    }
    guard self == .replicated else { return }
    guard !row.text(4).isEmpty else {
      throw .unfit(
        "commits are not replicated: the server's synchronous_standby_names is empty, and store.postgresql.durability is replicated; name the standbys there, or set durability to local"
      )
    }
    guard row.text(5) == "t" else { throw .unfollowed }
  }
}
