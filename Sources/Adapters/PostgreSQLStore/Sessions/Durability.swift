/// `store.postgresql.durability`: where an acknowledged change is stored.
enum Durability: String, CaseIterable, Sendable {
  /// The change is on the disk of the server that acknowledged it, and on standbys only if that server waits for them.
  case local
  /// The change is also on the disk of a standby, so that a failover loses nothing that was acknowledged.
  case replicated

  private static let settings = [
    "synchronous_commit", "fsync", "full_page_writes", "server_encoding", "synchronous_standby_names",
  ]

  /// Asks for the settings on which the safety of commits depends, and for the encoding.
  static let look = Statement("SELECT " + settings.map { "current_setting('\($0)')" }.joined(separator: ", "))

  /// - Parameter answer: The answer to `look`.
  /// - Throws: `unfit`, with the wrong setting and the required one.
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
    guard self == .replicated, row.text(4).isEmpty else { return }
    throw .unfit(
      "commits are not replicated: the server's synchronous_standby_names is empty, and store.postgresql.durability is replicated; name the standbys there, or set durability to local"
    )
  }
}
