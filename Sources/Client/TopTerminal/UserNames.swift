internal import Linux

/// Looks up the names of users in the machine's user database.
enum UserNames {
  /// Adds the missing names of the snapshot's users, and "" for a user without a name, so that each user is looked up
  /// only once.
  static func add(to names: inout [Int: String], _ snapshot: Snapshot) {
    for user in snapshot.users where names[user.uid] == nil {
      names[user.uid] = UInt32(exactly: user.uid).flatMap { UserDatabase.name(ofUser: $0) } ?? ""
    }
  }
}
