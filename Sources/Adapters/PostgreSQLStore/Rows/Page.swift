internal import Registration

extension Connection {
  /// Reads readable rows after a key. Reports unreadable rows to the damage log, and reads further rows in their place.
  ///
  /// - Parameters:
  ///   - limit: The number of readable rows. Fewer are returned only if there are no more.
  ///   - page: The statement for the page after a key.
  ///   - key: The key of a row, after which the next page begins.
  func readable<Value, Key>(
    behind start: Key, limit: Int, _ page: (Key, _ limit: Int) -> Statement, key: (Row) -> Key,
    _ read: (Row) throws(ServerFailure) -> Value
  ) throws(ServerFailure) -> [Value] {
    var values: [Value] = []
    var start = start
    while values.count < limit {
      let wanted = limit - values.count
      let rows = try answer(page(start, wanted)).rows
      for row in rows {
        do throws(ServerFailure) {
          values.append(try read(row))
        } catch {
          guard let damaged = error.row else { throw error }
          damage?.note(damaged)
        }
      }
      guard rows.count == wanted, let last = rows.last else { break }
      start = key(last)
    }
    return values
  }
}
