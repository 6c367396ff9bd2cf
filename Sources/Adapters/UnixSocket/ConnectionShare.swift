/// A user's share of a limited number of connections.
///
/// A user may open one more connection while it has at most half as many as are free. So the first user gets a third of
/// all connections, and each later user a third of those that are left. A few users cannot take all.
enum ConnectionShare {
  /// The number of connections that every user may have while any is free.
  private static let always = 4

  /// - Parameters:
  ///   - own: The user's connections.
  ///   - taken: All users' connections.
  ///   - limit: The most connections at once.
  static func hasRoom(own: Int, taken: Int, limit: Int) -> Bool {
    let free = limit - taken
    return free > 0 && (own < always || own <= free / 2)
  }
}
