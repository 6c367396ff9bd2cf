/// What one user may have of something that there is only so much of, as connections.
///
/// A user may take one more as long as it has no more than half of what is free then. The first comes to a third, and each
/// that comes afterwards to a third of what is left: nobody can fill it, alone or with a few others.
enum ConnectionShare {
  /// What every user may have where anything is free at all.
  private static let always = 4

  /// - Parameters:
  ///   - own: What the user has.
  ///   - taken: What all have together.
  ///   - limit: What there is.
  static func hasRoom(own: Int, taken: Int, limit: Int) -> Bool {
    let free = limit - taken
    return free > 0 && (own < always || own <= free / 2)
  }
}
