internal import Linux

/// The names of users in the machine's database.
enum UserNames {
  /// Adds missing names; "" for a user without one, so that the database is asked only once per user.
  static func add(to names: inout [Int: String], _ snapshot: Snapshot) {
    for user in snapshot.users where names[user.uid] == nil {
      names[user.uid] = UInt32(exactly: user.uid).flatMap { UserDatabase.name(ofUser: $0) } ?? ""
    }
  }
}
