internal import Linux

/// Names of users from the machine's database.
enum UserNames {
  /// Adds the names that are missing; "" for a user without one, so that the database is asked once for each.
  static func add(to names: inout [Int: String], _ snapshot: Snapshot) {
    for user in snapshot.users where names[user.uid] == nil {
      names[user.uid] = UInt32(exactly: user.uid).flatMap { UserDatabase.name(ofUser: $0) } ?? ""
    }
  }
}
