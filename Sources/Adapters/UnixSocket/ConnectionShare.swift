/// A user's share of a limited number of connections.
///
/// A user may take one more as long as it has no more than half of what is free then. The first user reaches a third, and
/// each later one a third of what is left, so that a few users cannot take everything.
enum ConnectionShare {
  /// What every user may have as long as anything is free.
  private static let always = 4

  /// - Parameters:
  ///   - own: Connections of the user.
  ///   - taken: Connections of all users.
  ///   - limit: Connections that there can be.
  static func hasRoom(own: Int, taken: Int, limit: Int) -> Bool {
    let free = limit - taken
    return free > 0 && (own < always || own <= free / 2)
  }
}
