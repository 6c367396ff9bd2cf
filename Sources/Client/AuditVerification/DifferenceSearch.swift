/// Searches the first entry that differs between the entries and regd's stored tree. This takes about 30 proofs of regd, and one
/// more for each entry in a row that the tree does not have, up to a thousand.
///
/// The hashes to the left of the path from an entry to the root are the peaks of the tree over all entries before it. If
/// they are the same in both trees, so are all those entries.
struct DifferenceSearch {
  /// An entry, and the tree before it.
  private struct Place {
    let tree: MerkleTree
    let number: Int
  }

  let source: any AuditSource
  let head: AuditHead

  /// - Parameter marks: Those of the walk over all entries.
  /// - Returns: The place of the difference, from 0, and what is there.
  func first(_ marks: [AuditWalk.Mark]) throws(AuditFailure) -> (index: Int, difference: AuditDifference) {
    let coarse = marks.map { Place(tree: $0.tree, number: $0.next) }
    let places = try placesAfter(coarse.isEmpty ? nil : coarse[max(0, lastThatFits(coarse))])
    let fitting = try lastThatFits(places)
    let last = fitting >= 0 ? places[fitting] : nil
    guard fitting + 1 < places.count else { return end(last) }
    let next = places[fitting + 1]
    guard let proof = try source.proof(of: next.number, size: head.size) else {
      return try unknown(next, after: last, before: places[(fitting + 2)...])
    }
    // the next entry is in its place, but not after the same entries
    if proof.index == next.tree.size, let last { return changed(last) }
    // After missing entries, all later ones have moved. If only this one has moved, another one is in its place.
    guard proof.index > next.tree.size else { return changed(next) }
    if fitting + 2 < places.count, try !isLater(places[fitting + 2]) { return changed(next) }
    return (next.tree.size, .missing(after: last?.number, before: next.number))
  }

  /// The difference if all entries follow the same ones in both trees, up to the last one.
  private func end(_ last: Place?) -> (index: Int, difference: AuditDifference) {
    let size = (last?.tree.size ?? -1) + 1
    if let last, head.size <= size { return changed(last) }
    return (size, .missing(after: last?.number, before: nil))
  }

  private func changed(_ place: Place) -> (index: Int, difference: AuditDifference) {
    (place.tree.size, .changed(entry: place.number))
  }

  /// The difference at an entry that the stored tree does not have: another program has added it, or has put it in the place of
  /// another entry. PostgreSQL keeps hashes with the entries, so the replaced entry is also gone from the stored tree. But no
  /// later entry has moved then.
  private func unknown(
    _ next: Place, after last: Place?, before later: ArraySlice<Place>
  ) throws(AuditFailure) -> (index: Int, difference: AuditDifference) {
    var end = next.tree.size + 1
    for place in later {
      if let proof = try source.proof(of: place.number, size: head.size) {
        if proof.index >= place.tree.size { return changed(next) }
        if let last, proof.index == next.tree.size, proof.leftHashes != next.tree.peaks { return changed(last) }
        return (next.tree.size, .added(entry: next.number))
      }
      end += 1
    }
    if head.size >= end { return changed(next) }
    if let last, head.size == next.tree.size, head.root != next.tree.root { return changed(last) }
    return (next.tree.size, .added(entry: next.number))
  }

  /// Whether the stored tree has the entry at a later place. Also true if it does not have the entry.
  private func isLater(_ place: Place) throws(AuditFailure) -> Bool {
    guard let proof = try source.proof(of: place.number, size: head.size) else { return true }
    return proof.index > place.tree.size
  }

  /// The places of the entries up to the next mark, and of two more.
  private func placesAfter(_ mark: Place?) throws(AuditFailure) -> [Place] {
    guard let mark else { return [] }
    var places: [Place] = []
    var tree = mark.tree
    let pages = EntryPages(source)
    try pages.forEach(after: mark.number - 1, atMost: AuditWalk.stride + 2) { (entry) throws(AuditFailure) in
      places.append(Place(tree: tree, number: entry.number))
      tree.append(entry.leaf)
    }
    return places
  }

  /// The last place at which both trees have the same entry number, after the same entries. Searched by halves.
  ///
  /// - Returns: Its index, or -1 if there is none.
  private func lastThatFits(_ places: [Place]) throws(AuditFailure) -> Int {
    var (low, high) = (-1, places.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if try fits(places[middle]) { low = middle } else { high = middle }
    }
    return low
  }

  private func fits(_ place: Place) throws(AuditFailure) -> Bool {
    guard let proof = try source.proof(of: place.number, size: head.size) else { return false }
    return proof.index == place.tree.size && proof.leftHashes == place.tree.peaks
  }
}
