internal import Registration

extension ChangeScope {
  /// A number for each thing that a change is about. Changes with a number in common would wait for each other's locks
  /// in the server. Two things may have the same number. Then their changes wait for each other without need.
  ///
  /// Invitations have no number here, because changes that take different uses share the lock.
  var scopes: Set<Int> {
    var scopes: Set<Int> = []
    func add(_ things: Set<some Hashable>, _ kind: Int) {
      for thing in things {
        var hasher = Hasher()
        hasher.combine(kind)
        hasher.combine(thing)
        scopes.insert(hasher.finalize())
      }
    }
    add(ids, 0)
    add(keys, 1)
    add(claimKeys, 2)
    add(requests, 3)
    add(claims, 4)
    add(mails, 5)
    return scopes
  }
}
