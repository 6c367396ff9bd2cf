/// Finds the name that a mistyped one was probably meant to be.
package enum NearestName {
  /// The candidate with the smallest edit distance; the first of several. Nil if there is no candidate.
  package static func find(_ typed: String, among candidates: [String]) -> String? {
    candidates.min { distance(typed, $0) < distance(typed, $1) }
  }

  /// Levenshtein's distance.
  static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
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
