/// Finds the name that a mistyped one was probably meant to be.
package enum NearestName {
  /// The most bytes of the typed name that are compared, so that a very long name costs no more time.
  private static let mostBytes = 128

  /// The candidate with the smallest edit distance, or the first of several such candidates. Nil if there is no
  /// candidate.
  package static func find(_ typed: String, among candidates: [String]) -> String? {
    let typed = typed.utf8.prefix(mostBytes)
    return candidates.map { (name: $0, distance: distance(typed, $0.utf8)) }.min { $0.distance < $1.distance }?.name
  }

  /// The candidate that the user probably meant: the result of `find`, if at most a third of the typed name's bytes
  /// differ, at least one and at most four. Nil otherwise.
  package static func findClose(_ typed: String, among candidates: [String]) -> String? {
    guard let nearest = find(typed, among: candidates) else { return nil }
    let most = min(4, max(1, typed.utf8.count / 3))
    return distance(typed.utf8.prefix(mostBytes), nearest.utf8) <= most ? nearest : nil
  }

  /// The Levenshtein distance of two names, in bytes.
  static func distance(_ one: some Sequence<UInt8>, _ other: some Sequence<UInt8>) -> Int {
    let (one, other) = (Array(one), Array(other))
    var row = Array(0...other.count)
    for (index, byte) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in other.indices {
        let substitution = diagonal + (byte == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substitution, diagonal + 1, row[column] + 1)
      }
    }
    return row[other.count]
  }
}
